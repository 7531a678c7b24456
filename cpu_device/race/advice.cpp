#include "race/advice.hpp"

#include <algorithm>

#include "race/places.hpp"
#include "race/report_log.hpp"

namespace cpu_device::race {

// Do both threads read, change and write the element, one of them by the instructions of the other?
// Then putting them in order is not enough: the three steps have to be one.
bool is_update(const Race& race) {
    const bool now_writes = race.now.kind == Access::write;
    const Access& writer = now_writes ? race.now : race.earlier;
    const Access& other = now_writes ? race.earlier : race.now;
    const bool other_writes =
        other.kind == Access::write ||
        std::any_of(race.steps.begin(), race.steps.end(), [&](const Access& step) {
            return step.slot == other.slot && step.kind == Access::write && !step.atomic;
        });
    bool past_writer = now_writes;
    for (auto step = race.steps.rbegin(); step != race.steps.rend(); ++step) {
        if (past_writer && step->slot == writer.slot) {
            return step->kind == Access::read && !step->atomic && step->time == writer.time &&
                   other_writes && (other.where == step->where || other.where == writer.where);
        }
        past_writer = past_writer || (step->slot == writer.slot && step->where == writer.where);
    }
    return false;
}

// The writer's last two values: do the two threads change different bits of it?
bool change_different_bits(const Race& race) {
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

namespace {

// The same thread number of two blocks, and not that of a block's first thread, which may have a
// part of its own.
bool forgets_block(const Race& race) {
    return race.earlier.block != race.now.block && race.earlier.thread == race.now.thread &&
           race.now.thread != 0 &&
           std::all_of(race.steps.begin(), race.steps.end(), [&](const Access& step) {
               return step.thread == race.now.thread && !step.atomic;
           });
}

// What a lock or a flag between the two lacks.
std::string what_lacks(const Race& race, const Missing& missing) {
    std::string out = "The atomic at " + place_of(missing.signal) + " (" +
                      name_of(race.earlier.block, missing.signalling_thread) +
                      ") reaches the one at " + place_of(missing.answer) + "\n  (" +
                      name_of(race.now.block, missing.answering_thread) + ")";
    if (missing.answering_thread != race.now.thread && !missing.order.barrier) {
        out += ", and a barrier passes it on to thread " + std::to_string(race.now.thread);
    }
    out += ", but that orders the two accesses only if all of it is there. Missing:\n";
    constexpr const char* own_fence = "      A fence of another thread does not count.\n";
    if (missing.order.release && missing.signalling_thread == race.earlier.thread) {
        out +=
            "    a release by the first: a __threadfence() between its access and its atomic,\n"
            "      or memory_order_release for the atomic\n";
    } else if (missing.order.release) {
        out += "    a release by thread " + std::to_string(missing.signalling_thread) +
               ": a __threadfence() of its own between the barrier and\n" +
               "      its atomic, or memory_order_release for the atomic.\n" + own_fence;
    }
    if (missing.order.acquire && missing.answering_thread == race.now.thread) {
        out +=
            "    an acquire by the second: a __threadfence() between its atomic and its access,\n"
            "      or memory_order_acquire for the atomic\n";
    } else if (missing.order.acquire) {
        out += "    an acquire by thread " + std::to_string(missing.answering_thread) +
               ": a __threadfence() of its own between its atomic and\n" +
               "      the barrier, or memory_order_acquire for the atomic.\n" + own_fence;
    }
    if (missing.order.barrier) {
        const bool first = missing.signalling_thread != race.earlier.thread;
        out += "    a __syncthreads()";
        out += first ? " between the first access and the atomic of thread " +
                           std::to_string(missing.signalling_thread) +
                           ",\n      in the same block, and before that thread's own fence"
                     : " between the atomic of thread " + std::to_string(missing.answering_thread) +
                           " and the second access,\n      in the same block, and after that "
                           "thread's own fence";
        out += "\n";
    }
    if (missing.order.device) {
        out +=
            "    device scope: a fence or an atomic on the way is of a narrower scope, such as\n"
            "      __threadfence_block(), _block, thread_scope_block, thread_scope_thread\n";
    }
    out.pop_back();
    return out;
}

}  // namespace

void explain(Race& race, const Clocks& me) {
    const Access& a = race.earlier;
    const Access& b = race.now;
    race.kind = "DATA RACE";
    if (a.is_volatile && b.is_volatile) {
        race.kind = volatile_kind;
        race.advice =
            "Both are volatile: each access is made, in one piece, and nothing more. No fence\n"
            "  in this kernel orders them either, and the threads of a warp need not run in step.\n"
            "  A __syncwarp() between the two would order them, or a __syncthreads(); for a flag,\n"
            "  a fence on both sides of it.";
        return;
    }
    if (a.atomic && b.atomic) {
        if (a.bytes != b.bytes || a.mask != b.mask) {
            race.advice = "Both are atomic, but not of the same bytes.";
            return;
        }
        race.kind = "SCOPE TOO NARROW";
        race.advice =
            "Both are atomic, but one of the scopes does not include the other thread:\n"
            "  an atomic of block scope is one step for the threads of its own block only, and "
            "one\n"
            "  of thread scope for its own thread only. Device scope would do (without _block).";
        return;
    }
    Missing missing{};
    const bool has_signal =  // from one thread to another
        what_is_missing(a.slot, a.block, a.moment, me, missing) &&
        (a.block != b.block || missing.signalling_thread != missing.answering_thread);
    const bool scope_only =
        missing.order.device && !missing.order.release && !missing.order.acquire;
    const bool same_block = a.block == b.block;
    const Access& plain = a.atomic ? b : a;
    const auto one_warp = launched->block.x * launched->block.y * launched->block.z <= 32;
    if (!a.atomic && !b.atomic && forgets_block(race)) {
        race.advice = "Both are thread " + std::to_string(b.thread) +
                      " of their block. Does blockIdx.x stand in the index? As in\n"
                      "  i = blockIdx.x * blockDim.x + threadIdx.x";
        if (race.lost != nullptr || is_update(race)) {
            race.advice +=
                "\n  Or are all blocks to change this word? Then one atomic operation, such as\n"
                "  atomicAdd, must read, change and write it.";
        }
    } else if (!a.atomic && !b.atomic && !has_signal && (race.lost != nullptr || is_update(race))) {
        race.advice =
            "Reading, changing and writing the word are three steps, and other threads come in\n"
            "  between. One atomic operation such as atomicAdd makes them one step; a lock lets\n"
            "  one thread at a time do the three.";
    } else if (has_signal && (scope_only || !(same_block && is_shared(race.offset)))) {
        race.advice = what_lacks(race, missing);
        race.kind = scope_only ? "SCOPE TOO NARROW" : race.kind;
        if (a.atomic != b.atomic && !scope_only) {
            race.advice += std::string("\n  Only the ") + (a.atomic ? "first" : "second") +
                           " access is atomic. If the word itself is the lock, the flag or the\n"
                           "  counter, make the other access atomic too.";
        }
    } else if (a.atomic != b.atomic && !is_shared(race.offset) && plain.kind == Access::write) {
        race.advice =
            "The plain write wipes out what atomics of other threads have left, whenever it\n"
            "  comes. Set the start value before the launch; or make the write atomic too; or\n"
            "  let a launch lie between. A barrier orders the threads of one block only.";
    } else if (a.atomic != b.atomic && !is_shared(race.offset)) {
        race.advice =
            std::string("Only the ") + (a.atomic ? "first" : "second") +
            " access is atomic. Take the value that an atomic function has returned\n"
            "  instead of reading the word again; or make the other access atomic too, such as\n"
            "  atomicAdd(p, 0), which only reads, or a load of cuda::atomic_ref; or let a launch\n"
            "  lie between. A barrier orders the threads of one block only.";
    } else if (same_block) {
        race.advice =
            "Both are threads of one block: a __syncthreads() between the two accesses\n"
            "  would order them.";
        if (a.thread / 32 == b.thread / 32) {
            race.advice += std::string(" (Even in one warp threads need not run in step.") +
                           (one_warp ? "" : " If no other warp\n  uses this memory,") +
                           (one_warp ? " A\n  __syncwarp()" : " a __syncwarp()") +
                           " is enough; a shuffle or a vote is not.)";
        }
    } else {
        race.advice =
            "The threads are in different blocks, which nothing orders by itself. An atomic\n"
            "  flag with release and acquire, a lock, or two kernels, one after the other,\n"
            "  would order them.";
    }
    if (!a.atomic && !b.atomic && a.kind == Access::write && b.kind == Access::write &&
        !has_signal && race.lost == nullptr && !forgets_block(race)) {
        race.both_write = true;
    }
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

}  // namespace cpu_device::race
