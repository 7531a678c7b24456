// Copies that a thread has begun (memcpy_async).
#pragma once

#include "race/resident_block.hpp"

namespace cpu_device::race {

// A thread of the block ends: has it waited for all that it has begun?
void check_copies(const ResidentBlock& block, unsigned thread);

}  // namespace cpu_device::race
