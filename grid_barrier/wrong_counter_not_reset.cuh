// Wrong on purpose: a counter for one round, used for many. From the second round on it is at
// gridDim.x or above already, and no one waits.
#pragma once

#include <cuda_runtime.h>

#include <cuda/atomic>

#include "common/error.cuh"
#include "grid_barrier/plate.cuh"
#include "grid_barrier/resident.cuh"

__device__ inline void barrier_for_one_round(unsigned* d_arrived) {
    __syncthreads();
    if (threadIdx.x == 0) {
        cuda::atomic_ref<unsigned, cuda::thread_scope_device> arrived(*d_arrived);
        arrived.fetch_add(1, cuda::memory_order_release);
        while (arrived.load(cuda::memory_order_acquire) < gridDim.x) {
        }
    }
    __syncthreads();
}

__global__ void heat_counter_not_reset(Plate plate, int steps, unsigned* d_arrived) {
    const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
    for (int step = 1; step <= steps; ++step) {
        for (std::size_t cell = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; cell < plate.n;
             cell += stride) {
            const float after = next_temperature(plate.d_now, cell, plate.n, plate.columns);
            plate.d_next[cell] = after;  // race: counter_not_reset
        }
        barrier_for_one_round(d_arrived);
        swap_plates(plate);
    }
}

inline void launch_counter_not_reset(Plate plate, int steps, unsigned* d_arrived, int block_size,
                                     int grid_size) {
    CHECK(cudaMemsetAsync(d_arrived, 0, sizeof(unsigned)));
    grid_size = resident_blocks(heat_counter_not_reset, plate.n, block_size, grid_size);
    void* arguments[] = {&plate, &steps, &d_arrived};
    CHECK(cudaLaunchCooperativeKernel(heat_counter_not_reset, dim3(grid_size), dim3(block_size),
                                      arguments));
}
