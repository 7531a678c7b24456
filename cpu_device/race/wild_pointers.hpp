// Accesses to addresses that are no checked memory: a thread's own stack, or nothing at all.
#pragma once

#include "race/where.hpp"

namespace cpu_device::race {

// From here on an access of this OS thread to an address without memory is a report.
void catch_wild_pointers();
// An address that is not checked: ends the program if it is that of no memory at all.
void check_pointer(const volatile void* address, Where where);

}  // namespace cpu_device::race
