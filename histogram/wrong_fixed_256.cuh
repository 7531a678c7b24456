// Wrong on purpose: 2_shared.cuh with the assumption of CUDA by Example, chapter 9, that a block
// has as many threads as there are bins. Thread t adds bin t to the totals, and no thread adds the
// bins from blockDim.x on.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

#include "common/error.cuh"
#include "common/launch.cuh"
#include "common/shared_memory.cuh"
#include "histogram/2_shared.cuh"
#include "histogram/bins.hpp"

__global__ void histogram_fixed_256(const unsigned char* d_bytes, std::size_t n, int bins,
                                    BinCount* d_bins) {
    unsigned* s_bins = common::dynamic_shared<unsigned>();
    for (int bin = threadIdx.x; bin < bins; bin += blockDim.x) {
        s_bins[bin] = 0;
    }
    __syncthreads();
    count_in_shared(d_bytes, n, bins, s_bins);
    __syncthreads();
    const int bin = threadIdx.x;  // wrong: fixed_256
    if (bin < bins) {             // not in the book: there a larger block writes beyond the totals
        atomicAdd(&d_bins[bin], BinCount{s_bins[bin]});
    }
}

inline int launch_fixed_256(const unsigned char* d_bytes, std::size_t n, int bins, BinCount* d_bins,
                            int block_size, int grid_size) {
    CHECK(cudaMemsetAsync(d_bins, 0, bins * sizeof(BinCount)));
    grid_size = grid_size > 0 ? grid_size : common::blocks_to_fill_device(n, block_size);
    grid_size = blocks_for_counters(n, grid_size);
    histogram_fixed_256<<<grid_size, block_size, bins * sizeof(unsigned)>>>(d_bytes, n, bins,
                                                                            d_bins);
    CHECK_LAUNCH();
    return grid_size;
}
