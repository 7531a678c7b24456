// Wrong on purpose: 3_counter.cuh without the first __syncthreads(). Thread 0 has both fences, but
// a fence orders only what its own thread has done or seen. The other threads of the block may
// still be at their cells when thread 0 reports the whole block.
#pragma once

#include <cuda_runtime.h>

#include "common/error.cuh"
#include "grid_barrier/plate.cuh"
#include "grid_barrier/resident.cuh"

__device__ inline void thread_0_only_barrier(unsigned* d_arrived, unsigned goal) {
    if (threadIdx.x == 0) {
        __threadfence();
        atomicAdd(d_arrived, 1u);
        while (static_cast<int>(atomicAdd(d_arrived, 0u) - goal) < 0) {
        }
        __threadfence();
    }
    __syncthreads();
}

__global__ void heat_thread_0_only(Plate plate, int steps, unsigned* d_arrived) {
    const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
    for (int step = 1; step <= steps; ++step) {
        for (std::size_t cell = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; cell < plate.n;
             cell += stride) {
            const float after = next_temperature(plate.d_now, cell, plate.n, plate.columns);
            plate.d_next[cell] = after;  // race: thread_0_only
        }
        thread_0_only_barrier(d_arrived, step * gridDim.x);
        swap_plates(plate);
    }
}

inline void launch_thread_0_only(Plate plate, int steps, unsigned* d_arrived, int block_size,
                                 int grid_size) {
    CHECK(cudaMemsetAsync(d_arrived, 0, sizeof(unsigned)));
    grid_size = resident_blocks(heat_thread_0_only, plate.n, block_size, grid_size);
    void* arguments[] = {&plate, &steps, &d_arrived};
    CHECK(cudaLaunchCooperativeKernel(heat_thread_0_only, dim3(grid_size), dim3(block_size),
                                      arguments));
}
