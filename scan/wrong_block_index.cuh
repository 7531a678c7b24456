// Wrong on purpose: 2_chained.cuh with a number made of blockIdx.x in place of a ticket. CUDA does
// not say in which order blocks start. Here the tiles are numbered from the middle of the grid on,
// so that the usual order, from block 0 on, is a wrong one: the first blocks fill the device, and
// wait for a block that finds no place. Where tiles are numbered as the blocks are, the kernel
// works as long as blocks start in that order, which CUDA does not promise.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <cuda/atomic>

#include "common/device.cuh"
#include "common/error.cuh"
#include "scan/tile.cuh"

template <typename T>
__global__ void scan_block_index(const T* d_x, std::size_t n, T* d_y, T* d_prefix,
                                 unsigned* d_ready) {
    __shared__ T s_before;
    const std::size_t tile = (blockIdx.x + gridDim.x / 2) % gridDim.x;  // wrong: block_index
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
    __syncthreads();
    store_tile(d_y, n, tile, items, s_before);
}

// Five times as many blocks as the device holds, however short the array is: the last tiles are
// then empty.
inline int block_index_tiles(std::size_t n, int block_size) {
    int blocks_per_multiprocessor = 0;
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks_per_multiprocessor,
                                                        scan_block_index<unsigned>, block_size, 0));
    return std::max(tiles_of(n, block_size),
                    5 * blocks_per_multiprocessor * common::multiprocessor_count());
}

// d_prefix, d_ready: block_index_tiles(n, block_size) elements.
template <typename T>
void launch_block_index(const T* d_x, std::size_t n, T* d_y, T* d_prefix, unsigned* d_ready,
                        int block_size) {
    const int tiles = block_index_tiles(n, block_size);
    CHECK(cudaMemsetAsync(d_ready, 0, tiles * sizeof(unsigned)));
    scan_block_index<<<tiles, block_size>>>(d_x, n, d_y, d_prefix, d_ready);
    CHECK_LAUNCH();
}
