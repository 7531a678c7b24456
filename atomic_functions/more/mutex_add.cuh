// A plain read and write under a mutex. The chapter mutex_dot explains the lock.
//
// Source of the idea: Numba tutorial, part 4, example 4.5.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

#include "common/error.cuh"
#include "common/launch.cuh"
#include "common/lock.cuh"

// Between lock and unlock one thread is alone, so plain reads and writes are right, and as many of
// them as the work needs. For a single addition that is a detour: taking and releasing the lock are
// atomic operations themselves. The lock also gives the order: its holder sees what the holder
// before it wrote.
//
// d_mutex: one word, 0 (free) before the launch. Other parameters: see count_atomic_add.
__global__ void count_mutex(int* d_x, std::size_t n, int* d_mutex, int* d_olds) {
    const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (i < n) {
        common::lock(*d_mutex);
        const int old = *d_x;
        *d_x = old + 1;
        common::unlock(*d_mutex);
        d_olds[i] = old;
    }
}

inline void launch_mutex_add(int* d_x, std::size_t n, int* d_mutex, int* d_olds, int block_size) {
    CHECK(cudaMemsetAsync(d_x, 0, sizeof(int)));
    CHECK(cudaMemsetAsync(d_mutex, 0, sizeof(int)));  // a mutex must begin free, too
    const int grid_size = common::blocks_to_cover(n, block_size);
    count_mutex<<<grid_size, block_size>>>(d_x, n, d_mutex, d_olds);
    CHECK_LAUNCH();
}
