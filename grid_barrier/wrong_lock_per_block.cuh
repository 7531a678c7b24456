// Wrong on purpose: 8_grid_section.cuh with its lock in shared memory. There each block has a lock
// of its own, so as many blocks as there are can be in the critical section at once.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

#include "common/error.cuh"
#include "common/launch.cuh"
#include "grid_barrier/7_block_section.cuh"
#include "grid_barrier/8_grid_section.cuh"
#include "grid_barrier/hottest.cuh"

__global__ void hottest_lock_per_block(const float* d_plate, std::size_t n, Hottest* d_hottest) {
    __shared__ int s_mutex;
    const Hottest hottest = hottest_of_block(d_plate, n);
    if (threadIdx.x == 0) {
        s_mutex = 0;
        lock_in_block(s_mutex);
        *d_hottest = hotter(*d_hottest, hottest);  // race: lock_per_block
        unlock_in_block(s_mutex);
    }
}

inline void launch_lock_per_block(const float* d_plate, std::size_t n, int* d_mutex,
                                  Hottest* d_hottest, int block_size) {
    start_grid_section(d_mutex, d_hottest);
    const int grid_size = common::blocks_to_cover(n, block_size);
    hottest_lock_per_block<<<grid_size, block_size>>>(d_plate, n, d_hottest);
    CHECK_LAUNCH();
}
