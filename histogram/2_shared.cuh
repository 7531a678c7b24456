// Variant 2: each block counts in bins of its own, in shared memory, and adds them to the totals at
// its end. This is privatization: a private histogram per block.
//
// Source of the idea: CUDA by Example, chapter 9; ECE408, lecture 18.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

#include "../common/error.cuh"
#include "../common/launch.cuh"
#include "bins.hpp"

// Counts the bytes that fall to the calling thread in the block's bins. Counters have 32 bits:
// shared memory adds those in one instruction. The launcher gives no block 2^32 bytes.
__device__ inline void count_in_shared(const unsigned char* d_bytes, std::size_t n, int bins,
                                       unsigned* s_bins) {
    const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
    std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    for (; i < n; i += stride) {
        const int value = d_bytes[i];
        if (value < bins) {
            atomicAdd(&s_bins[value], 1u);
        }
    }
}

// Parameters: see histogram_global. `bins` words of dynamic shared memory.
__global__ void histogram_shared(const unsigned char* d_bytes, std::size_t n, int bins,
                                 BinCount* d_bins) {
    extern __shared__ unsigned s_bins[];
    for (int bin = threadIdx.x; bin < bins; bin += blockDim.x) {  // any block size, any bins
        s_bins[bin] = 0;
    }
    __syncthreads();  // all bins are 0 before any thread counts
    count_in_shared(d_bytes, n, bins, s_bins);
    __syncthreads();  // all threads have counted before any thread adds a bin to the totals
    for (int bin = threadIdx.x; bin < bins; bin += blockDim.x) {
        atomicAdd(&d_bins[bin], BinCount{s_bins[bin]});
    }
}

inline int launch_shared(const unsigned char* d_bytes, std::size_t n, int bins, BinCount* d_bins,
                         int block_size, int grid_size) {
    CHECK(cudaMemsetAsync(d_bins, 0, bins * sizeof(BinCount)));
    grid_size = grid_size > 0 ? grid_size : common::blocks_to_fill_device(n, block_size);
    grid_size = blocks_for_counters(n, grid_size);
    histogram_shared<<<grid_size, block_size, bins * sizeof(unsigned)>>>(d_bytes, n, bins, d_bins);
    CHECK_LAUNCH();
    return grid_size;
}
