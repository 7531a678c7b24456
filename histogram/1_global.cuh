// Variant 1: one atomicAdd in global memory per byte.
//
// Source of the idea: CUDA by Example, chapter 9; ECE408, lecture 18.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

#include "../common/error.cuh"
#include "../common/launch.cuh"
#include "bins.hpp"

// d_bytes: n bytes. d_bins: `bins` counts (1 ... 256), 0 before the launch; a byte of value >= bins
// is not counted. A grid of any size.
//
// All threads of the grid share the bins. Threads whose bytes are equal wait for each other, over
// the whole device. The index has 64 bits: with an int, an array of 2^31 bytes makes i negative.
__global__ void histogram_global(const unsigned char* d_bytes, std::size_t n, int bins,
                                 BinCount* d_bins) {
    const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
    std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    for (; i < n; i += stride) {
        const int value = d_bytes[i];
        if (value < bins) {
            atomicAdd(&d_bins[value], BinCount{1});
        }
    }
}

// grid_size 0: as many blocks as the device can hold at a time. Returns the number of blocks.
inline int launch_global(const unsigned char* d_bytes, std::size_t n, int bins, BinCount* d_bins,
                         int block_size, int grid_size) {
    CHECK(cudaMemsetAsync(d_bins, 0, bins * sizeof(BinCount)));  // atomicAdd adds to what is there
    grid_size = grid_size > 0 ? grid_size : common::blocks_to_fill_device(n, block_size);
    histogram_global<<<grid_size, block_size>>>(d_bytes, n, bins, d_bins);
    CHECK_LAUNCH();
    return grid_size;
}
