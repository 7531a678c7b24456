// Blocks start and end.
#pragma once

#include "race/run.hpp"

namespace cpu_device::race {

void start_blocks();  // as many as there is room for
void end_block(const ResidentBlock& block);
void release_shared_memory(const ResidentBlock& block);

}  // namespace cpu_device::race
