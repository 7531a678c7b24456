// No lock and no atomicAdd on the sum: the last block to finish adds the blocks' sums in order, so
// the result has the same bits on every run. See reduce_atomic, variant 4, for its two fences.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

#include "common/block_reduce.cuh"
#include "common/error.cuh"
#include "mutex_dot/block_dot.cuh"

// d_partial: gridDim.x words. d_finished: a counter, 0 before the first launch; atomicInc sets it
// back to 0. d_dot: one word. blockDim.x words of dynamic shared memory.
template <typename T>
__global__ void dot_last_block(const T* d_a, const T* d_b, std::size_t n, T* d_partial,
                               unsigned* d_finished, T* d_dot) {
    __shared__ bool s_is_last;
    const T sum = block_dot(d_a, d_b, n);
    if (threadIdx.x == 0) {
        d_partial[blockIdx.x] = sum;
        __threadfence();  // the sum is in memory before the block counts as finished
        s_is_last = atomicInc(d_finished, gridDim.x - 1) == gridDim.x - 1;
        __threadfence();  // no sum is read before the last block knows that it is the last
    }
    __syncthreads();
    if (s_is_last) {
        T total = 0;
        for (unsigned block = threadIdx.x; block < gridDim.x; block += blockDim.x) {
            total += d_partial[block];
        }
        total = common::block_sum(total);
        if (threadIdx.x == 0) {
            *d_dot = total;
        }
    }
}

template <typename T>
void launch_last_block(const T* d_a, const T* d_b, std::size_t n, T* d_partial,
                       unsigned* d_finished, T* d_dot, int block_size) {
    const int grid_size = dot_blocks(n, block_size);
    dot_last_block<<<grid_size, block_size, block_size * sizeof(T)>>>(d_a, d_b, n, d_partial,
                                                                      d_finished, d_dot);
    CHECK_LAUNCH();
}
