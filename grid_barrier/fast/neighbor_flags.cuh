// No barrier: a block waits only for the two blocks whose cells it needs.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <cuda/atomic>

#include "common/error.cuh"
#include "grid_barrier/plate.cuh"
#include "grid_barrier/resident.cuh"

// The steps that a block has done. 128 bytes apart, since each has another writer.
struct alignas(128) StepsDone {
    unsigned steps;
};

// Each block has a piece of the plate, `piece` cells in a row, at least one row of the plate. So
// the neighbors of its cells are in its own piece, in the one before, and in the one after. Before
// a step it waits until the blocks of these two have done as many steps as itself. That is enough
// for both directions: what it reads is there, and what it writes over, those two have read.
//
// d_done: gridDim.x elements, 0 before the launch. All blocks must be resident at one time.
__global__ void heat_neighbor_flags(Plate plate, int steps, std::size_t piece, StepsDone* d_done) {
    const std::size_t begin = min(plate.n, blockIdx.x * piece);
    const std::size_t end = min(plate.n, begin + piece);
    for (unsigned step = 1; step <= static_cast<unsigned>(steps); ++step) {
        // Two threads wait, one for each neighbor; where a block has only one, that waits for
        // both.
        for (unsigned side = threadIdx.x; side < 2; side += blockDim.x) {
            const unsigned neighbor = side == 0 ? blockIdx.x - 1 : blockIdx.x + 1;
            if (neighbor < gridDim.x) {  // block 0 has none before it: 0 - 1 is no block
                cuda::atomic_ref<unsigned, cuda::thread_scope_device> done(d_done[neighbor].steps);
                while (done.load(cuda::memory_order_acquire) < step - 1) {
                }
            }
        }
        __syncthreads();
        for (std::size_t cell = begin + threadIdx.x; cell < end; cell += blockDim.x) {
            plate.d_next[cell] = next_temperature(plate.d_now, cell, plate.n, plate.columns);
        }
        __syncthreads();
        if (threadIdx.x == 0) {
            cuda::atomic_ref<unsigned, cuda::thread_scope_device> done(d_done[blockIdx.x].steps);
            done.store(step, cuda::memory_order_release);
        }
        swap_plates(plate);
    }
}

// d_done: grid_size elements. grid_size: not 0. Where the pieces of so many blocks would be smaller
// than a row, the last blocks have none.
inline void launch_neighbor_flags(Plate plate, int steps, StepsDone* d_done, int block_size,
                                  int grid_size) {
    grid_size = resident_blocks(heat_neighbor_flags, plate.n, block_size, grid_size);
    const auto blocks = static_cast<std::size_t>(grid_size);
    std::size_t piece = std::max(plate.columns, (plate.n + blocks - 1) / blocks);
    CHECK(cudaMemsetAsync(d_done, 0, blocks * sizeof(StepsDone)));
    void* arguments[] = {&plate, &steps, &piece, &d_done};
    CHECK(cudaLaunchCooperativeKernel(heat_neighbor_flags, dim3(grid_size), dim3(block_size),
                                      arguments));
}
