// Variant 8: a critical section for the whole grid. Its lock and its data are in global memory, and
// the lock has device scope. Only one thread per block runs it.
//
// Source of the question: ECE408, lecture 18.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

#include "common/error.cuh"
#include "common/launch.cuh"
#include "common/lock.cuh"
#include "grid_barrier/7_block_section.cuh"
#include "grid_barrier/hottest.cuh"

// d_mutex: one word, 0 (free) before the launch. d_hottest: hottest_of_none before the launch.
__global__ void hottest_grid_section(const float* d_plate, std::size_t n, int* d_mutex,
                                     Hottest* d_hottest) {
    const Hottest hottest = hottest_of_block(d_plate, n);
    if (threadIdx.x == 0) {
        common::lock(*d_mutex);
        *d_hottest = hotter(*d_hottest, hottest);
        common::unlock(*d_mutex);
    }
}

// The start values of such a launch.
inline void start_grid_section(int* d_mutex, Hottest* d_hottest) {
    CHECK(cudaMemsetAsync(d_mutex, 0, sizeof(int)));
    CHECK(cudaMemcpyAsync(d_hottest, &hottest_of_none, sizeof(Hottest), cudaMemcpyHostToDevice));
}

// Any number of blocks, more than fit on the device too: who holds the lock waits for no one.
inline void launch_grid_section(const float* d_plate, std::size_t n, int* d_mutex,
                                Hottest* d_hottest, int block_size) {
    start_grid_section(d_mutex, d_hottest);
    const int grid_size = common::blocks_to_cover(n, block_size);
    hottest_grid_section<<<grid_size, block_size>>>(d_plate, n, d_mutex, d_hottest);
    CHECK_LAUNCH();
}
