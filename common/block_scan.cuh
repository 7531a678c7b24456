// Scans (prefix sums) by one block: of a value per thread, and of an array in shared memory. A scan
// of counts says where each group begins when the groups' members stand one after another:
//
//     counts  3 1 0 2      exclusive scan  0 3 4 4      total  6
//
// For arrays in global memory: scan.cuh. CUB has them too, as BlockScan; these run on the CPU
// device as well.
//
// Idea: warp shuffles, CUDA C++ Programming Guide, "Warp Shuffle Functions".
#pragma once

#include <cuda_runtime.h>

#include "common/block_reduce.cuh"

namespace common {

// The sum of `value` over the threads of the block before the calling one; `total` becomes the sum
// over all. For one-dimensional blocks of whole warps. All threads must call it, and there must be
// a barrier before they call it again.
template <typename T>
__device__ T block_exclusive_scan(T value, T& total) {
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
    __syncthreads();  // all warps' sums are there before any thread adds them up
    T start = up_to_here - value;
    total = 0;
    for (int w = 0; w < warps; ++w) {
        start += w < warp ? s_warp_sums[w] : 0;
        total += s_warp_sums[w];
    }
    return start;
}

// Replaces each of `count` numbers in shared memory by the sum of those before it, and returns the
// sum of all. For one-dimensional blocks of whole warps. All threads must call it, after a barrier;
// it ends with one.
__device__ inline unsigned exclusive_scan_shared(unsigned* s_values, unsigned count) {
    // Each thread adds up consecutive values: an odd number of them, so that the threads of a warp
    // use different banks.
    const unsigned per_thread = (count + blockDim.x - 1) / blockDim.x | 1;
    const unsigned begin = min(threadIdx.x * per_thread, count);
    const unsigned end = min(begin + per_thread, count);
    unsigned sum = 0;
    for (unsigned i = begin; i < end; ++i) {
        sum += s_values[i];
    }
    unsigned total = 0;
    unsigned start = block_exclusive_scan(sum, total);
    for (unsigned i = begin; i < end; ++i) {
        const unsigned value = s_values[i];
        s_values[i] = start;
        start += value;
    }
    __syncthreads();  // all values are replaced, and block_exclusive_scan may be called again
    return total;
}

}  // namespace common
