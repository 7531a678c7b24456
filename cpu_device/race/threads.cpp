#include "race/threads.hpp"

#include <algorithm>

#include "race/blocks.hpp"
#include "race/copies.hpp"
#include "race/old_values.hpp"
#include "race/report.hpp"
#include "race/stuck.hpp"
#include "race/turns.hpp"

__thread uint3 threadIdx;
__thread uint3 blockIdx;
__thread dim3 blockDim;
__thread dim3 gridDim;

namespace cpu_device {

__thread unsigned multiprocessor_number;  // there is one
__thread std::uint64_t last_shared_address;
__thread SpinCount spin_count;

namespace race {
namespace {

// All threads that are in __activemask() wait: those of a warp at one line make a mask.
void complete_active_masks() {
    std::vector<ThreadRef>& waiting = run.launch->in_active_mask;
    for (const ThreadRef& one : waiting) {
        Thread& me = one.record();
        me.result = 0;
        for (const ThreadRef& other : waiting) {
            if (other.block == one.block && other.thread / 32 == one.thread / 32 &&
                same_line(other.record().place, me.place)) {
                me.result |= 1u << other.thread % 32;
            }
        }
    }
    for (const ThreadRef& one : waiting) {
        run.schedule.add_ready(one);
    }
    waiting.clear();
    run.spins.note_news();
}

std::size_t threads_alive() {
    std::size_t alive = 0;
    for (const auto& block : run.launch->resident) {
        alive += block->live;
    }
    return alive;
}

// All that can run wait in vain. Do they wait for blocks that have not started, and for which there
// is room? Then so many start.
bool make_room_for_blocks(std::size_t blocks) {
    Launch& launch = *run.launch;
    if (launch.next_block == launch.blocks || launch.resident_limit >= launch.max_resident) {
        return false;
    }
    launch.resident_limit = std::min(
        std::max(launch.resident_limit, launch.resident.size()) + blocks, launch.max_resident);
    run.schedule.forget_idle_turns();
    return true;
}

// The running thread and all others that can run repeat themselves, as SpinWatch has found.
void meet_endless_spin() {
    const bool all_repeat = run.spins.repeating_alone() > run.schedule.can_run() ||
                            run.spins.repeating() >= threads_alive();
    if (!all_repeat || copies_to_make > 0 || !run.spins.others_have_had_time()) {
        return;
    }
    if (!run.launch->in_active_mask.empty()) {
        complete_active_masks();
    } else if (!make_room_for_blocks(1)) {
        report_stuck("stuck.all that can run", true);
    }
    run.schedule.add_ready(run.now);
    wait_for_turn();
}

}  // namespace

bool choose() {
    finish_access();
    Launch& launch = *run.launch;
    Schedule& schedule = run.schedule;
    schedule.begin_turn();
    for (;;) {
        start_blocks();
        if (schedule.none_is_ready() && !launch.in_active_mask.empty()) {
            complete_active_masks();
        }
        if (schedule.none_can_run()) {
            if (!launch.resident.empty()) {
                report_stuck("stuck.none can go on", false);
            }
            return false;
        }
        if (plan != nullptr) {
            if (!schedule.take_planned(run.now)) {
                report_stuck("stuck.in vain", true);
            }
            return true;
        }
        if (schedule.draws_a_ready_thread()) {
            run.now = schedule.take_ready();
            return true;
        }
        if (schedule.none_is_ready()) {
            const std::uint64_t idle = schedule.count_idle_turn();
            const std::size_t polling = schedule.backing_off().size();
            if (idle > 4 * polling && make_room_for_blocks(1)) {
                continue;
            }
        }
        run.now = schedule.take_backing_off();
        return true;
    }
}

void restore() {
    const Thread& me = run.now.record();
    running = &run.now.clocks();
    threadIdx = {me.index[0], me.index[1], me.index[2]};
    blockIdx = run.now.block->index;
}

void switch_to_chosen() {
    Thread& next = run.now.record();
    restore();
    if (next.fiber == nullptr) {
        next.fiber = &run.fibers->take();
        run.stacks[reinterpret_cast<std::uintptr_t>(next.fiber->stack)] = next.fiber;
    }
    if (next.fiber != running_fiber) {
        switch_to(*next.fiber);
    }
}

void wait_for_turn() {
    if (choose()) {
        switch_to_chosen();
    }
}

void wake(ResidentBlock& block, unsigned thread, bool learns) {
    if (learns) {
        run.spins.note_news();
    } else {
        run.spins.note_barrier();
    }
    block.threads[thread].state = State::running;
    if (&block != run.now.block || thread != run.now.thread) {
        run.schedule.add_ready({&block, thread});
    }
}

Thread& caller(const char* what, const char* file, int line) {
    if (running == nullptr) {
        fail("%s:%d: %s is called outside of a kernel", file, line, what);
    }
    finish_reports();
    finish_access();
    return run.now.record();
}

void back_off(Place place) {
    Thread& me = run.now.record();
    me.place = place;
    me.value = run.now.polling().word;
    run.schedule.back_off(run.now);
    wait_for_turn();
}

void note_failed_poll(const volatile void* address, Place place) {
    if (plan != nullptr) {
        plan->reads_in_vain(address);
        return;
    }
    Polling& polling = run.now.polling();
    polling.word = reinterpret_cast<std::uintptr_t>(address);
    polling.place = place;
    if (++polling.failed >= run.schedule.polls_allowed(run.now)) {
        polling.failed = 0;
        back_off(place);
    }
}

void may_switch(const volatile void* address, const void* frame, NextStep next) {
    finish_reports();
    finish_access();
    if (makes_copy) {
        return;
    }
    if (plan != nullptr) {
        if (address != nullptr && plan->stops_before(address)) {
            run.schedule.back_off(run.now);
            wait_for_turn();
        }
        return;
    }
    if (copies_to_make > 0 && run.schedule.draws_one_of(16)) {
        make_some_copy();
    }
    run.schedule.count_access();
    if (run.spins.repeats(run.now, address, frame, run.schedule.can_run() + 1)) {
        meet_endless_spin();
    }
    if (run.spins.seems_endless() && !run.schedule.ends_slowness() &&
        !make_room_for_blocks(run.launch->blocks)) {
        report_stuck("stuck.reads", true);
    }
    if (run.schedule.preempts(run.now, next)) {
        wait_for_turn();
    }
    if (turn_record != nullptr && address != nullptr) {
        turn_record->note(run.now.clocks().slot);
    }
}

}  // namespace race
}  // namespace cpu_device
