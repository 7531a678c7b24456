// As private_copies, with 16-byte loads: a sixteenth of the load instructions, and four loads in
// flight per thread.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

#include "common/block_reduce.cuh"
#include "common/error.cuh"
#include "common/shared_memory.cuh"
#include "histogram/4_private_copies.cuh"
#include "histogram/bins.hpp"
#include "histogram/fast/for_each_byte.cuh"
#include "histogram/shared_bins.cuh"

// Parameters: see histogram_global. Dynamic shared memory: `bins` words per warp of the block.
__global__ void __launch_bounds__(1024)
    histogram_vectorized(const unsigned char* d_bytes, std::size_t n, int bins, BinCount* d_bins) {
    unsigned* s_bins = common::dynamic_shared<unsigned>();
    const int warps = (static_cast<int>(blockDim.x) + common::warp_size - 1) / common::warp_size;
    unsigned* s_mine = s_bins + static_cast<int>(threadIdx.x) / common::warp_size * bins;
    const auto zero = [&] { zero_shared(s_bins, warps * bins); };
    for_each_byte(d_bytes, n, zero, [&](unsigned value) {
        if (value < static_cast<unsigned>(bins)) {
            atomicAdd(&s_mine[value], 1u);
        }
    });
    merge_copies(s_bins, warps, bins, d_bins);
}

inline int launch_vectorized(const unsigned char* d_bytes, std::size_t n, int bins,
                             BinCount* d_bins, int block_size, int grid_size) {
    CHECK(cudaMemsetAsync(d_bins, 0, bins * sizeof(BinCount)));
    const int shared_bytes = warp_copies_bytes(bins, block_size);
    grid_size = grid_size > 0 ? grid_size : blocks_worth_their_merge(n, block_size, shared_bytes);
    grid_size = blocks_for_counters(n, grid_size);
    histogram_vectorized<<<grid_size, block_size, shared_bytes>>>(d_bytes, n, bins, d_bins);
    CHECK_LAUNCH();
    return grid_size;
}
