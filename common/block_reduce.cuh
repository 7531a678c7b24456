// Sums across a warp and across a block, for kernels in which the sum is not the lesson. (Where it
// is, in reduce_atomic, the chapter's tree stands step by step.) CUB has them too, as WarpReduce
// and BlockReduce; these run on the CPU device as well. Scans are in block_scan.cuh.
//
// Idea: warp shuffles, CUDA C++ Programming Guide, "Warp Shuffle Functions".
#pragma once

#include <cuda_runtime.h>

namespace common {

constexpr int warp_size = 32;
constexpr int max_warps_per_block = 32;

// A mask of the lanes that the calling thread's warp has: the last warp of a one-dimensional block
// whose size is no multiple of 32 has fewer than the others.
__device__ inline unsigned existing_lanes() {
    const int warp_begin = static_cast<int>(threadIdx.x) / warp_size * warp_size;
    const int lanes = min(warp_size, static_cast<int>(blockDim.x) - warp_begin);
    return 0xffffffffu >> (warp_size - lanes);
}

// The sum of `value` over the first `lanes` lanes of the calling warp, in lane 0. All of those
// lanes must call it. `lanes` is 32 except in the last warp of a block whose size is no multiple of
// 32: there a shuffle from one of the missing lanes would return an undefined value.
template <typename T>
__device__ T warp_sum(T value, int lanes = warp_size) {
    const unsigned mask = lanes == warp_size ? 0xffffffffu : (1u << lanes) - 1;
    const int lane = static_cast<int>(threadIdx.x) % warp_size;
    for (int offset = warp_size / 2; offset > 0; offset /= 2) {
        const T other = __shfl_down_sync(mask, value, offset);
        if (lane + offset < lanes) {
            value += other;
        }
    }
    return value;
}

// The sum of `value` over a one-dimensional block of any size, in thread 0. All threads must call
// it; a barrier at its end lets it be called again at once.
template <typename T>
__device__ T block_sum(T value) {
    __shared__ T s_warp_sums[max_warps_per_block];
    const int tid = static_cast<int>(threadIdx.x);
    const int block_size = static_cast<int>(blockDim.x);
    const int warp = tid / warp_size;
    const int warps = (block_size + warp_size - 1) / warp_size;

    value = warp_sum(value, min(warp_size, block_size - warp * warp_size));
    if (tid % warp_size == 0) {
        s_warp_sums[warp] = value;
    }
    __syncthreads();  // every warp's sum is in shared memory before warp 0 reads them
    if (warp == 0) {
        // One value per lane: a block has at most 32 warps, and at least as many threads.
        const int lanes = min(warp_size, block_size);
        value = warp_sum(tid < warps ? s_warp_sums[tid] : T(0), lanes);
    }
    __syncthreads();  // warp 0 has read them before a next call overwrites them
    return value;
}

// Rounding steps that a term can pass through in block_sum: five shuffles, twice.
constexpr int block_sum_additions = 10;

}  // namespace common
