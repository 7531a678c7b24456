#include "race/report_memory.hpp"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <fstream>
#include <iterator>

#include "cpu_device/race.h"
#include "race/places.hpp"
#include "race/record.hpp"
#include "race/report_log.hpp"
#include "race/words.hpp"
#include "scheduler.hpp"

namespace cpu_device::race {

std::map<std::string, UnwrittenRead>& read_unwritten = *new std::map<std::string, UnwrittenRead>;

namespace {

// The last ones told, so that loops which wait for words outside of all memory make no text at each
// look. Texts cost time. And where sources that are checked use the same templates, their stores
// would look like changes of memory: then the loop would not seem endless. So no container of the
// standard library stands here.
struct OutsideAccess {
    Where where;
    bool freed;
    unsigned time;
    bool operator==(const OutsideAccess& other) const {
        return where == other.where && freed == other.freed && time == other.time;
    }
};
constexpr unsigned most_told_outside = 16;
OutsideAccess told_outside[most_told_outside]{};
unsigned times_told_outside = 0;

bool is_told_outside(const OutsideAccess& one) {
    for (unsigned i = 0; i < most_told_outside && i < times_told_outside; ++i) {
        if (told_outside[i] == one) {
            return true;
        }
    }
    return false;
}

}  // namespace

void report_memory(const Clocks& me, std::size_t offset, std::size_t bytes, Access::Kind kind,
                   bool atomic, ByteState state, Where where) {
    const std::lock_guard<std::recursive_mutex> lock(reports_mutex);
    const Piece* const piece = piece_near(offset);
    const bool freed = state == outside && piece != nullptr && piece->freed &&
                       offset < piece->begin + piece->bytes;
    const OutsideAccess outside_access{where, freed, times_forgotten()};
    if (state == outside && is_told_outside(outside_access)) {
        return;
    }
    const std::string place = place_of(where);
    const std::size_t nearest = state == outside && piece != nullptr ? piece->begin : offset;
    Text out;
    out.say("memory.access", {{"place", place},
                              {"thread", name_of(me.block, me.thread)},
                              {"does", verb(kind, atomic)},
                              {"bytes", std::to_string(bytes)},
                              {"kind of memory", kind_of_memory(nearest)}});
    const std::string where_it_is = describe(offset, bytes);
    out.say("memory.where", {{"where", where_it_is}});
    if (state == unwritten) {  // told at the end, if it was not just too early
        out.say(is_shared(offset) ? "memory.unwritten shared" : "memory.unwritten global");
        read_unwritten.emplace(place, UnwrittenRead{out, record.count() + 1});
    } else if (freed) {
        report("USE AFTER FREE", "freed " + place, out.say("memory.freed"));
    } else if (where_it_is.find(" of the dynamic shared memory") != std::string::npos) {
        const std::string size = std::to_string(launched->dynamic_shared);
        report("OUT OF BOUNDS", "outside " + place,
               out.say("memory.dynamic shared", {{"bytes", size}}));
    } else {
        report("OUT OF BOUNDS", "outside " + place, out.say("memory.outside"));
    }
    if (state == outside) {
        told_outside[times_told_outside++ % most_told_outside] = outside_access;
    }
}

void report_foreign(const Clocks& me, std::size_t offset, std::size_t bytes, Where where) {
    const std::string place = place_of(where);
    report("SHARED MEMORY OF ANOTHER BLOCK", "foreign " + place,
           Text().say("memory.foreign", {{"place", place},
                                         {"thread", name_of(me.block, me.thread)},
                                         {"where", describe(offset, bytes)}}));
}

void report_read_only(Where load, Where write, std::uint32_t writer, std::size_t offset,
                      std::size_t bytes, bool texture) {
    const std::string loaded = place_of(load);
    const std::string written = place_of(write);
    const std::uint32_t threads = launched->block.x * launched->block.y * launched->block.z;
    writer %= threads_in_launch;  // a copy of the thread has a slot of its own
    report("READ-ONLY LOAD", "read-only " + key_of(loaded, written),
           Text().say(texture ? "memory.texture" : "memory.read-only load",
                      {{"load", loaded},
                       {"write", written},
                       {"writer", name_of(writer / threads, writer % threads)},
                       {"where", describe(offset, bytes)}}));
}

namespace {

// Does the source itself speak of such a value? Then it may be one that the program has meant.
bool source_has_unset_pattern(const std::string& place) {
    std::ifstream file(place.substr(0, place.rfind(':')));
    std::string text{std::istreambuf_iterator<char>(file), {}};
    std::transform(text.begin(), text.end(), text.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    text.erase(std::remove(text.begin(), text.end(), '\''), text.end());
    for (const char* const value : {"0xfefefefe", "4278124286", "-16843010"}) {
        if (text.find(value) != std::string::npos) {
            return true;
        }
    }
    return false;
}

void report_unset(const Access& store, std::size_t offset) {
    const std::string place = place_of(store.where);
    if (unset_pattern_was_read || was_reported("unset " + place) ||
        source_has_unset_pattern(place)) {
        return;
    }
    report("UNSET VARIABLE", "unset " + place,
           Text().say("memory.unset", {{"place", place},
                                       {"thread", name_of(store)},
                                       {"where", describe(offset, store.bytes)}}));
}

}  // namespace

void report_unset_variable() {
    Kept store{};
    store.where = last_store.where;
    store.slot = last_store.slot;
    store.bytes = last_store.bytes;
    report_unset(store.access(), offset_of(last_store.to));
}

void report_index(const Clocks& me, long long index, const char* array, Where where) {
    const std::string place = place_of(where);
    report("OUT OF BOUNDS", "outside " + place,
           Text().say("memory.index", {{"place", place},
                                       {"thread", name_of(me.block, me.thread)},
                                       {"index", std::to_string(index)},
                                       {"array", array}}));
}

void report_shift(const Clocks& me, long long distance, unsigned bits, Where where) {
    const std::string place = place_of(where);
    report("SHIFT TOO FAR", "shift " + place,
           Text()
               .say("memory.shift", {{"place", place},
                                     {"thread", name_of(me.block, me.thread)},
                                     {"bits", std::to_string(bits)},
                                     {"distance", std::to_string(distance)}})
               .say("memory.shift.cure"));
}

void report_float_cast(const Clocks& me, double value, const char* type, Where where) {
    const std::string place = place_of(where);
    char number[32];
    std::snprintf(number, sizeof number, "%g", value);
    report("FLOAT OUT OF RANGE", "float " + place,
           Text()
               .say("memory.float", {{"place", place},
                                     {"thread", name_of(me.block, me.thread)},
                                     {"value", number},
                                     {"type", type}})
               .say("memory.float.cure"));
}

void report_not_global(const Clocks& me, const volatile void* address, std::size_t bytes,
                       Where where) {
    const std::string place = place_of(where);
    const std::size_t offset = offset_of(address);
    Text text;
    text.say("memory.not global", {{"place", place}, {"thread", name_of(me.block, me.thread)}});
    if (offset != unchecked) {
        text.say("memory.where", {{"where", describe(offset, bytes)}});
    } else {
        text.say("memory.not global.local");
    }
    report("NOT GLOBAL MEMORY", "not global " + place, text.say("memory.not global.cure"));
}

void report_atomic_on_local(const Clocks& me, Where where) {
    const std::string place = place_of(where);
    report("ATOMIC ON A LOCAL VARIABLE", "local atomic " + place,
           Text()
               .say("memory.local atomic",
                    {{"place", place}, {"thread", name_of(me.block, me.thread)}})
               .say("memory.local atomic.cure"));
}

void report_misaligned(const Clocks& me, const volatile void* address, std::size_t alignment,
                       Where where) {
    const std::string place = place_of(where);
    const std::size_t offset = offset_of(address);
    const std::size_t beyond = reinterpret_cast<std::uintptr_t>(address) % alignment;
    Text text;
    text.say("memory.misaligned", {{"place", place},
                                   {"thread", name_of(me.block, me.thread)},
                                   {"wanted", std::to_string(alignment)},
                                   {"beyond", std::to_string(beyond)}});
    if (offset != unchecked) {
        text.say("memory.where", {{"where", describe(offset, 1)}});
    }
    report("MISALIGNED ACCESS", "misaligned " + place, text.say("memory.misaligned.cure"));
}

}  // namespace cpu_device::race
