// The exclusive scan (prefix sums) of an array of counts in global memory: where each group begins
// when the groups' members stand one after another.
//
//     counts  3 1 0 2      starts  0 3 4 4 6      (one more: the total)
//
// Idea: three kernels, one after the other: the sums of tiles, the scan of those sums, and the
// scans inside the tiles. (Blelloch, Prefix sums and their applications, 1990.) CUB has it as
// DeviceScan::ExclusiveSum; this one runs on the CPU device as well.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

#include "common/block_reduce.cuh"
#include "common/block_scan.cuh"
#include "common/error.cuh"
#include "common/launch.cuh"

namespace common {

constexpr int scan_block_size = 256;  // whole warps, for block_exclusive_scan
constexpr int scan_items_per_thread = 8;
constexpr int scan_tile = scan_block_size * scan_items_per_thread;

// Tiles of `n` counts: exclusive_scan() needs temporary storage of so many ints.
inline std::size_t scan_tiles(std::size_t n) {
    return (n + scan_tile - 1) / scan_tile;
}

__global__ void scan_sum_tiles(const int* d_counts, std::size_t n, int* d_tile_sums) {
    const std::size_t base = std::size_t{blockIdx.x} * scan_tile;
    int sum = 0;
    for (int k = 0; k < scan_items_per_thread; ++k) {
        const std::size_t i = base + k * scan_block_size + threadIdx.x;
        sum += i < n ? d_counts[i] : 0;
    }
    sum = block_sum(sum);
    if (threadIdx.x == 0) {
        d_tile_sums[blockIdx.x] = sum;
    }
}

// One block: the exclusive scan of the tiles' sums, and their total.
__global__ void scan_tile_sums(int* d_tile_sums, std::size_t tiles, int* d_total) {
    int before = 0;
    for (std::size_t base = 0; base < tiles; base += scan_block_size) {
        const std::size_t i = base + threadIdx.x;
        int total = 0;
        const int start = block_exclusive_scan(i < tiles ? d_tile_sums[i] : 0, total);
        if (i < tiles) {
            d_tile_sums[i] = before + start;
        }
        before += total;
        __syncthreads();  // before the next call of block_exclusive_scan
    }
    if (threadIdx.x == 0) {
        *d_total = before;
    }
}

__global__ void scan_inside_tiles(const int* d_counts, std::size_t n, const int* d_tile_sums,
                                  int* d_starts) {
    const std::size_t first =
        std::size_t{blockIdx.x} * scan_tile + std::size_t{threadIdx.x} * scan_items_per_thread;
    int counts[scan_items_per_thread];
    int sum = 0;
    for (int k = 0; k < scan_items_per_thread; ++k) {
        counts[k] = first + k < n ? d_counts[first + k] : 0;
        sum += counts[k];
    }
    int total = 0;
    int start = d_tile_sums[blockIdx.x] + block_exclusive_scan(sum, total);
    for (int k = 0; k < scan_items_per_thread; ++k) {
        if (first + k < n) {
            d_starts[first + k] = start;
        }
        start += counts[k];
    }
}

// Queues d_starts[i] = d_counts[0] + ... + d_counts[i - 1] for i = 0 ... n; d_starts has n + 1
// elements, d_tile_sums scan_tiles(n). The sum of all counts must fit an int; n >= 1.
inline void exclusive_scan(const int* d_counts, std::size_t n, int* d_tile_sums, int* d_starts) {
    const auto tiles = static_cast<int>(scan_tiles(n));
    scan_sum_tiles<<<tiles, scan_block_size>>>(d_counts, n, d_tile_sums);
    CHECK_LAUNCH();
    scan_tile_sums<<<1, scan_block_size>>>(d_tile_sums, scan_tiles(n), d_starts + n);
    CHECK_LAUNCH();
    scan_inside_tiles<<<tiles, scan_block_size>>>(d_counts, n, d_tile_sums, d_starts);
    CHECK_LAUNCH();
}

}  // namespace common
