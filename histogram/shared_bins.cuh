// The two ends of a kernel that counts in shared memory: zero the block's bins, and add them to the
// totals.
#pragma once

#include <cuda_runtime.h>

#include "histogram/bins.hpp"

// Sets `words` words of shared memory to 0. All threads of the block must call it; it ends with a
// barrier.
__device__ inline void zero_shared(unsigned* s_words, int words) {
    for (int i = threadIdx.x; i < words; i += blockDim.x) {
        s_words[i] = 0;
    }
    __syncthreads();
}

// Adds the sum of `copies` copies of the bins to the totals. Bin b of copy c is
// s_bins[c * bins + b]. All threads of the block must call it; it begins with a barrier.
__device__ inline void merge_copies(const unsigned* s_bins, int copies, int bins,
                                    BinCount* d_bins) {
    __syncthreads();
    for (int bin = threadIdx.x; bin < bins; bin += blockDim.x) {
        unsigned sum = 0;
        for (int copy = 0; copy < copies; ++copy) {
            sum += s_bins[copy * bins + bin];
        }
        if (sum > 0) {  // a bin that the block has not met costs no atomic
            atomicAdd(&d_bins[bin], BinCount{sum});
        }
    }
}
