// One atomicAdd per warp.
//
// Source of the idea: Adinetz, "Warp-aggregated atomics", NVIDIA developer blog, 2014.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

#include "common/block_reduce.cuh"
#include "common/error.cuh"
#include "common/launch.cuh"

// One lane adds for all. Each lane computes its own old value from that of this leader and from the
// number of adding lanes before it. The word sees a 32nd of the atomics. nvcc 13.0 does this by
// itself where it can see that a warp adds ints to one word, as in count_atomic_add.
//
// Parameters: see count_atomic_add.
__global__ void count_warp_aggregated(int* d_x, std::size_t n, int* d_olds) {
    const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    const unsigned lane = threadIdx.x % common::warp_size;
    // Not all 32 lanes: the last warp of a block may have fewer.
    const unsigned adding = __ballot_sync(common::existing_lanes(), i < n);
    if (i < n) {
        const int leader = __ffs(static_cast<int>(adding)) - 1;
        int base = 0;
        if (static_cast<int>(lane) == leader) {
            base = atomicAdd(d_x, __popc(adding));
        }
        base = __shfl_sync(adding, base, leader);
        d_olds[i] = base + __popc(adding & ((1u << lane) - 1));
    }
}

inline void launch_warp_aggregated_add(int* d_x, std::size_t n, int* d_olds, int block_size) {
    CHECK(cudaMemsetAsync(d_x, 0, sizeof(int)));
    const int grid_size = common::blocks_to_cover(n, block_size);
    count_warp_aggregated<<<grid_size, block_size>>>(d_x, n, d_olds);
    CHECK_LAUNCH();
}
