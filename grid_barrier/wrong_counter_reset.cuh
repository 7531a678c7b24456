// Wrong on purpose: block 0 puts the counter back to 0 as soon as it has seen all blocks come. A
// block that is slow looks after that, finds 0, and waits for a full counter that never comes: it
// cannot count in the next round, since it is still in this one.
#pragma once

#include <cuda_runtime.h>

#include <cuda/atomic>

#include "common/error.cuh"
#include "grid_barrier/plate.cuh"
#include "grid_barrier/resident.cuh"

__device__ inline void counter_reset_barrier(unsigned* d_arrived) {
    __syncthreads();
    if (threadIdx.x == 0) {
        cuda::atomic_ref<unsigned, cuda::thread_scope_device> arrived(*d_arrived);
        arrived.fetch_add(1, cuda::memory_order_release);
        while (arrived.load(cuda::memory_order_acquire) != gridDim.x) {
        }
        if (blockIdx.x == 0) {
            arrived.store(0, cuda::memory_order_release);  // wrong: counter_reset
        }
    }
    __syncthreads();
}

__global__ void heat_counter_reset(Plate plate, int steps, unsigned* d_arrived) {
    for (int step = 1; step <= steps; ++step) {
        update_cells(plate);
        counter_reset_barrier(d_arrived);
        swap_plates(plate);
    }
}

inline void launch_counter_reset(Plate plate, int steps, unsigned* d_arrived, int block_size,
                                 int grid_size) {
    CHECK(cudaMemsetAsync(d_arrived, 0, sizeof(unsigned)));
    grid_size = resident_blocks(heat_counter_reset, plate.n, block_size, grid_size);
    void* arguments[] = {&plate, &steps, &d_arrived};
    CHECK(cudaLaunchCooperativeKernel(heat_counter_reset, dim3(grid_size), dim3(block_size),
                                      arguments));
}
