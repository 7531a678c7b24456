// Variant 2: each block adds up its elements in shared memory, and one atomicAdd per block adds the
// block's sum to the total.
//
// Source of the idea: Fan, CUDA Programming, section 9.1.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

#include "../common/error.cuh"
#include "../common/launch.cuh"
#include "../common/shared_memory.cuh"

// Adds up the block's values: s_y[0] becomes the sum of s_y[0 ... blockDim.x - 1]. In each step the
// first `offset` threads add the value that lies `offset` further; then `offset` is halved. The
// first offset is the largest power of two below the block size, so any block size works.
template <typename T>
__device__ void tree_sum(T* s_y) {
    const unsigned tid = threadIdx.x;
    unsigned offset = 1;
    while (2 * offset < blockDim.x) {
        offset *= 2;
    }
    for (; offset > 0; offset /= 2) {
        __syncthreads();  // all values of the step before are in shared memory
        if (tid < offset && tid + offset < blockDim.x) {
            s_y[tid] += s_y[tid + offset];
        }
    }
    __syncthreads();
}

// d_x: n numbers. d_sum: one word, 0 before the launch. One thread per element; blockDim.x values
// of dynamic shared memory.
template <typename T>
__global__ void reduce_block_tree(const T* d_x, std::size_t n, T* d_sum) {
    T* s_y = common::dynamic_shared<T>();  // for float: extern __shared__ float s_y[];
    const unsigned tid = threadIdx.x;
    const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + tid;
    s_y[tid] = i < n ? d_x[i] : T(0);
    tree_sum(s_y);
    if (tid == 0) {
        atomicAdd(d_sum, s_y[0]);
    }
}

template <typename T>
void launch_block_tree(const T* d_x, std::size_t n, T* d_sum, int block_size) {
    CHECK(cudaMemsetAsync(d_sum, 0, sizeof(T)));
    const int grid_size = common::blocks_to_cover(n, block_size);
    reduce_block_tree<<<grid_size, block_size, block_size * sizeof(T)>>>(d_x, n, d_sum);
    CHECK_LAUNCH();
}
