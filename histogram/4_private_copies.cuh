// Variant 4: as shared, but each warp has bins of its own, so the warps of a block never meet.
//
// Source of the idea: ECE408, lecture 18 (privatization, once more).
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

#include "common/block_reduce.cuh"
#include "common/error.cuh"
#include "common/launch.cuh"
#include "common/shared_memory.cuh"
#include "histogram/2_shared.cuh"
#include "histogram/bins.hpp"
#include "histogram/shared_bins.cuh"

// Parameters: see histogram_global. Dynamic shared memory: `bins` words per warp of the block.
//
// The 32 lanes of a warp still share its copy. The copies cost memory (256 bins are 1 KiB) and a
// longer merge.
__global__ void histogram_private_copies(const unsigned char* d_bytes, std::size_t n, int bins,
                                         BinCount* d_bins) {
    unsigned* s_bins = common::dynamic_shared<unsigned>();
    const int warps = (static_cast<int>(blockDim.x) + common::warp_size - 1) / common::warp_size;
    unsigned* s_mine = s_bins + static_cast<int>(threadIdx.x) / common::warp_size * bins;
    zero_shared(s_bins, warps * bins);
    count_in_shared(d_bytes, n, bins, s_mine);
    merge_copies(s_bins, warps, bins, d_bins);
}

// Bytes of shared memory for one copy of the bins per warp: at most 32 KiB.
inline int warp_copies_bytes(int bins, int block_size) {
    const int warps = (block_size + common::warp_size - 1) / common::warp_size;
    return warps * bins * static_cast<int>(sizeof(unsigned));
}

inline int launch_private_copies(const unsigned char* d_bytes, std::size_t n, int bins,
                                 BinCount* d_bins, int block_size, int grid_size) {
    CHECK(cudaMemsetAsync(d_bins, 0, bins * sizeof(BinCount)));
    grid_size = grid_size > 0 ? grid_size : common::blocks_to_fill_device(n, block_size);
    grid_size = blocks_for_counters(n, grid_size);
    histogram_private_copies<<<grid_size, block_size, warp_copies_bytes(bins, block_size)>>>(
        d_bytes, n, bins, d_bins);
    CHECK_LAUNCH();
    return grid_size;
}
