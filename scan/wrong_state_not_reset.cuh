// Wrong on purpose: the kernel of 2_chained.cuh, launched twice. Before the second launch only the
// ticket is put back. The flags are still those of the first launch, so no block waits, and each
// takes the sum of a scan that is over, or one that is just being written.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cuda/atomic>

#include "common/error.cuh"
#include "scan/2_chained.cuh"
#include "scan/tile.cuh"

template <typename T>
__global__ void scan_state_not_reset(const T* d_x, std::size_t n, T* d_y, unsigned* d_ticket,
                                     T* d_prefix, unsigned* d_ready) {
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
        d_prefix[tile] = before + total;  // race: state_not_reset
        cuda::atomic_ref<unsigned, cuda::thread_scope_device> flag(d_ready[tile]);
        flag.store(1, cuda::memory_order_release);
        s_before = before;
    }
    __syncthreads();
    store_tile(d_y, n, tile, items, s_before);
}

// The first launch scans other numbers: the array without its first element.
template <typename T>
void launch_state_not_reset(const T* d_x, std::size_t n, T* d_y, unsigned* d_ticket, T* d_prefix,
                            unsigned* d_ready, int block_size) {
    const int tiles = tiles_of(n, block_size);
    const std::size_t skipped = n > 0 ? 1 : 0;
    CHECK(cudaMemsetAsync(d_ready, 0, tiles * sizeof(unsigned)));
    CHECK(cudaMemsetAsync(d_ticket, 0, sizeof(unsigned)));
    scan_state_not_reset<<<tiles, block_size>>>(d_x + skipped, n - skipped, d_y, d_ticket, d_prefix,
                                                d_ready);
    CHECK_LAUNCH();
    CHECK(cudaMemsetAsync(d_ticket, 0, sizeof(unsigned)));
    scan_state_not_reset<<<tiles, block_size>>>(d_x, n, d_y, d_ticket, d_prefix, d_ready);
    CHECK_LAUNCH();
}
