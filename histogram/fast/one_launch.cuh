// As bank_per_lane, without the memset before the kernel: a block zeroes the totals while the
// others count.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cuda/atomic>

#include "common/error.cuh"
#include "histogram/bins.hpp"
#include "histogram/fast/bank_per_lane.cuh"
#include "histogram/fast/for_each_byte.cuh"

// What the blocks of a launch agree on. All 0 before the first launch.
struct ZeroingBarrier {
    unsigned arrivals;    // blocks of this launch that have begun; atomicInc sets it back to 0
    unsigned generation;  // the last launch whose totals are zeroed
};

// To zero the totals before the kernel is an operation of its own, about a microsecond of the GPU.
// Here the block that comes first does it, and the others have all their counting to do before they
// need it done.
//
// Which block comes first is drawn, not assumed: block 0 need not be among those that run, and then
// all would wait for it without end. The release store carries the zeros of the whole block, which
// the barrier has put before it, to each thread that acquires.
//
// Where there is little to count, each trip to memory shows. So the other warps zero the copies
// while the draw is on its way, and add them up while one thread reads the generation: the last
// thread, which has no bin to add up where a block has more threads than bins.
//
// d_barrier: one object. `generation`: a number that no launch before had; not 0. Other parameters:
// see histogram_global.
__global__ void __launch_bounds__(1024)
    histogram_one_launch(const unsigned char* d_bytes, std::size_t n, int bins, BinCount* d_bins,
                         ZeroingBarrier* d_barrier, unsigned generation) {
    __shared__ __align__(16) unsigned s_bins[byte_values * copies];
    __shared__ bool s_is_first;
    cuda::atomic_ref<unsigned, cuda::thread_scope_device> zeroed(d_barrier->generation);
    const auto zero_all = [&] {
        if (threadIdx.x == 0) {
            s_is_first = atomicInc(&d_barrier->arrivals, gridDim.x - 1) == 0;
        }
        zero_banks(s_bins);
        if (s_is_first) {
            for (int bin = threadIdx.x; bin < bins; bin += blockDim.x) {
                d_bins[bin] = 0;
            }
            __syncthreads();
            if (threadIdx.x == 0) {
                zeroed.store(generation, cuda::memory_order_release);
            }
        }
    };
    count_in_own_bank(d_bytes, n, s_bins, zero_all);
    __syncthreads();  // all threads of the block have counted
    merge_banks(s_bins, bins, d_bins, [&] {
        if (threadIdx.x == blockDim.x - 1) {
            while (zeroed.load(cuda::memory_order_acquire) != generation) {
            }
        }
        __syncthreads();
    });
}

inline int launch_one_launch(const unsigned char* d_bytes, std::size_t n, int bins,
                             BinCount* d_bins, ZeroingBarrier* d_barrier, unsigned generation,
                             int block_size, int grid_size) {
    grid_size = grid_size > 0 ? grid_size : blocks_worth_their_merge(n, block_size, copies_bytes);
    grid_size = blocks_for_counters(n, grid_size);
    histogram_one_launch<<<grid_size, block_size>>>(d_bytes, n, bins, d_bins, d_barrier,
                                                    generation);
    CHECK_LAUNCH();
    return grid_size;
}
