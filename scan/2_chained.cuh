// Variant 2: one kernel. Each block waits for the sum that the block before it hands on.
//
// Source of the idea: Yan, Long and Zhang, StreamScan: fast scan algorithms for GPUs without global
// barrier synchronization.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cuda/atomic>

#include "../common/error.cuh"
#include "tile.cuh"

// The number of the tile for the calling block, for all its threads. *d_ticket is 0 before the
// launch. Tickets are given out in the order in which blocks start. So whoever has ticket t may
// wait for all smaller ones: their blocks have started, and a block that has started gets on.
// blockIdx.x promises nothing of this kind.
__device__ inline std::size_t tile_by_ticket(unsigned* d_ticket) {
    __shared__ unsigned s_ticket;
    if (threadIdx.x == 0) {
        s_ticket = atomicAdd(d_ticket, 1u);
    }
    __syncthreads();
    return s_ticket;
}

// d_x, d_y: n elements. d_prefix: gridDim.x elements; d_prefix[t] will hold the sum of the tiles 0
// to t. d_ready: gridDim.x words, 0 before the launch; 1: d_prefix[t] is there.
//
// Each pair of neighbors passes a message: the sum is the data, the word in d_ready the flag.
template <typename T>
__global__ void scan_chained(const T* d_x, std::size_t n, T* d_y, unsigned* d_ticket, T* d_prefix,
                             unsigned* d_ready) {
    __shared__ T s_before;
    const std::size_t tile = tile_by_ticket(d_ticket);
    T items[items_per_thread];
    const T total = scan_tile(d_x, n, tile, items);
    if (threadIdx.x == 0) {
        T before = 0;
        if (tile > 0) {
            cuda::atomic_ref<unsigned, cuda::thread_scope_device> flag(d_ready[tile - 1]);
            while (flag.load(cuda::memory_order_acquire) == 0) {
            }
            before = d_prefix[tile - 1];
        }
        d_prefix[tile] = before + total;
        cuda::atomic_ref<unsigned, cuda::thread_scope_device> flag(d_ready[tile]);
        flag.store(1, cuda::memory_order_release);
        s_before = before;
    }
    __syncthreads();  // s_before is there for the other threads
    store_tile(d_y, n, tile, items, s_before);
}

// d_prefix, d_ready: tiles_of(n, block_size) elements.
template <typename T>
void launch_chained(const T* d_x, std::size_t n, T* d_y, unsigned* d_ticket, T* d_prefix,
                    unsigned* d_ready, int block_size) {
    const int tiles = tiles_of(n, block_size);
    CHECK(cudaMemsetAsync(d_ticket, 0, sizeof(unsigned)));
    CHECK(cudaMemsetAsync(d_ready, 0, tiles * sizeof(unsigned)));
    scan_chained<<<tiles, block_size>>>(d_x, n, d_y, d_ticket, d_prefix, d_ready);
    CHECK_LAUNCH();
}
