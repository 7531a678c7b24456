// Variant 5: no lock. A lock can guard anything; for one addition there is an atomic function.
//
// Source of the idea: Fan, CUDA Programming, section 9.1.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

#include "../common/error.cuh"
#include "block_dot.cuh"

// No block waits: the memory system does the additions one after the other while the blocks go on.
//
// d_a, d_b: n numbers each. d_dot: one word, 0 before the launch. blockDim.x words of dynamic
// shared memory.
template <typename T>
__global__ void dot_atomic_add(const T* d_a, const T* d_b, std::size_t n, T* d_dot) {
    const T sum = block_dot(d_a, d_b, n);
    if (threadIdx.x == 0) {
        atomicAdd(d_dot, sum);
    }
}

template <typename T>
void launch_atomic_add(const T* d_a, const T* d_b, std::size_t n, T* d_dot, int block_size) {
    CHECK(cudaMemsetAsync(d_dot, 0, sizeof(T)));
    const int grid_size = dot_blocks(n, block_size);
    dot_atomic_add<<<grid_size, block_size, block_size * sizeof(T)>>>(d_a, d_b, n, d_dot);
    CHECK_LAUNCH();
}
