// For graders: what a strange program may access in the process that checks it.
#pragma once

#include <cstddef>

#include "race/where.hpp"

namespace cpu_device::race {

extern bool confined;  // by confine() of race.h

// Ends the program with a report if the confined code, when it is the caller, must not access these
// bytes. `frame`: __builtin_frame_address(0) of the function that the source has called.
void check_confined(const volatile void* address, std::size_t bytes, bool write, void* const* frame,
                    Where where);
// Ends the program if the confined code is the caller: it is about to use an index that its array
// does not have. Prints the reports, or says so where there is none, as on the host.
void end_confined(void* const* frame, Where where);
// A kernel begins: what its launch has captured lies on the stack of the host, and may be read too.
// `frame`: as above, of the function that launches.
void confined_launch(void* const* frame);
// Fills the stack below the caller with a pattern, farther than a launch goes: what its functions
// have left there would tell the source what the threads have done.
void wipe_stack();
// The same on the stack of a thread that begins, down to `lowest`: earlier threads had it.
void wipe_thread_stack(const void* lowest);

}  // namespace cpu_device::race
