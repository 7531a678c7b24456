// Variant 5 with vectorized loads: 16 bytes per load, several loads in flight per thread.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

#include "common/block_reduce.cuh"
#include "common/error.cuh"
#include "common/vector_load.cuh"

// The part of the dot product that falls to one thread of block number `block` of `blocks`, by
// 16-byte loads from both vectors.
template <typename T>
__device__ T vectorized_dot(const T* d_a, const T* d_b, std::size_t n, unsigned block,
                            unsigned blocks) {
    const T* const d_arrays[] = {d_a, d_b};
    const auto term = [](const T* x) { return x[0] * x[1]; };
    return common::vectorized_sum(d_arrays, n, term, block, blocks);
}

// d_a, d_b: n numbers each, aligned to sizeof(T). d_dot: one word, 0 before the launch.
template <typename T>
__global__ void dot_vectorized(const T* d_a, const T* d_b, std::size_t n, T* d_dot) {
    const T sum = common::block_sum(vectorized_dot(d_a, d_b, n, blockIdx.x, gridDim.x));
    if (threadIdx.x == 0) {
        atomicAdd(d_dot, sum);
    }
}

// Each block takes one tile of vectors, so the blocks end at different times.
template <typename T>
void launch_vectorized(const T* d_a, const T* d_b, std::size_t n, T* d_dot, int block_size) {
    CHECK(cudaMemsetAsync(d_dot, 0, sizeof(T)));
    const int grid_size = common::blocks_of_one_tile<T>(n, block_size, 2);
    dot_vectorized<<<grid_size, block_size>>>(d_a, d_b, n, d_dot);
    CHECK_LAUNCH();
}
