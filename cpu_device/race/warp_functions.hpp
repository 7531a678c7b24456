// Functions in which the lanes of a warp meet.
#pragma once

#include "race/run.hpp"

namespace cpu_device::race {

// A thread of the block has ended: the other lanes of its warp do not wait for it any more.
void leave_warp(ResidentBlock& block, unsigned thread);

}  // namespace cpu_device::race
