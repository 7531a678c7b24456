// Wrong on purpose: 2_block_tree.cuh without `if (tid == 0)`. Every thread of the block adds the
// block's sum, so the result is block_size times too large.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

#include "common/error.cuh"
#include "common/launch.cuh"
#include "common/shared_memory.cuh"
#include "reduce_atomic/2_block_tree.cuh"

template <typename T>
__global__ void reduce_no_guard(const T* d_x, std::size_t n, T* d_sum) {
    T* s_y = common::dynamic_shared<T>();
    const unsigned tid = threadIdx.x;
    const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + tid;
    s_y[tid] = i < n ? d_x[i] : T(0);
    tree_sum(s_y);
    atomicAdd(d_sum, s_y[0]);  // wrong: no_guard
}

template <typename T>
void launch_no_guard(const T* d_x, std::size_t n, T* d_sum, int block_size) {
    CHECK(cudaMemsetAsync(d_sum, 0, sizeof(T)));
    const int grid_size = common::blocks_to_cover(n, block_size);
    reduce_no_guard<<<grid_size, block_size, block_size * sizeof(T)>>>(d_x, n, d_sum);
    CHECK_LAUNCH();
}
