// Accesses to addresses that are no checked memory: a thread's own stack, or nothing at all.
#pragma once

#include "race/where.hpp"

namespace cpu_device::race {

// From here on an access of this OS thread to an address without memory is a report.
void catch_wild_pointers();
// The running thread uses an address that is not checked: ends the program if there is no memory.
// `writes`: a plain store, which may change what other threads wait for.
void check_pointer(const volatile void* address, bool writes, Where where);

}  // namespace cpu_device::race
