// A block's part of the dot product: what all variants of the lesson begin with. They differ in
// what they do with it.
//
// Source of the idea: CUDA by Example, chapter 5; Numba tutorial, part 4.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

#include "../common/launch.cuh"
#include "../common/shared_memory.cuh"

// The part of the dot product of d_a and d_b (n numbers each) that falls to one thread when the
// grid strides over the vectors.
template <typename T>
__device__ T grid_stride_dot(const T* d_a, const T* d_b, std::size_t n) {
    const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
    T sum = 0;
    for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += stride) {
        sum += d_a[i] * d_b[i];
    }
    return sum;
}

// The block's partial sum, for all its threads. Needs blockDim.x words of dynamic shared memory.
// The tree takes any block size: its first offset is the largest power of two below the block
// size, and a partner that does not exist is left out.
template <typename T>
__device__ T block_dot(const T* d_a, const T* d_b, std::size_t n) {
    T* s_sums = common::dynamic_shared<T>();  // for float: extern __shared__ float s_sums[];
    const unsigned tid = threadIdx.x;
    s_sums[tid] = grid_stride_dot(d_a, d_b, n);
    unsigned offset = 1;
    while (2 * offset < blockDim.x) {
        offset *= 2;
    }
    for (; offset > 0; offset /= 2) {
        __syncthreads();  // all sums of the step before are in shared memory
        if (tid < offset && tid + offset < blockDim.x) {
            s_sums[tid] += s_sums[tid + offset];
        }
    }
    __syncthreads();
    return s_sums[0];
}

// Each block takes the mutex once, so there are not too many: at most as many as in the Numba
// tutorial. Fewer where there are not that many elements.
constexpr int max_dot_blocks = 32 * 20;

inline int dot_blocks(std::size_t n, int block_size) {
    const int blocks = common::blocks_to_cover(n, block_size);
    return blocks < max_dot_blocks ? blocks : max_dot_blocks;
}
