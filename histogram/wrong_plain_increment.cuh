// Wrong on purpose: 1_global.cuh without the atomic. `++d_bins[value]` is a read, an addition and a
// write. A thread that reads between another thread's read and its write undoes that count.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

#include "common/error.cuh"
#include "common/launch.cuh"
#include "histogram/bins.hpp"

__global__ void histogram_plain_increment(const unsigned char* d_bytes, std::size_t n, int bins,
                                          BinCount* d_bins) {
    const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
    std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    for (; i < n; i += stride) {
        const int value = d_bytes[i];
        if (value < bins) {
            ++d_bins[value];  // race: plain_increment
        }
    }
}

inline int launch_plain_increment(const unsigned char* d_bytes, std::size_t n, int bins,
                                  BinCount* d_bins, int block_size, int grid_size) {
    CHECK(cudaMemsetAsync(d_bins, 0, bins * sizeof(BinCount)));
    grid_size = grid_size > 0 ? grid_size : common::blocks_to_fill_device(n, block_size);
    histogram_plain_increment<<<grid_size, block_size>>>(d_bytes, n, bins, d_bins);
    CHECK_LAUNCH();
    return grid_size;
}
