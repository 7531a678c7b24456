// Variant 1: every thread adds 1 to the one word by atomicAdd, and keeps the old value.
//
// Source of the idea: Numba tutorial, part 4, example 4.2; ECE408, lecture 18.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

#include "../common/error.cuh"
#include "../common/launch.cuh"

// d_x: one word, 0 before the launch; n after it. d_olds: n words, the old value that each thread
// was given: 0, 1, ..., n - 1 in some order. One thread per element of d_olds.
//
// atomicAdd reads the word, adds, and writes, as one step. Threads that come at the same time are
// served one after the other, in no particular order.
__global__ void count_atomic_add(int* d_x, std::size_t n, int* d_olds) {
    const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (i < n) {
        d_olds[i] = atomicAdd(d_x, 1);
    }
}

inline void launch_atomic_add(int* d_x, std::size_t n, int* d_olds, int block_size) {
    CHECK(cudaMemsetAsync(d_x, 0, sizeof(int)));  // atomicAdd adds to what is there
    const int grid_size = common::blocks_to_cover(n, block_size);
    count_atomic_add<<<grid_size, block_size>>>(d_x, n, d_olds);
    CHECK_LAUNCH();
}
