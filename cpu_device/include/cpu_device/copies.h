// Copies that a GPU makes while the thread goes on. On the CPU device they are made at once; in
// race mode at a moment until the thread waits for them, as by threads of their own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "cpu_device/copies_of_thread.h"
#include "cpu_device/runtime.h"

namespace cpu_device {

#ifdef CPU_DEVICE_RACE
// `barrier`: on which the copy counts; null: none.
void begin_copy(const void* barrier, std::function<void()> copy, Place place);
// The threads of this block meet in a cuda::barrier: its count of phases, for which they wait, how
// many are still to arrive, and how many it expects.
void meet_in_object(const std::uint32_t* phase, const std::uint32_t* left,
                    const std::uint32_t* expected);
// This thread arrives at the barrier: its copies that count on it belong to this phase.
void copies_arrive(const void* barrier, std::uint32_t phase);
// The thread has waited for that phase.
void phase_has_ended(const void* barrier, std::uint32_t phase);
#else
template <typename Copy>
void begin_copy(const void*, const Copy& copy, Place) {
    copy();
}
inline void meet_in_object(const std::uint32_t*, const std::uint32_t*, const std::uint32_t*) {}
inline void copies_arrive(const void*, std::uint32_t) {}
inline void phase_has_ended(const void*, std::uint32_t) {}
#endif

}  // namespace cpu_device
