// Race mode: loads and stores with a cache hint, by the line that calls them. device_functions.h
// includes this file in place of its own definitions.
#pragma once

#include <cstddef>

#include "cpu_device/runtime.h"

namespace cpu_device {

namespace types {
enum class Hinted { load, store, read_only_load };
}  // namespace types

// Just before the access.
void hinted_access(const volatile void* address, std::size_t bytes, std::size_t alignment,
                   Hinted kind, Place place);

}  // namespace cpu_device

#define CPU_DEVICE_LOAD_AS(name, kind)                                                      \
    template <typename T>                                                                   \
    __attribute__((noinline, no_sanitize("thread", "alignment"))) T name(                   \
        const T* address, cpu_device::Place place = {}) {                                   \
        static_assert(__is_trivially_constructible(T, const T&),                            \
                      #name " copies bits: no function of the type can run");               \
        cpu_device::hinted_access(address, sizeof(T), alignof(T), cpu_device::Hinted::kind, \
                                  place);                                                   \
        return *address;                                                                    \
    }
#define CPU_DEVICE_LOAD(name) CPU_DEVICE_LOAD_AS(name, load)
#define CPU_DEVICE_STORE(name)                                                               \
    template <typename T>                                                                    \
    __attribute__((noinline, no_sanitize("thread", "alignment"))) void name(                 \
        T* address, T value, cpu_device::Place place = {}) {                                 \
        static_assert(__is_trivially_assignable(T&, T&),                                     \
                      #name " copies bits: no function of the type can run");                \
        cpu_device::hinted_access(address, sizeof(T), alignof(T), cpu_device::Hinted::store, \
                                  place);                                                    \
        *address = value;                                                                    \
    }
CPU_DEVICE_LOAD_AS(__ldg, read_only_load)
