// Variant 4: a lock that serves in the order of arrival. Each block draws a number and waits until
// it is called. The waiting blocks only read.
//
// Source of the idea: Mellor-Crummey and Scott, Algorithms for Scalable Synchronization on
// Shared-Memory Multiprocessors.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

#include "common/error.cuh"
#include "common/lock.cuh"
#include "mutex_dot/block_dot.cuh"

// d_lock: both words 0 before the launch. Other parameters: see dot_mutex.
template <typename T>
__global__ void dot_ticket_lock(const T* d_a, const T* d_b, std::size_t n,
                                common::TicketLock* d_lock, T* d_dot) {
    const T sum = block_dot(d_a, d_b, n);
    if (threadIdx.x == 0) {
        common::lock(*d_lock);
        *d_dot += sum;
        common::unlock(*d_lock);
    }
}

template <typename T>
void launch_ticket_lock(const T* d_a, const T* d_b, std::size_t n, common::TicketLock* d_lock,
                        T* d_dot, int block_size) {
    CHECK(cudaMemsetAsync(d_lock, 0, sizeof(common::TicketLock)));
    CHECK(cudaMemsetAsync(d_dot, 0, sizeof(T)));
    const int grid_size = dot_blocks(n, block_size);
    dot_ticket_lock<<<grid_size, block_size, block_size * sizeof(T)>>>(d_a, d_b, n, d_lock, d_dot);
    CHECK_LAUNCH();
}
