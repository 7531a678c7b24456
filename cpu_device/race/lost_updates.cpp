#include "race/lost_updates.hpp"

#include <algorithm>
#include <deque>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "race/advice.hpp"
#include "race/old_values.hpp"
#include "race/places.hpp"
#include "race/report_log.hpp"
#include "race/run.hpp"
#include "race/statements.hpp"
#include "race/tracing.hpp"

namespace cpu_device::race {
namespace {

struct LostUpdate {
    Access read;
    Race race;    // of the other thread's write and of the one that wipes it out
    bool is_old;  // what was read: the other's write had been made before
    std::uint64_t read_step;
    std::uint64_t between;  // what the other thread has written, as Access::before
};

std::deque<LostUpdate>& lost = *new std::deque<LostUpdate>;  // of this launch
// Pairs of a load and a store, packed as in Kept, that need not be looked at any more.
std::set<std::pair<std::uint64_t, std::uint64_t>>& settled =
    *new std::set<std::pair<std::uint64_t, std::uint64_t>>;

std::string key_of_lost(const std::string& read, const std::string& write) {
    return "lost " + read + " " + write;
}

// The latest step on the word before step `last` of which this is true; 0: none of those few steps
// that are looked at.
template <typename Condition>
std::uint64_t latest_before(std::uint64_t last, Condition condition) {
    constexpr int most_steps = 200;
    std::uint64_t number = record.step(last).previous;
    for (int left = most_steps; left > 0 && record.holds(number); --left) {
        if (condition(record.step(number).access)) {
            return number;
        }
        number = record.step(number).previous;
    }
    return 0;
}

// What the write at this step has left, as the next write has found it: reads may have found older
// values.
std::uint64_t left_by(std::uint64_t write, std::uint64_t last) {
    std::uint64_t next = last;
    for (std::uint64_t number = last; number != write; number = record.step(number).previous) {
        next = record.step(number).access.kind != Access::read ? number : next;
    }
    return record.step(next).access.before;
}

// Has another thread written between the load and the store that the thread has made now?
void look_at(const Clocks& me, Object object, const ObjectState& state,
             const RecentLoads::Load& load, Where where) {
    if (settled.count({load.where, Kept::packed(where)}) > 0) {
        return;
    }
    const std::uint64_t now_step = history.state_of(state.begin / 4).last_step;
    const std::uint64_t write_step = latest_before(now_step, [&](const Access& step) {
        return step.slot != me.slot && step.kind != Access::read;
    });
    const std::uint64_t read_step = latest_before(now_step, [&](const Access& step) {
        return step.slot == me.slot && step.kind == Access::read &&
               Kept::packed(step.where) == load.where;
    });
    const std::uint64_t own_step = latest_before(now_step, [&](const Access& step) {
        return step.slot == me.slot && step.kind != Access::read;
    });
    if (read_step == 0 || write_step == 0 || own_step > read_step) {
        return;  // or it has changed the word by a read-modify-write since
    }
    const Access& now = record.step(now_step).access;
    const Access& write = record.step(write_step).access;
    const Access& read = record.step(read_step).access;
    // A write that the thread knows of by now it may mean to wipe out: it puts back an old value.
    const bool is_old = write_step < read_step;
    if ((is_old ? !load.is_old : me.knows(write.slot, write.time)) ||
        !both_atomic(Kept(write), Kept(now))) {
        return;
    }
    const auto bytes = static_cast<unsigned>(state.bytes);
    Race race{write, now, {}, state.begin, bytes, kind_at(state.begin, bytes)};
    if (race.value(read.before) == race.value(now.before)) {
        return;  // what was written in between has left the same value
    }
    settled.insert({load.where, Kept::packed(where)});
    const std::string read_place = place_of(read.where);
    const std::string write_place = place_of(now.where);
    if (was_reported(key_of_lost(read_place, write_place)) ||
        !is_computed_from(read_place, write_place)) {
        return;
    }
    const Piece* const piece = state.begin < reserved_bytes ? piece_near(state.begin) : nullptr;
    if (piece != nullptr && piece->element.bytes == state.bytes) {
        race.type = piece->element.kind;
    }
    race.earlier_step = write_step;
    race.now_step = now_step;
    race.memory = describe(race.offset, race.bytes);
    look_for_signal(race, me, object);
    const std::lock_guard<std::recursive_mutex> lock(reports_mutex);
    lost.push_back({read, std::move(race), is_old, read_step, left_by(write_step, now_step)});
    report_is_unfinished = true;
}

void print(const LostUpdate& update) {
    const Race& race = update.race;
    const std::string read = place_of(update.read.where);
    const std::string write = place_of(race.now.where);
    const std::string what = name_of_element(race.bytes, race.type);
    const std::string bare = what.substr(what.compare(0, 2, "a ") == 0 ? 2 : 0);
    const auto words = [&](const std::string& place) {
        return Words{{"place", place},
                     {"thread", name_of(race.now)},
                     {"other", name_of(race.earlier)},
                     {"element", what},
                     {"same", bare},
                     {"kind of memory", kind_of_memory(race.offset)},
                     {"read", race.text(update.read.before)},
                     {"between", race.text(update.between)},
                     {"written", race.text(race.after)}};
    };
    Text out;
    out.say("lost.read", words(read));
    out += read == write ? "" : source_line(read);
    const std::string other = place_of(race.earlier.where);
    out.say(update.is_old ? "lost.not seen" : "lost.between", words(other));
    out += other == write || other == read ? "" : source_line(other);
    out.say("lost.wiped out", words(write));
    out += source_line(write);
    out.say(bare.back() == 's' ? "race.words" : "race.word",
            {{"element", bare}, {"where", race.memory}});
    out.say("lost.no race", words(write));
    const Advice advice = advice_for_lost_update(race);
    note_advice(advice.rows);
    out += advice.text;
    out += "\n";
    if (is_traced()) {
        tracing->about({update.read_step, race.earlier_step, race.now_step});
    }
    report(advice.kind.c_str(), key_of_lost(read, write), out);
}

}  // namespace

void follow_update(const Clocks& me, Object object, const ObjectState& state, AtomicKind kind,
                   Where where) {
    RecentLoads& loads = run.now.recent_loads();
    if (kind == AtomicKind::load) {
        const std::uint32_t version = version_read(state);
        loads.note({object, version, version != state.version, Kept::packed(where)});
        return;
    }
    const RecentLoads::Load load = loads.take(object);
    if (load.object == object && load.version != state.version &&
        old_values != OldValues::explored) {
        look_at(me, object, state, load, where);
    }
}

void finish_lost_updates() {
    for (LostUpdate& update : lost) {
        if (!update.race.finished) {
            update.race.finished = true;
            update.race.after = value_at(update.race.offset / 4 * 4, 8);
        }
    }
}

void print_lost_updates() {
    for (const LostUpdate& update : lost) {
        if (!was_reported(
                key_of_lost(place_of(update.read.where), place_of(update.race.now.where)))) {
            print(update);
        }
    }
}

bool is_told_as_lost_update(const Race& race) {
    const auto has = [](const LostUpdate& update, const Where& where) {
        return where == update.read.where || where == update.race.now.where;
    };
    return race.earlier.is_volatile && race.now.is_volatile &&
           std::any_of(lost.begin(), lost.end(), [&](const LostUpdate& update) {
               return has(update, race.earlier.where) && has(update, race.now.where);
           });
}

void forget_lost_updates() {
    lost.clear();
    settled.clear();
}

}  // namespace cpu_device::race
