// Wrong on purpose: 2_chained.cuh with two plain words, no atomic and no order. Nothing puts the
// sum before the flag, and the compiler may read the flag once and then wait without end.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

#include "common/error.cuh"
#include "scan/2_chained.cuh"
#include "scan/tile.cuh"

template <typename T>
__global__ void scan_plain_words(const T* d_x, std::size_t n, T* d_y, unsigned* d_ticket,
                                 T* d_prefix, unsigned* d_ready) {
    __shared__ T s_before;
    const std::size_t tile = tile_by_ticket(d_ticket);
    T items[items_per_thread];
    const T total = scan_tile(d_x, n, tile, items);
    if (threadIdx.x == 0) {
        T before = 0;
        if (tile > 0) {
            while (d_ready[tile - 1] == 0) {
                __nanosleep(100);
            }
            before = d_prefix[tile - 1];
        }
        d_prefix[tile] = before + total;  // race: plain_words
        d_ready[tile] = 1;                // race: plain_words
        s_before = before;
    }
    __syncthreads();
    store_tile(d_y, n, tile, items, s_before);
}

template <typename T>
void launch_plain_words(const T* d_x, std::size_t n, T* d_y, unsigned* d_ticket, T* d_prefix,
                        unsigned* d_ready, int block_size) {
    const int tiles = tiles_of(n, block_size);
    CHECK(cudaMemsetAsync(d_ticket, 0, sizeof(unsigned)));
    CHECK(cudaMemsetAsync(d_ready, 0, tiles * sizeof(unsigned)));
    scan_plain_words<<<tiles, block_size>>>(d_x, n, d_y, d_ticket, d_prefix, d_ready);
    CHECK_LAUNCH();
}
