// Variant 1: every block stores its partial sum in a word of its own, and the host adds them up.
//
// Source of the idea: CUDA by Example, chapter 5.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

#include "common/error.cuh"
#include "mutex_dot/block_dot.cuh"

// d_a, d_b: n numbers each. d_partial: gridDim.x words. blockDim.x words of dynamic shared memory.
template <typename T>
__global__ void dot_partial(const T* d_a, const T* d_b, std::size_t n, T* d_partial) {
    const T sum = block_dot(d_a, d_b, n);
    if (threadIdx.x == 0) {
        d_partial[blockIdx.x] = sum;  // each block has a word of its own: nothing is shared
    }
}

// Returns the dot product. d_partial, h_partial: max_dot_blocks words on the device and the host.
template <typename T>
T launch_host_finish(const T* d_a, const T* d_b, std::size_t n, T* d_partial, T* h_partial,
                     int block_size) {
    const int grid_size = dot_blocks(n, block_size);
    dot_partial<<<grid_size, block_size, block_size * sizeof(T)>>>(d_a, d_b, n, d_partial);
    CHECK_LAUNCH();
    CHECK(cudaMemcpy(h_partial, d_partial, grid_size * sizeof(T), cudaMemcpyDeviceToHost));
    T sum = 0;
    for (int block = 0; block < grid_size; ++block) {
        sum += h_partial[block];
    }
    return sum;
}
