// Poison: before a checked run every byte of the output is overwritten, so that no variant passes
// by what an earlier run has left.
#pragma once

#include "common/device_array.cuh"

#ifdef CPU_DEVICE_RACE
#include "cpu_device/race.h"
#endif

namespace harness {

// As an integer or a floating-point number of any width, a word of these bytes is large, finite and
// unlike any right answer.
constexpr int poison_byte = 0x7b;

// Fills the array with poison_byte. For race mode its elements are unwritten again: to read one
// before it is written is an error.
template <typename T>
void poison(common::DeviceArray<T>& array) {
    array.fill_bytes(poison_byte);
#ifdef CPU_DEVICE_RACE
    cpu_device::race::forget_writes(array.data(), array.bytes());
#endif
}

}  // namespace harness
