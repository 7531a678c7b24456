// Wrong on purpose: the tree of the Numba tutorial, part 4. Each step adds the neighbor, tid + 1,
// in place of the thread that lies `offset` further. So the sums of the upper half of the block,
// from blockDim.x / 2 + 1 on, are never added. (The neighbor writes its sum in the same step, so
// there is a race as well.) On equal numbers the result looks right: every step still doubles.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

#include "common/error.cuh"
#include "common/shared_memory.cuh"
#include "mutex_dot/block_dot.cuh"

template <typename T>
__global__ void dot_tid_plus_one(const T* d_a, const T* d_b, std::size_t n, T* d_dot) {
    T* s_sums = common::dynamic_shared<T>();
    const unsigned tid = threadIdx.x;
    s_sums[tid] = grid_stride_dot(d_a, d_b, n);
    unsigned offset = 1;
    while (2 * offset < blockDim.x) {
        offset *= 2;
    }
    for (; offset > 0; offset /= 2) {
        __syncthreads();
        if (tid < offset && tid + offset < blockDim.x) {
            s_sums[tid] += s_sums[tid + 1];  // wrong: tid_plus_one
        }
    }
    __syncthreads();
    if (tid == 0) {
        atomicAdd(d_dot, s_sums[0]);
    }
}

template <typename T>
void launch_tid_plus_one(const T* d_a, const T* d_b, std::size_t n, T* d_dot, int block_size) {
    CHECK(cudaMemsetAsync(d_dot, 0, sizeof(T)));
    const int grid_size = dot_blocks(n, block_size);
    dot_tid_plus_one<<<grid_size, block_size, block_size * sizeof(T)>>>(d_a, d_b, n, d_dot);
    CHECK_LAUNCH();
}
