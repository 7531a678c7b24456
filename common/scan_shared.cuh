// Prefix sums of an array of counts in shared memory, by one block: where each group begins when
// the groups' members are to stand one after another. (For arrays in global memory: scan.cuh.)
#pragma once

#include <cuda_runtime.h>

#include "common/block_reduce.cuh"

namespace {

// Replaces each of `count` numbers in shared memory by the sum of those before it, and returns the
// sum of all. For blocks of whole warps; all threads must call it, after a barrier; it ends in one.
__device__ inline unsigned exclusive_scan_shared(unsigned* s_values, unsigned count) {
    // Each thread adds up a row of neighbours; an odd number of them, so that the threads of a warp
    // meet in different banks.
    const unsigned each = (count + blockDim.x - 1) / blockDim.x | 1;
    const unsigned begin = min(threadIdx.x * each, count);
    const unsigned end = min(begin + each, count);
    unsigned sum = 0;
    for (unsigned i = begin; i < end; ++i) {
        sum += s_values[i];
    }
    unsigned total = 0;
    unsigned start = block_prefix_sum(sum, total);
    for (unsigned i = begin; i < end; ++i) {
        const unsigned value = s_values[i];
        s_values[i] = start;
        start += value;
    }
    __syncthreads();  // the result stands, and block_prefix_sum may be called again
    return total;
}

}  // namespace
