// Race mode: memcpy and its kin are library calls, which the compiler cannot instrument. Sources
// that are checked call the runtime's in their place, also where they say std::memcpy.
#pragma once

#include <string.h>

#define CPU_DEVICE_CALLS(symbol) __asm__(#symbol)
extern "C" {
void* memcpy(void* to, const void* from, size_t bytes) noexcept
    CPU_DEVICE_CALLS(cpu_device_memmove);
void* memmove(void* to, const void* from, size_t bytes) noexcept
    CPU_DEVICE_CALLS(cpu_device_memmove);
void* memset(void* to, int byte, size_t bytes) noexcept CPU_DEVICE_CALLS(cpu_device_memset);
}
#undef CPU_DEVICE_CALLS
