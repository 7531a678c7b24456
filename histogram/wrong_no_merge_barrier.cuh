// Wrong on purpose: 2_shared.cuh without the barrier before the merge. A thread that is done adds
// its bins to the totals while other threads still count in them. What they count later is lost.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

#include "common/error.cuh"
#include "common/launch.cuh"
#include "common/shared_memory.cuh"
#include "histogram/2_shared.cuh"
#include "histogram/bins.hpp"

__global__ void histogram_no_merge_barrier(const unsigned char* d_bytes, std::size_t n, int bins,
                                           BinCount* d_bins) {
    unsigned* s_bins = common::dynamic_shared<unsigned>();
    for (int bin = threadIdx.x; bin < bins; bin += blockDim.x) {
        s_bins[bin] = 0;
    }
    __syncthreads();
    count_in_shared(d_bytes, n, bins, s_bins);
    for (int bin = threadIdx.x; bin < bins; bin += blockDim.x) {
        atomicAdd(&d_bins[bin], BinCount{s_bins[bin]});  // race: no_merge_barrier
    }
}

inline int launch_no_merge_barrier(const unsigned char* d_bytes, std::size_t n, int bins,
                                   BinCount* d_bins, int block_size, int grid_size) {
    CHECK(cudaMemsetAsync(d_bins, 0, bins * sizeof(BinCount)));
    grid_size = grid_size > 0 ? grid_size : common::blocks_to_fill_device(n, block_size);
    grid_size = blocks_for_counters(n, grid_size);
    histogram_no_merge_barrier<<<grid_size, block_size, bins * sizeof(unsigned)>>>(d_bytes, n, bins,
                                                                                   d_bins);
    CHECK_LAUNCH();
    return grid_size;
}
