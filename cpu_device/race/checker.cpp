#include "race/checker.hpp"

#include <algorithm>
#include <cstring>
#include <unordered_map>

#include "cpu_device/race.h"
#include "race/across_devices.hpp"
#include "race/confinement.hpp"
#include "race/counts.hpp"
#include "race/lost_updates.hpp"
#include "race/old_values.hpp"
#include "race/plan.hpp"
#include "race/quick_check.hpp"
#include "race/report.hpp"
#include "race/report_log.hpp"
#include "race/report_memory.hpp"
#include "race/run.hpp"
#include "race/run_trace.hpp"
#include "race/shared_reads.hpp"
#include "race/streams.hpp"
#include "race/test_hooks.hpp"
#include "race/tracing.hpp"
#include "race/turns.hpp"
#include "race/uses.hpp"
#include "race/word_history.hpp"
#include "scheduler.hpp"

namespace cpu_device::race {
namespace {

// PTX: an atomic write is ordered before what follows an operation that read it, directly or
// through an unbroken chain of read-modify-writes. So the last of many blocks may reset a counter
// that all have increased, although relaxed increments order nothing else.
bool read_before(const Kept& earlier, const WordState& word, const Clocks& me) {
    if (!earlier.atomic || earlier.kind == Access::read) {
        return false;
    }
    const auto has_read_it = [&](const Kept& access) {
        return access.atomic && access.kind != Access::write && access.chain == earlier.chain &&
               access.link >= earlier.link && me.knows(access.slot, access.time) &&
               both_atomic(access, earlier);
    };
    return std::any_of(word.writes.begin(), word.writes.end(), has_read_it) ||
           std::any_of(word.reads.begin(), word.reads.end(), has_read_it);
}

void check_against(const AccessList& accesses, const WordState& word, const Kept& now,
                   const Access& whole, const Clocks& me) {
    if (accesses.counting() && !accesses.empty() && both_atomic(*accesses.begin(), now)) {
        return;  // a counter of many threads
    }
    for (const Kept* access = accesses.end(); access != accesses.begin(); --access) {
        const Kept& earlier = access[-1];  // the latest first
        if ((earlier.mask & now.mask) == 0 || me.knows(earlier.slot, earlier.time)) {
            continue;
        }
        const bool may_meet =
            both_atomic(earlier, now) && !(earlier.is_volatile && now.is_volatile);
        if (!may_meet && !read_before(earlier, word, me)) {
            const Access first = earlier.access();
            if (!is_known(first, whole)) {
                report_race(first, whole, me, word.number, word.last_step);
            }
            return;
        }
    }
}

// Keeps `now`, and drops the accesses that it stands for: what comes after `now` comes after them
// as well, or they have just been reported.
void keep(WordState& word, const Kept& now, const Clocks& me) {
    if (now.kind == Access::read) {
        // What has been read in another chain counts as long as the write that began it does.
        const auto counts_still = [&](const Kept& read) {
            return read.atomic && read.chain != now.chain &&
                   std::any_of(word.writes.begin(), word.writes.end(), [&](const Kept& write) {
                       return write.atomic && write.chain == read.chain && both_atomic(write, read);
                   });
        };
        Kept* const known = word.reads.of_same_kind(now);
        if (known != nullptr && !counts_still(*known)) {
            *known = now;
            return;
        }
        if (known != nullptr) {
            word.reads.drop_if([&](const Kept& other) {
                return other.slot == now.slot && other.atomic && other.mask == now.mask &&
                       other.bytes == now.bytes && other.scope == now.scope && !counts_still(other);
            });
        }
        if (known == nullptr) {
            run.spins.note_new_read(true);
        }
        word.reads.add(now);
        return;
    }
    const auto stands_for = [&](const Kept& earlier) {
        if (!now.atomic) {
            return (earlier.mask & ~now.mask) == 0;
        }
        const bool narrower = earlier.scope < now.scope;  // other blocks race with it alone
        return both_atomic(earlier, now) && !narrower &&
               (me.knows(earlier.slot, earlier.time) ||
                (now.kind == Access::update && earlier.chain == now.chain));
    };
    word.writes.drop_if(stands_for);
    if (!now.atomic) {
        word.reads.drop_if(stands_for);
    }
    word.writes.add(now);
}

// What has been read by __ldg, by the number of the word.
struct ReadOnly {
    std::uint8_t mask;
    Where where;
    bool texture;
};
std::unordered_map<std::size_t, ReadOnly>& read_only_words =
    *new std::unordered_map<std::size_t, ReadOnly>;

// `old`: what an atomic has found.
void check_words(Clocks& me, std::size_t begin, std::size_t bytes, Access now, Object object,
                 std::uint64_t old = 0) {
    if (object != no_object) {
        ObjectState& mine = history.object(object);
        if (now.kind == Access::write) {
            ++mine.chain;
            mine.link = 0;
        } else if (now.kind == Access::update) {
            ++mine.link;
        }
        now.chain = mine.chain;
        now.link = mine.link;
    }
    if (is_traced()) {
        tracing->begin_access(begin, bytes);
    }
    for (std::size_t word = begin / 4; word <= (begin + bytes - 1) / 4; ++word) {
        const std::size_t first = word * 4 < begin ? begin - word * 4 : 0;
        const std::size_t end = std::min<std::size_t>(4, begin + bytes - word * 4);
        now.mask = static_cast<std::uint8_t>((0xfu << first) & (0xfu >> (4 - end)));
        WordState& state = history.state_of(word);
        if (now.kind != Access::read && state.objects != 0) {
            history.overwrite_objects(me, state, begin, bytes, object);
        }
        now.before = value_at(word * 4, 8);
        if (now.atomic) {  // has been made already
            put(now.before, word * 4, begin, old, bytes);
        }
        const Kept kept(now);
        check_against(state.writes, state, kept, now, me);
        if (now.kind != Access::read) {
            check_against(state.reads, state, kept, now, me);
        }
        if (beside_others) {
            check_beside_others(me, state, now);
        }
        keep(state, kept, me);
        if (now.kind != Access::read) {
            state.written |= now.mask;
        }
        if (now.kind != Access::read && (!now.atomic || value_at(begin, bytes) != old)) {
            state.changed_at = kept.where;
            state.changed_by = now.slot;
        }
        state.last_step = record.add(kept, now.before, state.last_step);
        if (is_traced()) {
            tracing->added(state.last_step, word);
        }
        if (now.kind != Access::read && state.read_only &&
            (read_only_words[word].mask & now.mask) != 0) {  // a report may add a step of its own
            report_read_only(read_only_words[word].where, now.where, now.slot, begin, bytes,
                             read_only_words[word].texture);
        }
    }
}

Access::Kind kind_of(AtomicKind kind) {
    constexpr Access::Kind kinds[] = {Access::read, Access::write, Access::update};
    return kinds[static_cast<int>(kind)];
}

Access access_of(const Clocks& me, Access::Kind kind, bool atomic, Scope scope, std::size_t bytes,
                 Where where, std::uint64_t before) {
    Access access{};
    access.slot = me.slot;
    access.time = me.time;
    access.block = me.block;
    access.moment = moment(me);
    access.thread = static_cast<std::uint16_t>(me.thread);
    access.by_copy = is_slot_of_copy(me.slot);
    access.kind = kind;
    access.atomic = atomic;
    access.scope = scope;
    access.bytes = static_cast<std::uint8_t>(std::min<std::size_t>(bytes, 255));
    access.where = where;
    access.before = before;
    return access;
}

void atomic_access(Clocks& me, std::size_t offset, std::size_t bytes, AtomicKind kind, Order order,
                   Scope scope, Where where, std::uint64_t before, bool is_volatile = false) {
    if (order == Order::seq_cst && old_values == OldValues::off) {
        fence(me, order, scope);
    }
    const Object object = history.object_at(offset, bytes);
    ObjectState& state = history.object(object);
    Location& location = state.location;
    if (keeps_system_scope && !state.has_taken_over) {
        take_over(state);
    }
    enter_chosen_store(me, state, kind, scope);
    if (kind != AtomicKind::store) {
        atomic_reads(me, object, location, order, scope);
    }
    Access now = access_of(me, kind_of(kind), true, scope, bytes, where, before);
    now.is_volatile = is_volatile && is_shared(offset);
    if (is_traced()) {
        tracing->atomic_is(order, is_volatile, version_read(state) != state.version);
    }
    check_words(me, offset, bytes, now, object, before);
    if (kind != AtomicKind::update) {
        follow_update(me, object, state, kind, where);
    }
    state.version += kind == AtomicKind::load ? 0 : 1;
    const std::uint32_t time = me.time;
    atomic_is_done(me, object, location, kind, order, scope, where);
    leave_chosen_store(me, state, kind, scope, where, time);
}

// Is the memory there, and was that written which is read? An access that touches some bytes
// that were written passes for a whole: it may be that of a struct with padding.
bool memory_is_there(const Clocks& me, std::size_t offset, std::size_t bytes, Access::Kind kind,
                     bool atomic, Where where) {
    const bool reads = kind != Access::write;
    const bool writes = kind != Access::read;
    static constexpr std::uint8_t all_written[16] = {
        written, written, written, written, written, written, written, written,
        written, written, written, written, written, written, written, written};
    if (keeps_system_scope && !may_use_memory(me, offset, kind, atomic, where)) {
        return false;
    }
    std::uint8_t* const states = byte_states + offset;
    if (is_shared(offset) && offset / arena_bytes != me.arena) {
        // Has the other block, which may have ended, a variable there, or this one?
        const std::size_t here = me.arena * arena_bytes + offset % arena_bytes;
        if (*states != outside || byte_states[here] != outside) {
            report_foreign(me, offset, bytes, where);
        } else {
            report_memory(me, offset, bytes, kind, atomic, outside, where);
        }
        return false;
    }
    if (bytes <= sizeof all_written && std::memcmp(states, all_written, bytes) == 0) {
        return true;
    }
    if (std::memchr(states, outside, bytes) != nullptr) {
        report_memory(me, offset, bytes, kind, atomic, outside, where);
        return false;
    }
    if (reads && std::memchr(states, written, bytes) == nullptr) {
        report_memory(me, offset, bytes, kind, atomic, unwritten, where);
    }
    if (writes) {
        std::memset(states, written, bytes);
    }
    return true;
}

template <bool write>
bool check_quickly(const Clocks& me, std::size_t offset, std::size_t bytes, Where where) {
    switch (bytes) {
        case 4:
            return check_quickly<4, write>(me, offset, where);
        case 8:
            return check_quickly<8, write>(me, offset, where);
        case 16:
            return check_quickly<16, write>(me, offset, where);
        default:
            return false;
    }
}

}  // namespace

void check_plain(Clocks& me, std::size_t offset, std::size_t bytes, bool write, bool is_volatile,
                 Where where) {
    if (!is_volatile && (write ? check_quickly<true>(me, offset, bytes, where)
                               : check_quickly<false>(me, offset, bytes, where))) {
        return;
    }
    ++accesses_checked;
    if (!memory_is_there(me, offset, bytes, write ? Access::write : Access::read, false, where)) {
        return;
    }
    const Access now = access_of(me, write ? Access::write : Access::read, false, Scope::system,
                                 bytes, where, value_at(offset, bytes));
    if (!write) {
        note_read_value(now.before, bytes);
    }
    if (is_volatile) {
        atomic_access(me, offset, bytes, write ? AtomicKind::store : AtomicKind::load,
                      Order::relaxed, Scope::system, where, now.before, true);
    } else {
        check_words(me, offset, bytes, now, no_object);
    }
    if (write && (bytes == 4 || bytes == 8)) {
        last_store = {Kept::packed(where), address_of(offset), me.slot,
                      static_cast<std::uint8_t>(bytes)};
    }
}

void check_atomic(Clocks& me, std::size_t offset, const AtomicStep& step, std::uint64_t before) {
    ++accesses_checked;
    const Where where{step.place.file, step.place.line};
    // Who exchanges may leave the old value alone: then it is a write, as a store is.
    const Access::Kind needs = step.replaces ? Access::write : kind_of(step.kind);
    if (memory_is_there(me, offset, step.bytes, needs, true, where)) {
        note_read_value(before, step.bytes);
        if (is_shared(offset)) {
            note_shared_atomic(me, offset, step, before, where);
        }
        atomic_access(me, offset, step.bytes, step.kind, step.order, step.scope, where, before);
    }
}

void check_read_only(std::size_t offset, std::size_t bytes, Where where, bool texture) {
    for (std::size_t word = offset / 4; word <= (offset + bytes - 1) / 4; ++word) {
        const std::size_t first = word * 4 < offset ? offset - word * 4 : 0;
        const std::size_t end = std::min<std::size_t>(4, offset + bytes - word * 4);
        const auto mask = static_cast<std::uint8_t>((0xfu << first) & (0xfu >> (4 - end)));
        WordState& state = history.state_of(word);
        if ((state.written & mask) != 0 && !state.writes.empty()) {
            const Access write = state.writes.end()[-1].access();
            report_read_only(where, write.where, write.slot, offset, bytes, texture);
        }
        ReadOnly& known = read_only_words[word];
        known.mask = state.read_only ? known.mask | mask : mask;
        known.where = where;
        known.texture = texture;
        state.read_only = true;
    }
}

void begin_launch(const LaunchConfig& config) {
    reserve_memory();
    begin_json();
    threads_per_block = config.block.x * config.block.y * config.block.z;
    threads_in_launch = threads_per_block * config.grid.x * config.grid.y * config.grid.z;
    trace_launch(config);
    record.begin_launch();
    ReadSet::begin_launch(threads_per_block);
    begin_old_values();
    name_launch(&config);
    begin_launch_on_device(config);
    words_are_simple = tracing == nullptr && !keeps_system_scope;
    accesses_are_simple = words_are_simple && plan == nullptr && turn_record == nullptr &&
                          !counting && !confined && !watches_changes();
}

// All of a launch is after what came before it in its stream, and before what comes after it.
void end_launch(const LaunchConfig& config) {
    report_shared_reads();
    print_reports();
    trace_end_of_launch();
    launch_in_stream(config, uses_of_launch(has_streams() ? SIZE_MAX : most_uses));
    end_launch_on_device();
    history.end_launch();
    read_only_words.clear();
    forget_lost_updates();
    forget_order();
    name_launch(nullptr);
}

std::uint64_t accesses() {
    return accesses_checked;
}

}  // namespace cpu_device::race
