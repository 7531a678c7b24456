// Wrong on purpose: 2_chained.cuh with a flag that is stored without release. The block that waits
// may see the flag before it sees the sum.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cuda/atomic>

#include "common/error.cuh"
#include "scan/2_chained.cuh"
#include "scan/tile.cuh"

template <typename T>
__global__ void scan_no_release(const T* d_x, std::size_t n, T* d_y, unsigned* d_ticket,
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
        d_prefix[tile] = before + total;  // race: no_release
        cuda::atomic_ref<unsigned, cuda::thread_scope_device> flag(d_ready[tile]);
        flag.store(1, cuda::memory_order_relaxed);
        s_before = before;
    }
    __syncthreads();
    store_tile(d_y, n, tile, items, s_before);
}

template <typename T>
void launch_no_release(const T* d_x, std::size_t n, T* d_y, unsigned* d_ticket, T* d_prefix,
                       unsigned* d_ready, int block_size) {
    const int tiles = tiles_of(n, block_size);
    CHECK(cudaMemsetAsync(d_ticket, 0, sizeof(unsigned)));
    CHECK(cudaMemsetAsync(d_ready, 0, tiles * sizeof(unsigned)));
    scan_no_release<<<tiles, block_size>>>(d_x, n, d_y, d_ticket, d_prefix, d_ready);
    CHECK_LAUNCH();
}
