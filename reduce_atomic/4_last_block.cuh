// Variant 4: no atomicAdd on the sum. Each block stores its sum, and the last block to finish adds
// the blocks' sums, in an order that is always the same: so are the bits of the sum.
//
// Source of the idea: NVIDIA's CUDA sample threadFenceReduction.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

#include "common/block_reduce.cuh"
#include "common/error.cuh"
#include "common/launch.cuh"
#include "reduce_atomic/3_warp_shuffle.cuh"

// d_x: n numbers. d_partial: gridDim.x words. d_ticket: a counter, 0 before the first launch.
// d_sum: one word.
//
// Two orders are needed. A block's sum must be in memory before its ticket counts: the fence before
// atomicInc gives that. The last block must not read the sums before it has its ticket: the fence
// after atomicInc gives that, and the barrier passes it on to the block's other threads. atomicInc
// goes back to 0 after gridDim.x - 1, so the counter is ready for the next launch.
template <typename T>
__global__ void reduce_last_block(const T* d_x, std::size_t n, T* d_partial, unsigned* d_ticket,
                                  T* d_sum) {
    // Phase 1: every block stores its sum and takes a ticket.
    __shared__ bool s_is_last;
    const T sum = common::block_sum(grid_stride_sum(d_x, n));
    if (threadIdx.x == 0) {
        d_partial[blockIdx.x] = sum;
        __threadfence();
        const unsigned ticket = atomicInc(d_ticket, gridDim.x - 1);
        __threadfence();
        s_is_last = ticket == gridDim.x - 1;
    }
    __syncthreads();
    // Phase 2: the block with the last ticket adds the blocks' sums, always in the same order.
    if (s_is_last) {
        T total = 0;
        for (unsigned block = threadIdx.x; block < gridDim.x; block += blockDim.x) {
            total += d_partial[block];
        }
        total = common::block_sum(total);
        if (threadIdx.x == 0) {
            *d_sum = total;
        }
    }
}

template <typename T>
void launch_last_block(const T* d_x, std::size_t n, T* d_partial, unsigned* d_ticket, T* d_sum,
                       int block_size) {
    const int grid_size = common::blocks_to_fill_device(n, block_size);
    reduce_last_block<<<grid_size, block_size>>>(d_x, n, d_partial, d_ticket, d_sum);
    CHECK_LAUNCH();
}
