// What a launch leaves for launches of other devices. A thread that releases leaves its past at the
// object (order.cpp). When its launch ends, that clock is kept, and gets a number. A later launch
// finds the number as a mark at the object, and its threads pass it on as any part of their past.
// So whether an access of an earlier launch comes before one of this launch is asked of the clocks
// of those numbers that the thread has in its past.
//
// There are two such clocks for each object: `real` has what system scope has put in order, and
// `widened` what it would have if all scopes were system scope. Where only the second orders two
// accesses, a scope is too narrow.
#include "race/across_devices.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>
#include <vector>

#include "devices.hpp"
#include "host_api.hpp"
#include "race/report_streams.hpp"
#include "race/streams.hpp"
#include "race/word_history.hpp"

namespace cpu_device::race {

bool beside_others = false;

namespace {

struct Left {
    std::uint32_t stream, time;  // of the launch, as its Work has them
    int device;
    VectorClock before;         // by streams: what came before the launch
    VectorClock real, widened;  // by its slots
};
constexpr std::size_t most_left = VectorClock::marks / 2;
std::vector<Left>& left_by_launches = *new std::vector<Left>;
std::size_t real_mark(std::size_t number) {
    return 2 * number;
}
std::size_t widened_mark(std::size_t number) {
    return 2 * number + 1;
}

// Where each was left last.
struct LastPlace {
    std::size_t bytes, number;
};
std::unordered_map<std::size_t, std::vector<LastPlace>>& places =
    *new std::unordered_map<std::size_t, std::vector<LastPlace>>;  // by begin

NextLaunch& running_launch = *new NextLaunch{Work::none(), {}, {}};
// Accesses of the launches beside this one, by their words.
struct OtherAccess {
    const Work* work;
    const Use* use;
};
std::unordered_map<std::size_t, std::vector<OtherAccess>>& others =
    *new std::unordered_map<std::size_t, std::vector<OtherAccess>>;

// An allocation that the launch may use, to be found again quickly.
std::size_t usable_from = 0, usable_to = 0;

bool knows(const Clocks& me, const Work& work, const Access& access, bool real) {
    for (std::size_t i = 0; i < left_by_launches.size(); ++i) {
        if (!me.past.has_mark(real ? real_mark(i) : widened_mark(i))) {
            continue;
        }
        const Left& left = left_by_launches[i];
        const bool is_its_own = left.stream == work.stream && left.time == work.time;
        const VectorClock& clock = real ? left.real : left.widened;
        if ((is_its_own && clock.of(access.slot) >= access.time) ||
            left.before.of(work.stream) >= work.time) {
            return true;
        }
    }
    return false;
}

bool both_atomic(const Access& a, const Access& b) {
    return a.atomic && b.atomic && a.bytes == b.bytes && a.mask == b.mask;
}

// As read_before() in checker.cpp: an atomic write comes before what follows an atomic that has
// read it, or what read-modify-writes have made of it since.
bool was_read_before(const Access& first, const WordState& word, const Clocks& me, Scope scope) {
    const auto has_read_it = [&](const Kept& access) {
        return access.atomic && access.kind != Access::write && access.chain == 0 &&
               access.scope >= scope && access.bytes == first.bytes && access.mask == first.mask &&
               me.knows(access.slot, access.time);
    };
    return first.atomic && first.kind != Access::read && first.scope >= scope &&
           (std::any_of(word.writes.begin(), word.writes.end(), has_read_it) ||
            std::any_of(word.reads.begin(), word.reads.end(), has_read_it));
}

void leave(const ObjectState& object) {
    const VectorClock& clock = object.location.device;
    if (!clock.empty() && !clock.has_slots()) {
        return;  // what is from earlier launches stays as it is
    }
    std::vector<LastPlace>& here = places[object.begin];
    here.erase(std::remove_if(here.begin(), here.end(),
                              [&](const LastPlace& place) { return place.bytes == object.bytes; }),
               here.end());
    if (!clock.empty() && left_by_launches.size() < most_left) {
        here.push_back({object.bytes, left_by_launches.size()});
        left_by_launches.push_back({running_launch.work.stream, running_launch.work.time,
                                    running_launch.work.device, running_launch.past,
                                    object.location.system, clock});
    }
}

}  // namespace

void begin_launch_on_device(const LaunchConfig& config) {
    settle_system_scope();
    if (!keeps_system_scope) {
        return;
    }
    if (!host_may_race) {  // the host has waited for all that was left
        left_by_launches.clear();
        places.clear();
    }
    running_launch = next_launch(config);
    others.clear();
    for (const Work& work : running_launch.beside) {
        for (const Use& use : work.uses) {
            if (use.word * 4 < reserved_bytes) {  // each device has its own __device__ variables
                others[use.word].push_back({&work, &use});
            }
        }
    }
    beside_others = !others.empty() && left_by_launches.size() < most_left;
    usable_from = usable_to = 0;
}

void end_launch_on_device() {
    if (!keeps_system_scope) {
        return;
    }
    for (auto& [begin, here] : places) {
        if (history.is_overwritten(begin / 4)) {
            here.clear();  // by plain writes
        }
    }
    for (const ObjectState& object : history.objects()) {
        if (!is_shared(object.begin)) {
            leave(object);
        }
    }
    beside_others = false;
    others.clear();
}

void take_over(ObjectState& object) {
    object.has_taken_over = true;
    const auto found = places.find(object.begin);
    if (found == places.end()) {
        return;
    }
    for (const LastPlace& place : found->second) {
        if (place.bytes == object.bytes) {
            const Left& left = left_by_launches[place.number];
            VectorClock& system = object.location.system;
            VectorClock& device = object.location.device;
            system = left.real.marks_only();
            if (left.real.has_slots()) {
                system.set_mark(real_mark(place.number));
            }
            device = left.widened.marks_only();
            device.set_mark(widened_mark(place.number));
            if (left.device == running_launch.work.device) {
                device.join(system);
            }
        }
    }
}

void check_beside_others(const Clocks& me, const WordState& word, const Access& now) {
    const auto found = others.find(word.number);
    if (found == others.end()) {
        return;
    }
    for (const auto& [work, use] : found->second) {
        const Access first = use->access();
        const bool atomic = both_atomic(first, now);
        if ((first.mask & now.mask) == 0 ||
            (first.kind == Access::read && now.kind == Access::read) ||
            (atomic && first.scope == Scope::system && now.scope == Scope::system) ||
            knows(me, *work, first, true) || was_read_before(first, word, me, Scope::system)) {
            continue;
        }
        const bool narrow =
            knows(me, *work, first, false) || was_read_before(first, word, me, Scope::block);
        const Lacking lacking = atomic   ? Lacking::scope_of_atomics
                                : narrow ? Lacking::scope_on_the_way
                                         : Lacking::order;
        report_devices(*work, *use, running_launch.work, {word.number, 1, now}, lacking);
    }
}

bool may_use_memory(const Clocks& me, std::size_t offset, Access::Kind kind, bool atomic,
                    Where where) {
    if (is_shared(offset) || offset >= reserved_bytes ||
        (offset >= usable_from && offset < usable_to)) {
        return true;
    }
    const Piece* const piece = piece_near(offset);
    if (piece == nullptr || offset < piece->begin || offset >= piece->begin + piece->bytes) {
        return true;  // of no allocation
    }
    if (is_reachable(address_of(offset), running_launch.work.device)) {
        usable_from = piece->begin;
        usable_to = piece->begin + piece->bytes;
        return true;
    }
    report_memory_of_peer(me, offset, kind, atomic, where, running_launch.work.device);
    return false;
}

void forget_left(std::size_t begin, std::size_t bytes) {
    if (places.empty()) {
        return;
    }
    for (auto& [place, here] : places) {
        if (place + 16 > begin && place < begin + bytes) {
            here.clear();
        }
    }
}

}  // namespace cpu_device::race
