// Variant 1: a kernel for each step. The end of a kernel is a barrier for the whole grid.
#pragma once

#include <cuda_runtime.h>

#include "../common/error.cuh"
#include "../common/launch.cuh"
#include "plate.cuh"

__global__ void heat_step(Plate plate) {
    update_cells(plate);
}

// A kernel of a stream begins when the one before it has ended, and sees all that it has written.
inline void launch_kernel_per_step(Plate plate, int steps, int block_size) {
    const int grid_size = common::blocks_to_cover(plate.n, block_size);
    for (int step = 1; step <= steps; ++step) {
        heat_step<<<grid_size, block_size>>>(plate);
        CHECK_LAUNCH();
        swap_plates(plate);
    }
}
