// Variant 3: the same with the lock that the sources have: atomicCAS, atomicExch, and two fences.
//
// Source of the idea: CUDA by Example, appendix A, in its later printings; Numba tutorial, part 4.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

#include "common/error.cuh"
#include "common/lock.cuh"
#include "mutex_dot/block_dot.cuh"

// The atomics of this lock order no other access. The fences inside lock_classic and
// unlock_classic keep the `+=` between them.
//
// Parameters: see dot_mutex.
template <typename T>
__global__ void dot_mutex_classic(const T* d_a, const T* d_b, std::size_t n, int* d_mutex,
                                  T* d_dot) {
    const T sum = block_dot(d_a, d_b, n);
    if (threadIdx.x == 0) {
        common::lock_classic(*d_mutex);
        *d_dot += sum;
        common::unlock_classic(*d_mutex);
    }
}

template <typename T>
void launch_mutex_classic(const T* d_a, const T* d_b, std::size_t n, int* d_mutex, T* d_dot,
                          int block_size) {
    CHECK(cudaMemsetAsync(d_mutex, 0, sizeof(int)));
    CHECK(cudaMemsetAsync(d_dot, 0, sizeof(T)));
    const int grid_size = dot_blocks(n, block_size);
    dot_mutex_classic<<<grid_size, block_size, block_size * sizeof(T)>>>(d_a, d_b, n, d_mutex,
                                                                         d_dot);
    CHECK_LAUNCH();
}
