// Variant 4: the counter goes back to 0 in each round, and a flag that changes its sense from round
// to round lets the blocks go on.
//
// Source of the idea: Mellor-Crummey and Scott, Algorithms for Scalable Synchronization on
// Shared-Memory Multiprocessors.
#pragma once

#include <cuda_runtime.h>

#include <cuda/atomic>

#include "common/error.cuh"
#include "grid_barrier/plate.cuh"
#include "grid_barrier/resident.cuh"

// Both words 0 before the launch.
struct SenseBarrier {
    unsigned arrived;  // blocks that have come in this round
    unsigned sense;    // 1 after the first round, 0 after the second, and so on
};

// Waits until all blocks have come in the round that ends with `sense`. The last one to come puts
// the counter back before it turns the flag: who sees the flag finds the counter ready for the next
// round. The blocks that wait read a word that changes once per round, and not at each arrival.
__device__ inline void sense_barrier(SenseBarrier* d_barrier, unsigned sense) {
    __syncthreads();
    if (threadIdx.x == 0) {
        cuda::atomic_ref<unsigned, cuda::thread_scope_device> arrived(d_barrier->arrived);
        cuda::atomic_ref<unsigned, cuda::thread_scope_device> flag(d_barrier->sense);
        if (arrived.fetch_add(1, cuda::memory_order_acq_rel) == gridDim.x - 1) {
            arrived.store(0, cuda::memory_order_relaxed);
            flag.store(sense, cuda::memory_order_release);
        } else {
            while (flag.load(cuda::memory_order_acquire) != sense) {
            }
        }
    }
    __syncthreads();
}

__global__ void heat_sense_reversal(Plate plate, int steps, SenseBarrier* d_barrier) {
    for (int step = 1; step <= steps; ++step) {
        update_cells(plate);
        sense_barrier(d_barrier, step % 2);
        swap_plates(plate);
    }
}

inline void launch_sense_reversal(Plate plate, int steps, SenseBarrier* d_barrier, int block_size,
                                  int grid_size) {
    CHECK(cudaMemsetAsync(d_barrier, 0, sizeof(SenseBarrier)));
    grid_size = resident_blocks(heat_sense_reversal, plate.n, block_size, grid_size);
    void* arguments[] = {&plate, &steps, &d_barrier};
    CHECK(cudaLaunchCooperativeKernel(heat_sense_reversal, dim3(grid_size), dim3(block_size),
                                      arguments));
}
