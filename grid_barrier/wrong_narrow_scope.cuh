// Wrong on purpose: 8_grid_section.cuh with block scope. The lock is one word for all blocks, but
// its atomics are atomic, and give an order, only among the threads of one block.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cuda/atomic>

#include "common/error.cuh"
#include "common/launch.cuh"
#include "common/lock.cuh"
#include "grid_barrier/7_block_section.cuh"
#include "grid_barrier/8_grid_section.cuh"
#include "grid_barrier/hottest.cuh"

__global__ void hottest_narrow_scope(const float* d_plate, std::size_t n, int* d_mutex,
                                     Hottest* d_hottest) {
    const Hottest hottest = hottest_of_block(d_plate, n);
    if (threadIdx.x == 0) {
        cuda::atomic_ref<int, cuda::thread_scope_block> word(*d_mutex);
        int expected = 0;
        while (!word.compare_exchange_weak(expected, 1,  // race: narrow_scope
                                           cuda::memory_order_acquire,
                                           cuda::memory_order_relaxed)) {
            expected = 0;
            __nanosleep(common::lock_pause_ns);
        }
        *d_hottest = hotter(*d_hottest, hottest);   // race: narrow_scope
        word.store(0, cuda::memory_order_release);  // race: narrow_scope
    }
}

inline void launch_narrow_scope(const float* d_plate, std::size_t n, int* d_mutex,
                                Hottest* d_hottest, int block_size) {
    start_grid_section(d_mutex, d_hottest);
    const int grid_size = common::blocks_to_cover(n, block_size);
    hottest_narrow_scope<<<grid_size, block_size>>>(d_plate, n, d_mutex, d_hottest);
    CHECK_LAUNCH();
}
