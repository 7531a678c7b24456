// Variant 3: as shared, but the lanes of a warp that hold the same value count together: one
// atomicAdd for all of them.
//
// Source of the idea: CUDA C++ Programming Guide, "Warp Match Functions".
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

#include "common/block_reduce.cuh"
#include "common/error.cuh"
#include "common/launch.cuh"
#include "common/shared_memory.cuh"
#include "histogram/bins.hpp"
#include "histogram/shared_bins.cuh"

// Parameters: see histogram_global. `bins` words of dynamic shared memory.
//
// __match_any_sync gives each lane a mask of the lanes that hold the same value. The lowest of them
// adds for all. On equal bytes that is one addition in place of 32. The price is a match for every
// byte, whether two lanes agree or not.
//
// All lanes of a warp must call __match_any_sync equally often. So the warp's first index decides
// when the loop ends, and a lane beyond the end takes part with a value that has no bin.
__global__ void histogram_warp_aggregated(const unsigned char* d_bytes, std::size_t n, int bins,
                                          BinCount* d_bins) {
    unsigned* s_bins = common::dynamic_shared<unsigned>();
    zero_shared(s_bins, bins);

    const int lane = static_cast<int>(threadIdx.x) % common::warp_size;
    const int warp_begin = static_cast<int>(threadIdx.x) - lane;
    const unsigned existing = common::existing_lanes();
    const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
    std::size_t first = std::size_t{blockIdx.x} * blockDim.x + warp_begin;
    for (; first < n; first += stride) {
        const std::size_t i = first + lane;
        const int value = i < n ? d_bytes[i] : byte_values;
        const unsigned same = __match_any_sync(existing, value);
        const bool lowest = __ffs(static_cast<int>(same)) - 1 == lane;
        if (lowest && value < bins) {
            atomicAdd(&s_bins[value], static_cast<unsigned>(__popc(same)));
        }
    }
    merge_copies(s_bins, 1, bins, d_bins);
}

inline int launch_warp_aggregated(const unsigned char* d_bytes, std::size_t n, int bins,
                                  BinCount* d_bins, int block_size, int grid_size) {
    CHECK(cudaMemsetAsync(d_bins, 0, bins * sizeof(BinCount)));
    grid_size = grid_size > 0 ? grid_size : common::blocks_to_fill_device(n, block_size);
    grid_size = blocks_for_counters(n, grid_size);
    histogram_warp_aggregated<<<grid_size, block_size, bins * sizeof(unsigned)>>>(d_bytes, n, bins,
                                                                                  d_bins);
    CHECK_LAUNCH();
    return grid_size;
}
