// Variant 7: a critical section for each block. Its lock and its data are in shared memory, and the
// lock has block scope.
//
// Source of the question: ECE408, lecture 18.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cuda/atomic>

#include "common/error.cuh"
#include "common/launch.cuh"
#include "common/lock.cuh"
#include "grid_barrier/hottest.cuh"

// The lock of common/lock.cuh for the threads of one block: only the scope differs.
__device__ inline void lock_in_block(int& s_mutex) {
    cuda::atomic_ref<int, cuda::thread_scope_block> word(s_mutex);
    int expected = 0;
    while (!word.compare_exchange_weak(expected, 1, cuda::memory_order_acquire,
                                       cuda::memory_order_relaxed)) {
        expected = 0;
        __nanosleep(common::lock_pause_ns);
    }
}
__device__ inline void unlock_in_block(int& s_mutex) {
    cuda::atomic_ref<int, cuda::thread_scope_block> word(s_mutex);
    word.store(0, cuda::memory_order_release);
}

// The hottest cell of the block's cells, for all its threads. Each thread runs the critical section
// once. Each block has a lock of its own, so no block waits for another one.
__device__ inline Hottest hottest_of_block(const float* d_plate, std::size_t n) {
    __shared__ int s_mutex;
    __shared__ Hottest s_hottest;
    if (threadIdx.x == 0) {
        s_mutex = 0;
        s_hottest = hottest_of_none;
    }
    __syncthreads();
    const Hottest mine = hottest_of_thread(d_plate, n);
    lock_in_block(s_mutex);
    s_hottest = hotter(s_hottest, mine);
    unlock_in_block(s_mutex);
    // In __syncthreads() the threads of a warp wait for each other first. Without this line nvcc
    // 13.0 puts that wait before the unlock, and no other thread of the warp gets the lock.
    __syncwarp();
    __syncthreads();
    return s_hottest;
}

// d_plate: n temperatures. d_of_block: gridDim.x elements.
__global__ void hottest_block_section(const float* d_plate, std::size_t n, Hottest* d_of_block) {
    const Hottest hottest = hottest_of_block(d_plate, n);
    if (threadIdx.x == 0) {
        d_of_block[blockIdx.x] = hottest;
    }
}

// Returns the number of blocks: the host compares their hottest cells. Here any number will do.
inline int launch_block_section(const float* d_plate, std::size_t n, Hottest* d_of_block,
                                int block_size) {
    const int grid_size = common::blocks_to_cover(n, block_size);
    hottest_block_section<<<grid_size, block_size>>>(d_plate, n, d_of_block);
    CHECK_LAUNCH();
    return grid_size;
}
