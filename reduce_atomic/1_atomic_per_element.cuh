// Variant 1: every thread adds its element to the one sum by atomicAdd.
//
// Source of the idea: ECE408, lecture 18; Numba tutorial, part 4.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

#include "../common/error.cuh"
#include "../common/launch.cuh"

// d_x: n numbers. d_sum: one word, 0 before the launch. One thread per element.
//
// All threads share the word d_sum. `*d_sum += x` would lose updates; atomicAdd makes the read, the
// addition and the write one step. The price: the additions wait for each other, one after the
// other. In float a large sum also swallows small terms: 10^8 times 1.23 ends at 2^25 = 33554432.
template <typename T>
__global__ void reduce_atomic_per_element(const T* d_x, std::size_t n, T* d_sum) {
    const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (i < n) {
        atomicAdd(d_sum, d_x[i]);
    }
}

template <typename T>
void launch_atomic_per_element(const T* d_x, std::size_t n, T* d_sum, int block_size) {
    CHECK(cudaMemsetAsync(d_sum, 0, sizeof(T)));  // atomicAdd adds to what is there
    const int grid_size = common::blocks_to_cover(n, block_size);
    reduce_atomic_per_element<<<grid_size, block_size>>>(d_x, n, d_sum);
    CHECK_LAUNCH();
}
