// For tests alone: launches that run only their first and their last blocks. A grid that covers
// 2^32 elements would take minutes here, and an index that overflows shows in its last blocks.
#pragma once

#include <cstddef>

namespace cpu_device {

// From now on a launch of more than 2 * `count` blocks runs only its first and its last `count`
// ones. gridDim is that of the whole launch. 0: all blocks again. Race mode has no such call.
void run_only_first_and_last_blocks(std::size_t count);

}  // namespace cpu_device
