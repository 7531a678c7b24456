// Wrong on purpose: the kernel of 3_counter.cuh, which is right, with five times as many blocks as
// the device holds, and an ordinary launch, which does not mind. The blocks that are there keep
// their places and wait for the others. These start when some of the first have ended, so they
// never start.
#pragma once

#include <cuda_runtime.h>

#include "common/error.cuh"
#include "grid_barrier/3_counter.cuh"
#include "grid_barrier/plate.cuh"
#include "grid_barrier/resident.cuh"

inline void launch_too_many_blocks(Plate plate, int steps, unsigned* d_arrived, int block_size) {
    CHECK(cudaMemsetAsync(d_arrived, 0, sizeof(unsigned)));
    const int grid_size = 5 * max_resident_blocks(heat_counter, block_size);
    heat_counter<<<grid_size, block_size>>>(plate, steps, d_arrived);  // wrong: too_many_blocks
    CHECK_LAUNCH();
}
