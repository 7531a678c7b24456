// A tile: the consecutive elements that one block scans. All variants of the lesson scan their
// tiles in the same way; they differ in how a block gets the sum of all tiles before its own.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

#include "../common/block_reduce.cuh"
#include "../common/launch.cuh"

constexpr int items_per_thread = 8;  // consecutive ones

// Tiles of n elements, at least one: a grid has a block for each. blockDim.x * items_per_thread
// elements are a tile; the last one may be shorter.
inline int tiles_of(std::size_t n, int block_size) {
    return common::blocks_to_cover(n, block_size * items_per_thread);
}

// The sum of `value` over the threads of the block before the calling one; `total` becomes the sum
// over all. For one-dimensional blocks of any size. All threads must call it.
//
// Source of the idea: Hillis and Steele, Data parallel algorithms: in step k each lane adds the
// value of the lane 2^k before it.
template <typename T>
__device__ T sum_of_threads_before(T value, T& total) {
    __shared__ T s_warp_sums[common::max_warps_per_block];
    const int lane = static_cast<int>(threadIdx.x) % common::warp_size;
    const int warp = static_cast<int>(threadIdx.x) / common::warp_size;
    const int warps = static_cast<int>(blockDim.x - 1) / common::warp_size + 1;
    const unsigned lanes = common::existing_lanes();
    for (int offset = 1; offset < common::warp_size; offset *= 2) {
        const T before = __shfl_up_sync(lanes, value, offset);
        if (lane >= offset) {
            value += before;
        }
    }
    T start = __shfl_up_sync(lanes, value, 1);
    if (lane == 0) {
        start = 0;
    }
    if ((lanes >> lane) == 1) {  // the last lane of the warp has the warp's sum
        s_warp_sums[warp] = value;
    }
    __syncthreads();  // all warps' sums are there before any thread adds them up
    T warps_before = 0;
    total = 0;
    for (int w = 0; w < warps; ++w) {
        warps_before += w < warp ? s_warp_sums[w] : T(0);
        total += s_warp_sums[w];
    }
    __syncthreads();  // they are read before a next call writes them
    return warps_before + start;
}

// d_x: n elements. items[k] becomes the sum of the tile's elements up to the thread's k-th, that
// one included. Returns the sum of the whole tile.
template <typename T>
__device__ T scan_tile(const T* d_x, std::size_t n, std::size_t tile,
                       T (&items)[items_per_thread]) {
    const std::size_t first = (tile * blockDim.x + threadIdx.x) * items_per_thread;
    T sum = 0;
    for (int k = 0; k < items_per_thread; ++k) {
        sum += first + k < n ? d_x[first + k] : T(0);
        items[k] = sum;
    }
    T total = 0;
    const T start = sum_of_threads_before(sum, total);
    for (int k = 0; k < items_per_thread; ++k) {
        items[k] += start;
    }
    return total;
}

// Stores what scan_tile has left in `items`, with the sum of all tiles before this one added.
template <typename T>
__device__ void store_tile(T* d_y, std::size_t n, std::size_t tile,
                           const T (&items)[items_per_thread], T before) {
    const std::size_t first = (tile * blockDim.x + threadIdx.x) * items_per_thread;
    for (int k = 0; k < items_per_thread; ++k) {
        if (first + k < n) {
            d_y[first + k] = before + items[k];
        }
    }
}
