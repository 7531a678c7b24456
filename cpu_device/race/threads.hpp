// The threads take turns, one step at a time: every access to global or shared memory is a possible
// change of the running thread.
#pragma once

#include "race/copies.hpp"
#include "race/old_values.hpp"
#include "race/plan.hpp"
#include "race/report.hpp"
#include "race/report_memory.hpp"
#include "race/run.hpp"

namespace cpu_device::race {

// The running thread waits for others, or has put itself among those that can run.
void wait_for_turn();
// Another thread of any block may run here, by the schedule's choice; `address`: of the access that
// comes next, if any; `frame`: where the stack of the kernel's own functions begins.
void may_switch(const volatile void* address = nullptr, const void* frame = nullptr,
                NextStep next = NextStep::other);
// The same before a plain access, in little time where nothing but the schedule has a say.
[[gnu::always_inline]] inline void may_switch_before_access(const volatile void* address,
                                                            const void* frame) {
    look_at_stored_value();
    if (report_is_unfinished || access_is_open || copies_to_make > 0 || makes_copy ||
        !run.spins.counts_quickly()) {
        may_switch(address, frame, NextStep::plain_access);
        return;
    }
    run.schedule.count_access();
    if (run.schedule.preempts(run.now, NextStep::plain_access)) {
        wait_for_turn();
    }
}
// The running thread has written.
inline void note_progress() {
    run.schedule.note_progress();
    run.now.polling().word = 0;
}
// It has read a word and found nothing new: who only polls backs off.
void note_failed_poll(const volatile void* address, Place place);
void back_off(Place place);

// The running thread, which calls a function of kernels; the program ends if that is host code.
Thread& caller(const char* what, const char* file, int line);
// A thread that has waited can run. `learns`: it has been given something of other threads.
void wake(ResidentBlock& block, unsigned thread, bool learns);
// Makes another thread the running one. False when all have ended.
bool choose();
// Sets the variables that the running thread sees (threadIdx, ...).
void restore();
// Runs the chosen thread; returns when the calling one is chosen again.
void switch_to_chosen();

}  // namespace cpu_device::race
