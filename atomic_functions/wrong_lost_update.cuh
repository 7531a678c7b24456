// Wrong on purpose: 1_atomic_add.cuh without the atomic. A thread that reads between another
// thread's read and write finds the old value too, and one of the two additions is lost.
//
// Source of the idea: Numba tutorial, part 4, example 4.1.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

#include "../common/error.cuh"
#include "../common/launch.cuh"

// Parameters: see count_atomic_add. n threads may leave anything from 1 to n in the word.
__global__ void count_lost_update(int* d_x, std::size_t n, int* d_olds) {
    const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (i < n) {
        const int old = d_x[0];  // race: lost_update
        d_x[0] = old + 1;        // race: lost_update
        d_olds[i] = old;
    }
}

inline void launch_lost_update(int* d_x, std::size_t n, int* d_olds, int block_size) {
    CHECK(cudaMemsetAsync(d_x, 0, sizeof(int)));
    const int grid_size = common::blocks_to_cover(n, block_size);
    count_lost_update<<<grid_size, block_size>>>(d_x, n, d_olds);
    CHECK_LAUNCH();
}
