// Variant 4: one atomicAdd per block. The threads of a block first count themselves.
//
// Source of the idea: Adinetz, "Warp-aggregated atomics", NVIDIA developer blog, 2014; here for a
// block.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

#include "common/error.cuh"
#include "common/launch.cuh"

// Parameters: see count_atomic_add.
//
// The threads with i < n are the first ones of their block, so thread t has t of them before it.
// Where threads anywhere in the block may be left out, a scan would count them
// (common/block_scan.cuh).
__global__ void count_block_aggregated(int* d_x, std::size_t n, int* d_olds) {
    __shared__ int s_base;
    const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    const int adding = __syncthreads_count(i < n);
    if (threadIdx.x == 0) {
        s_base = atomicAdd(d_x, adding);
    }
    __syncthreads();  // the block's old value is there before its threads read it
    if (i < n) {
        d_olds[i] = s_base + static_cast<int>(threadIdx.x);
    }
}

inline void launch_block_aggregated_add(int* d_x, std::size_t n, int* d_olds, int block_size) {
    CHECK(cudaMemsetAsync(d_x, 0, sizeof(int)));
    const int grid_size = common::blocks_to_cover(n, block_size);
    count_block_aggregated<<<grid_size, block_size>>>(d_x, n, d_olds);
    CHECK_LAUNCH();
}
