// Variant 3 with vectorized loads: 16 bytes per load, and eight loads in flight per thread.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

#include "common/block_reduce.cuh"
#include "common/error.cuh"
#include "common/vector_load.cuh"

// d_x: n numbers, aligned to sizeof(T). d_sum: one word, 0 before the launch. A grid of any size.
template <typename T>
__global__ void reduce_vectorized(const T* d_x, std::size_t n, T* d_sum) {
    const T* const d_arrays[] = {d_x};
    const auto term = [](const T* x) { return x[0]; };
    const T sum =
        common::block_sum(common::vectorized_sum(d_arrays, n, term, blockIdx.x, gridDim.x));
    if (threadIdx.x == 0) {
        atomicAdd(d_sum, sum);
    }
}

template <typename T>
void launch_vectorized(const T* d_x, std::size_t n, T* d_sum, int block_size) {
    CHECK(cudaMemsetAsync(d_sum, 0, sizeof(T)));
    const int grid_size = common::blocks_of_one_tile<T>(n, block_size, 1);
    reduce_vectorized<<<grid_size, block_size>>>(d_x, n, d_sum);
    CHECK_LAUNCH();
}
