// Wrong on purpose: 2_mutex.cuh without the lock. A block that reads *d_dot between another block's
// read and its write undoes that block's addition.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

#include "common/error.cuh"
#include "mutex_dot/block_dot.cuh"

template <typename T>
__global__ void dot_no_mutex(const T* d_a, const T* d_b, std::size_t n, T* d_dot) {
    const T sum = block_dot(d_a, d_b, n);
    if (threadIdx.x == 0) {
        *d_dot += sum;  // race: no_mutex
    }
}

template <typename T>
void launch_no_mutex(const T* d_a, const T* d_b, std::size_t n, T* d_dot, int block_size) {
    CHECK(cudaMemsetAsync(d_dot, 0, sizeof(T)));
    const int grid_size = dot_blocks(n, block_size);
    dot_no_mutex<<<grid_size, block_size, block_size * sizeof(T)>>>(d_a, d_b, n, d_dot);
    CHECK_LAUNCH();
}
