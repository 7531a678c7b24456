// The block's barrier.
#pragma once

#include "race/run.hpp"

namespace cpu_device::race {

// A thread of the block has ended: those that wait may all be there, and it must have passed each
// barrier as often as the others.
void check_barriers_passed(ResidentBlock& block, unsigned thread);
void barrier_without(ResidentBlock& block);

}  // namespace cpu_device::race
