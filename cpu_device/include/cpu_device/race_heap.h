// Race mode: what malloc and new give in a kernel is memory of the device, which is checked.
// Sources that are checked call the runtime's functions in their place, also where they say
// std::malloc; in host code these do what the library does.
#pragma once

#include <stdlib.h>

#include <cstddef>
#include <new>

#define CPU_DEVICE_CALLS(symbol) __asm__(#symbol)
extern "C" {
void* malloc(size_t bytes) noexcept CPU_DEVICE_CALLS(cpu_device_malloc);
void free(void* memory) noexcept CPU_DEVICE_CALLS(cpu_device_free);
}
void* operator new(std::size_t bytes) CPU_DEVICE_CALLS(_ZN10cpu_devicenwEm);
void* operator new[](std::size_t bytes) CPU_DEVICE_CALLS(_ZN10cpu_devicenaEm);
void operator delete(void* memory) noexcept CPU_DEVICE_CALLS(_ZN10cpu_devicedlEPv);
void operator delete[](void* memory) noexcept CPU_DEVICE_CALLS(_ZN10cpu_devicedaEPv);
void operator delete(void* memory, std::size_t bytes) noexcept
    CPU_DEVICE_CALLS(_ZN10cpu_devicedlEPvm);
void operator delete[](void* memory, std::size_t bytes) noexcept
    CPU_DEVICE_CALLS(_ZN10cpu_devicedaEPvm);
#undef CPU_DEVICE_CALLS
