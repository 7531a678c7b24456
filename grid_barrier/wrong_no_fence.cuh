// Wrong on purpose: 3_counter.cuh with atomics that order nothing, and no fence. All blocks come
// before any goes on, and still a block may read temperatures of the step before: nothing says that
// the new ones have arrived when the counter has.
#pragma once

#include <cuda_runtime.h>

#include "common/error.cuh"
#include "grid_barrier/plate.cuh"
#include "grid_barrier/resident.cuh"

__device__ inline void no_fence_barrier(unsigned* d_arrived, unsigned goal) {
    __syncthreads();
    if (threadIdx.x == 0) {
        atomicAdd(d_arrived, 1u);
        while (static_cast<int>(atomicAdd(d_arrived, 0u) - goal) < 0) {
        }
    }
    __syncthreads();
}

__global__ void heat_no_fence(Plate plate, int steps, unsigned* d_arrived) {
    const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
    for (int step = 1; step <= steps; ++step) {
        for (std::size_t cell = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; cell < plate.n;
             cell += stride) {
            const float after = next_temperature(plate.d_now, cell, plate.n, plate.columns);
            plate.d_next[cell] = after;  // race: no_fence
        }
        no_fence_barrier(d_arrived, step * gridDim.x);
        swap_plates(plate);
    }
}

inline void launch_no_fence(Plate plate, int steps, unsigned* d_arrived, int block_size,
                            int grid_size) {
    CHECK(cudaMemsetAsync(d_arrived, 0, sizeof(unsigned)));
    grid_size = resident_blocks(heat_no_fence, plate.n, block_size, grid_size);
    void* arguments[] = {&plate, &steps, &d_arrived};
    CHECK(cudaLaunchCooperativeKernel(heat_no_fence, dim3(grid_size), dim3(block_size), arguments));
}
