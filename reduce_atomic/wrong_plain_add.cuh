// Wrong on purpose: 2_block_tree.cuh without the atomic. `*d_sum += s_y[0]` is a read, an addition
// and a write. A block that reads between another block's read and its write undoes that addition.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

#include "common/error.cuh"
#include "common/launch.cuh"
#include "common/shared_memory.cuh"
#include "reduce_atomic/2_block_tree.cuh"

template <typename T>
__global__ void reduce_plain_add(const T* d_x, std::size_t n, T* d_sum) {
    T* s_y = common::dynamic_shared<T>();
    const unsigned tid = threadIdx.x;
    const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + tid;
    s_y[tid] = i < n ? d_x[i] : T(0);
    tree_sum(s_y);
    if (tid == 0) {
        *d_sum += s_y[0];  // race: plain_add
    }
}

template <typename T>
void launch_plain_add(const T* d_x, std::size_t n, T* d_sum, int block_size) {
    CHECK(cudaMemsetAsync(d_sum, 0, sizeof(T)));
    const int grid_size = common::blocks_to_cover(n, block_size);
    reduce_plain_add<<<grid_size, block_size, block_size * sizeof(T)>>>(d_x, n, d_sum);
    CHECK_LAUNCH();
}
