// Accesses to addresses that are no checked memory: a thread's own stack, or nothing at all.
#pragma once

#include <cstdint>

#include "fiber.hpp"
#include "race/where.hpp"

namespace cpu_device::race {

// Is this a local variable of the thread that runs?
[[gnu::always_inline]] inline bool is_in_own_stack(const volatile void* address) {
    return reinterpret_cast<std::uintptr_t>(address) -
               reinterpret_cast<std::uintptr_t>(running_fiber->stack) <
           running_fiber->stack_bytes;
}

// From here on an access of this OS thread to an address without memory is a report.
void catch_wild_pointers();
// The running thread uses an address that is not checked: ends the program if there is no memory.
// `writes`: a plain store, which may change what other threads wait for.
void check_pointer(const volatile void* address, bool writes, Where where);

}  // namespace cpu_device::race
