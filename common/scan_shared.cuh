// Prefix sums of an array of counts in shared memory, by one block: where each group begins when
// the groups' members are to stand one after another. (For arrays in global memory: scan.cuh.)
#pragma once

#include <cuda_runtime.h>

#include "common/block_reduce.cuh"

namespace {

// Replaces each of `count` numbers in shared memory by the sum of those before it, and returns the
// sum of all. For blocks of whole warps; all threads must call it, after a barrier; it ends in one.
__device__ inline unsigned exclusive_scan_shared(unsigned* s_values, unsigned count) {
    __shared__ unsigned s_warp_sums[max_warps_per_block];
    const unsigned lane = threadIdx.x % warp_size;
    const unsigned warp = threadIdx.x / warp_size;
    // Each thread adds up a row of neighbours; an odd number of them, so that the threads of a warp
    // meet in different banks.
    const unsigned each = (count + blockDim.x - 1) / blockDim.x | 1;
    const unsigned begin = min(threadIdx.x * each, count);
    const unsigned end = min(begin + each, count);
    unsigned sum = 0;
    for (unsigned i = begin; i < end; ++i) {
        sum += s_values[i];
    }
    unsigned up_to_here = sum;
    for (unsigned offset = 1; offset < warp_size; offset *= 2) {
        const unsigned before = __shfl_up_sync(0xffffffffu, up_to_here, offset);
        if (lane >= offset) {
            up_to_here += before;
        }
    }
    if (lane == warp_size - 1) {
        s_warp_sums[warp] = up_to_here;
    }
    __syncthreads();  // all warps' sums are there before anyone adds them up
    unsigned start = up_to_here - sum;
    unsigned total = 0;
    for (unsigned w = 0; w < blockDim.x / warp_size; ++w) {
        start += w < warp ? s_warp_sums[w] : 0;
        total += s_warp_sums[w];
    }
    for (unsigned i = begin; i < end; ++i) {
        const unsigned value = s_values[i];
        s_values[i] = start;
        start += value;
    }
    __syncthreads();  // the result stands, and s_warp_sums may be used again
    return total;
}

}  // namespace
