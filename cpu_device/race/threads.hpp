// The threads take turns, one step at a time: every access to global or shared memory is a possible
// change of the running thread.
#pragma once

#include "race/plan.hpp"
#include "race/run.hpp"

namespace cpu_device::race {

// Another thread of any block may run here, by the schedule's choice; `address`: of the access that
// comes next, if any; `frame`: where the stack of the kernel's own functions begins.
void may_switch(const volatile void* address = nullptr, const void* frame = nullptr);
// The running thread has written.
void note_progress();
// It has read a word and found nothing new: who only polls backs off.
void note_failed_poll(const volatile void* address, Place place);
void back_off(Place place);

// The running thread, which calls a function of kernels; the program ends if that is host code.
Thread& caller(const char* what, const char* file, int line);
// The running thread waits for others, or has put itself among those that can run.
void wait_for_turn();
// A thread that has waited can run. `learns`: it has been given something of other threads.
void wake(ResidentBlock& block, unsigned thread, bool learns);
// Makes another thread the running one. False when all have ended.
bool choose();
// Sets the variables that the running thread sees (threadIdx, ...).
void restore();
// Runs the chosen thread; returns when the calling one is chosen again.
void switch_to_chosen();

}  // namespace cpu_device::race
