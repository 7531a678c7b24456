// Copies that a thread has begun (memcpy_async).
#pragma once

#include <cstdint>

#include "race/resident_block.hpp"

namespace cpu_device::race {

// A thread of the block ends: has it waited for all that it has begun?
void check_copies(const ResidentBlock& block, unsigned thread);

// A cuda::barrier in which threads have met.
struct BarrierObject {
    const std::uint32_t *left, *expected;  // still to arrive in this phase, of how many
};
// The one whose phases are counted there; null if there is none.
const BarrierObject* barrier_with_phase(const void* phase);
void forget_barriers();  // a launch begins

}  // namespace cpu_device::race
