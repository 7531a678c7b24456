// Wrong on purpose: 3_mutex_classic.cuh without the fences, as the first printings of CUDA by
// Example have the lock. One block at a time holds it, but nothing keeps the `+=` in between. The
// next holder may still read the old sum, or the lock may be seen free before the new sum is.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

#include "common/error.cuh"
#include "common/lock.cuh"
#include "mutex_dot/block_dot.cuh"

template <typename T>
__global__ void dot_no_fence(const T* d_a, const T* d_b, std::size_t n, int* d_mutex, T* d_dot) {
    const T sum = block_dot(d_a, d_b, n);
    if (threadIdx.x == 0) {
        while (atomicCAS(d_mutex, 0, 1) != 0) {
            __nanosleep(common::lock_pause_ns);
        }
        *d_dot += sum;  // race: no_fence
        atomicExch(d_mutex, 0);
    }
}

template <typename T>
void launch_no_fence(const T* d_a, const T* d_b, std::size_t n, int* d_mutex, T* d_dot,
                     int block_size) {
    CHECK(cudaMemsetAsync(d_mutex, 0, sizeof(int)));
    CHECK(cudaMemsetAsync(d_dot, 0, sizeof(T)));
    const int grid_size = dot_blocks(n, block_size);
    dot_no_fence<<<grid_size, block_size, block_size * sizeof(T)>>>(d_a, d_b, n, d_mutex, d_dot);
    CHECK_LAUNCH();
}
