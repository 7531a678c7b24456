#include "race/conditions.hpp"

#include <algorithm>

#include "race/places.hpp"
#include "race/report_log.hpp"
#include "scheduler.hpp"

namespace cpu_device::race {
namespace {

bool both_plain(const Race& race) {
    return !race.earlier.atomic && !race.now.atomic;
}

// Is the element read and then written by a thread, and the other access is one of these two
// instructions by a thread that does the same? Then putting the two in order is not enough: the
// steps have to be one. One that has not written yet does the same, if it has read by the same
// instruction and (unless `is_likely`) several threads write.
bool is_update(const Race& race, bool is_likely = false) {
    const bool now_writes = race.now.kind == Access::write;
    const Access& writer = now_writes ? race.now : race.earlier;
    const Access& other = now_writes ? race.earlier : race.now;
    const auto writes_too = [&](const Access& step) {
        return step.slot != writer.slot && step.kind == Access::write && !step.atomic;
    };
    const bool others_write =
        writes_too(other) || std::any_of(race.steps.begin(), race.steps.end(), writes_too);
    const bool other_writes =
        other.kind == Access::write ||
        std::any_of(race.steps.begin(), race.steps.end(), [&](const Access& step) {
            return step.slot == other.slot && writes_too(step);
        });
    bool past_writer = now_writes;
    for (auto step = race.steps.rbegin(); step != race.steps.rend(); ++step) {
        if (past_writer && step->slot == writer.slot) {
            return step->kind == Access::read && !step->atomic && step->time == writer.time &&
                   ((other.where == step->where && (is_likely || others_write)) ||
                    (other.where == writer.where && other_writes));
        }
        past_writer = past_writer || (step->slot == writer.slot && step->where == writer.where);
    }
    return false;
}

bool same_thread_of_two_blocks(const Race& race) {
    // A block's first thread may have a part of its own.
    return both_plain(race) && !same_block(race) && race.earlier.thread == race.now.thread &&
           race.now.thread != 0 &&
           std::all_of(race.steps.begin(), race.steps.end(), [&](const Access& step) {
               return step.thread == race.now.thread && !step.atomic;
           });
}

bool one_line_writes_for_two_blocks(const Race& race) {
    std::vector<Access> writes;
    const auto note = [&](const Access& access) {
        if (access.kind == Access::write) {
            writes.push_back(access);
        }
    };
    std::for_each(race.steps.begin(), race.steps.end(), note);
    note(race.earlier);
    note(race.now);
    return std::any_of(writes.begin(), writes.end(), [&](const Access& one) {
        return std::any_of(writes.begin(), writes.end(), [&](const Access& other) {
            return one.block != other.block && one.where == other.where;
        });
    });
}

bool both_write(const Race& race) {
    return both_plain(race) && race.earlier.kind == Access::write &&
           race.now.kind == Access::write && !race.has_signal && race.lost == nullptr;
}

// What the write with which a race began has left there.
std::uint64_t written_first(const Race& race) {
    std::uint64_t after = race.now.before;
    for (std::size_t i = race.steps.size(); i-- > 0;) {
        const Access& step = race.steps[i];
        if (step.slot == race.earlier.slot && step.where == race.earlier.where &&
            step.kind == Access::write) {
            break;
        }
        after = step.before;
    }
    return race.value(after);
}

bool is_signal(const Race& race) {
    return race.has_signal && (lacks_scope_only(race) || lacks_order(race));
}

bool one_is_atomic(const Race& race) {
    return race.earlier.atomic != race.now.atomic;
}

const Access& plain_one(const Race& race) {
    return race.earlier.atomic ? race.now : race.earlier;
}

// A compare-and-swap with an order of its own for when it fails.
bool is_exchange(const Where& where) {
    return source_line(place_of(where)).find("compare_exchange_") != std::string::npos;
}

}  // namespace

bool any(const Race&) {
    return true;
}

bool both_volatile(const Race& race) {
    return race.earlier.is_volatile && race.now.is_volatile;
}

bool both_atomic(const Race& race) {
    return race.earlier.atomic && race.now.atomic;
}

bool atomics_of_different_bytes(const Race& race) {
    return both_atomic(race) &&
           (race.earlier.bytes != race.now.bytes || race.earlier.mask != race.now.mask);
}

// By the last two values that each has written.
bool change_different_bits(const Race& race) {
    if (!both_plain(race) || race.earlier.bytes != 1 || race.now.bytes != 1) {
        return false;
    }
    std::uint64_t changed[2] = {0, 0};
    for (std::size_t i = 0; i < race.steps.size() + 1; ++i) {
        const Access& step = i < race.steps.size() ? race.steps[i] : race.now;
        const std::uint64_t after = i + 1 < race.steps.size()    ? race.steps[i + 1].before
                                    : i + 1 == race.steps.size() ? race.now.before
                                                                 : race.after;
        if (step.kind == Access::write && !step.atomic) {
            if (step.slot == race.earlier.slot) {
                changed[0] |= race.value(step.before) ^ race.value(after);
            } else if (step.slot == race.now.slot) {
                changed[1] |= race.value(step.before) ^ race.value(after);
            }
        }
    }
    return changed[0] != 0 && changed[1] != 0 && (changed[0] & changed[1]) == 0;
}

bool forgets_block(const Race& race) {
    return same_thread_of_two_blocks(race) &&
           (one_line_writes_for_two_blocks(race) || forgets_block_in_update(race));
}

bool forgets_block_in_update(const Race& race) {
    return same_thread_of_two_blocks(race) && (race.lost != nullptr || is_update(race, true));
}

bool updates_in_steps(const Race& race) {
    return both_plain(race) && !race.has_signal && (race.lost != nullptr || is_update(race));
}

bool has_signal(const Race& race) {
    return race.has_signal;
}

bool lacks_scope_only(const Race& race) {
    const Assume& lacks = race.missing.order;
    return race.has_signal && lacks.device && !lacks.release && !lacks.acquire;
}

bool lacks_order(const Race& race) {
    return race.has_signal && !(same_block(race) && is_shared(race.offset));
}

bool lacks_own_release(const Race& race) {
    return race.missing.order.release && race.missing.signalling_thread == race.earlier.thread;
}

bool lacks_release_of_another(const Race& race) {
    return race.missing.order.release && !lacks_own_release(race);
}

bool lacks_own_acquire(const Race& race) {
    return race.missing.order.acquire && race.missing.answering_thread == race.now.thread &&
           !is_exchange(race.missing.answer);
}

bool lacks_acquire_of_exchange(const Race& race) {
    return race.missing.order.acquire && race.missing.answering_thread == race.now.thread &&
           is_exchange(race.missing.answer);
}

bool lacks_acquire_of_another(const Race& race) {
    return race.missing.order.acquire && race.missing.answering_thread != race.now.thread;
}

bool lacks_barrier_before_signal(const Race& race) {
    return race.missing.order.barrier && race.missing.signalling_thread != race.earlier.thread;
}

bool lacks_barrier_after_answer(const Race& race) {
    return race.missing.order.barrier && !lacks_barrier_before_signal(race);
}

bool lacks_device_scope(const Race& race) {
    return race.missing.order.device;
}

bool is_ordered_at_other_times(const Race& race) {
    return race.knows_more;
}

bool one_of_a_signal_is_atomic(const Race& race) {
    return is_signal(race) && one_is_atomic(race) && !lacks_scope_only(race);
}

// Also if both are plain, as those that give back a lock.
bool writes_beside_atomics(const Race& race) {
    const auto is_atomic_write = [](const Access& step) {
        return step.atomic && step.kind != Access::read;
    };
    const bool among_atomics =
        one_is_atomic(race) || (both_plain(race) && race.earlier.kind == Access::write &&
                                std::any_of(race.steps.begin(), race.steps.end(), is_atomic_write));
    return among_atomics && !is_shared(race.offset) && plain_one(race).kind == Access::write;
}

bool reads_beside_atomics(const Race& race) {
    return one_is_atomic(race) && !is_shared(race.offset);
}

bool is_copy(const Race& race) {
    return same_block(race) && (race.earlier.by_copy || race.now.by_copy);
}

bool meets_in_object(const Race& race) {
    return same_block(race) && has_barrier_object();
}

bool write_same_value(const Race& race) {
    return both_write(race) && written_first(race) == race.value(race.after);
}

bool one_line_writes(const Race& race) {
    return both_write(race) && race.earlier.where == race.now.where;
}

bool two_of_one_block_write(const Race& race) {
    return both_write(race) && same_block(race);
}

bool two_lines_write(const Race& race) {
    return both_write(race) && !one_line_writes(race) && !same_block(race) &&
           !write_same_value(race) && !change_different_bits(race) && !forgets_block(race) &&
           !updates_in_steps(race);
}

bool same_block(const Race& race) {
    return race.earlier.block == race.now.block;
}

bool one_warp(const Race& race) {
    return same_block(race) && race.earlier.thread / 32 == race.now.thread / 32;
}

bool one_warp_block(const Race& race) {
    return same_block(race) && launched->block.x * launched->block.y * launched->block.z <= 32;
}

}  // namespace cpu_device::race
