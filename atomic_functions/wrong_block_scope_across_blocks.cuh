// Wrong on purpose: atomicAdd_block is one step for the threads of one block only, and here other
// blocks add to the same word. A GPU may well give the right result all the same, until it keeps
// the word in a cache of its own multiprocessor.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

#include "common/error.cuh"
#include "common/launch.cuh"

// Parameters: see count_atomic_add.
__global__ void count_block_scope(int* d_x, std::size_t n, int* d_olds) {
    const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (i < n) {
        d_olds[i] = atomicAdd_block(d_x, 1);  // race: block_scope_across_blocks
    }
}

inline void launch_block_scope_across_blocks(int* d_x, std::size_t n, int* d_olds, int block_size) {
    CHECK(cudaMemsetAsync(d_x, 0, sizeof(int)));
    const int grid_size = common::blocks_to_cover(n, block_size);
    count_block_scope<<<grid_size, block_size>>>(d_x, n, d_olds);
    CHECK_LAUNCH();
}
