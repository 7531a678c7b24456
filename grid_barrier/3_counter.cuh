// Variant 3: a barrier for the whole grid: one counter in global memory, which goes on counting.
//
// Source of the question: ECE408, lecture 18.
#pragma once

#include <cuda_runtime.h>

#include <cuda/atomic>

#include "../common/error.cuh"
#include "plate.cuh"
#include "resident.cuh"

// Waits until all blocks have come: until *d_arrived is `goal`, so many rounds times gridDim.x.
//
// The first __syncthreads() puts all that the block has written before the arrival of thread 0,
// whose release passes it on to the other blocks. The last one puts the acquire of thread 0 before
// all that the block reads next.
__device__ inline void counter_barrier(unsigned* d_arrived, unsigned goal) {
    __syncthreads();
    if (threadIdx.x == 0) {
        cuda::atomic_ref<unsigned, cuda::thread_scope_device> arrived(*d_arrived);
        arrived.fetch_add(1, cuda::memory_order_release);
        while (static_cast<int>(arrived.load(cuda::memory_order_acquire) - goal) < 0) {
        }
    }
    __syncthreads();
}

// d_arrived: one word, 0 before the launch. All blocks must be resident at one time.
__global__ void heat_counter(Plate plate, int steps, unsigned* d_arrived) {
    for (int step = 1; step <= steps; ++step) {
        update_cells(plate);
        counter_barrier(d_arrived, step * gridDim.x);
        swap_plates(plate);
    }
}

// A cooperative launch starts all blocks together, or fails (cudaErrorCooperativeLaunchTooLarge).
// An ordinary launch promises neither. It takes the addresses of the kernel's arguments. grid_size:
// 0 lets the launcher choose, as for all launchers of this chapter.
inline void launch_counter(Plate plate, int steps, unsigned* d_arrived, int block_size,
                           int grid_size) {
    CHECK(cudaMemsetAsync(d_arrived, 0, sizeof(unsigned)));
    grid_size = resident_blocks(heat_counter, plate.n, block_size, grid_size);
    void* arguments[] = {&plate, &steps, &d_arrived};
    CHECK(cudaLaunchCooperativeKernel(heat_counter, dim3(grid_size), dim3(block_size), arguments));
}
