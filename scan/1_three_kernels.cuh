// Variant 1: three kernels. Each block scans its tile; one block scans the tiles' sums; and each
// block adds to its tile what stands before it.
//
// Source of the idea: Blelloch, Prefix sums and their applications.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

#include "../common/error.cuh"
#include "tile.cuh"

// d_x, d_y: n elements. d_sums: gridDim.x elements, the sums of the tiles.
template <typename T>
__global__ void scan_tiles(const T* d_x, std::size_t n, T* d_y, T* d_sums) {
    T items[items_per_thread];
    const T total = scan_tile(d_x, n, blockIdx.x, items);
    store_tile(d_y, n, blockIdx.x, items, T(0));
    if (threadIdx.x == 0) {
        d_sums[blockIdx.x] = total;
    }
}

// One block: d_sums[i] becomes the sum of d_sums[0 ... i].
template <typename T>
__global__ void scan_sums(T* d_sums, std::size_t tiles) {
    const std::size_t size = std::size_t{blockDim.x} * items_per_thread;
    T before = 0;
    for (std::size_t part = 0; part * size < tiles; ++part) {
        T items[items_per_thread];
        const T total = scan_tile(d_sums, tiles, part, items);
        store_tile(d_sums, tiles, part, items, before);
        before += total;
    }
}

// Reads and writes the whole array once more: 16 bytes of traffic for each element of 4 bytes,
// where one pass has 8.
template <typename T>
__global__ void add_sums(T* d_y, std::size_t n, const T* d_sums) {
    const std::size_t tile = blockIdx.x;
    if (tile == 0) {
        return;  // nothing stands before it
    }
    const std::size_t begin = tile * blockDim.x * items_per_thread;
    for (int k = 0; k < items_per_thread; ++k) {
        const std::size_t i = begin + k * std::size_t{blockDim.x} + threadIdx.x;
        if (i < n) {
            d_y[i] += d_sums[tile - 1];
        }
    }
}

template <typename T>
void launch_three_kernels(const T* d_x, std::size_t n, T* d_y, T* d_sums, int block_size) {
    const int tiles = tiles_of(n, block_size);
    scan_tiles<<<tiles, block_size>>>(d_x, n, d_y, d_sums);
    CHECK_LAUNCH();
    scan_sums<<<1, block_size>>>(d_sums, static_cast<std::size_t>(tiles));
    CHECK_LAUNCH();
    add_sums<<<tiles, block_size>>>(d_y, n, d_sums);
    CHECK_LAUNCH();
}
