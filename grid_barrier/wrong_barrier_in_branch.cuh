// Wrong on purpose: 3_counter.cuh where only threads that have a cell come to the barrier. The grid
// has one block more than the plate needs, which is no harm to other kernels. Here that block never
// comes, and all others wait for it.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

#include "common/error.cuh"
#include "common/launch.cuh"
#include "grid_barrier/3_counter.cuh"
#include "grid_barrier/plate.cuh"

__global__ void heat_barrier_in_branch(Plate plate, int steps, unsigned* d_arrived) {
    for (int step = 1; step <= steps; ++step) {
        if (std::size_t{blockIdx.x} * blockDim.x + threadIdx.x < plate.n) {
            update_cells(plate);
            counter_barrier(d_arrived, step * gridDim.x);  // wrong: barrier_in_branch
        }
        swap_plates(plate);
    }
}

inline void launch_barrier_in_branch(Plate plate, int steps, unsigned* d_arrived, int block_size) {
    CHECK(cudaMemsetAsync(d_arrived, 0, sizeof(unsigned)));
    const int grid_size = common::blocks_to_cover(plate.n, block_size) + 1;
    void* arguments[] = {&plate, &steps, &d_arrived};
    CHECK(cudaLaunchCooperativeKernel(heat_barrier_in_branch, dim3(grid_size), dim3(block_size),
                                      arguments));
}
