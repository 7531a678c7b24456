// Sums and prefix sums across a warp and across a block, for kernels in which the sum is not the
// lesson. (Where it is, in reduce_atomic, the chapter's tree stands step by step.)
// CUB has them all; these run on the CPU device too.
//
// Idea: warp shuffles, CUDA C++ Programming Guide, "Warp Shuffle Functions".
#pragma once

#include <cuda_runtime.h>

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
// 32: there a shuffle from a lane that does not exist would return an undefined value.
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
        // A block of fewer threads than warps does not exist, so the first lanes suffice.
        const int lanes = min(warp_size, block_size);
        value = warp_sum(tid < warps ? s_warp_sums[tid] : T(0), lanes);
    }
    __syncthreads();  // warp 0 has read them before a next call overwrites them
    return value;
}

// The sum of `value` over the threads of the block before the calling one; `total` becomes the sum
// over all. For one-dimensional blocks of whole warps; all threads must call it, and meet at a
// barrier before they call it again.
template <typename T>
__device__ T block_prefix_sum(T value, T& total) {
    __shared__ T s_warp_sums[max_warps_per_block];
    const int lane = static_cast<int>(threadIdx.x) % warp_size;
    const int warp = static_cast<int>(threadIdx.x) / warp_size;
    const int warps = static_cast<int>(blockDim.x) / warp_size;
    T up_to_here = value;
    for (int offset = 1; offset < warp_size; offset *= 2) {
        const T before = __shfl_up_sync(0xffffffffu, up_to_here, offset);
        if (lane >= offset) {
            up_to_here += before;
        }
    }
    if (lane == warp_size - 1) {
        s_warp_sums[warp] = up_to_here;
    }
    __syncthreads();  // all warps' sums are there before anyone adds them up
    T start = up_to_here - value;
    total = 0;
    for (int w = 0; w < warps; ++w) {
        start += w < warp ? s_warp_sums[w] : 0;
        total += s_warp_sums[w];
    }
    return start;
}

// Rounding steps that a term can pass through in block_sum: five shuffles, twice.
constexpr int block_sum_additions = 10;
