// 32 copies of the bins per block, interleaved so that each lane has a bank of its own: the speed
// does not depend on the bytes.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

#include "common/error.cuh"
#include "histogram/bins.hpp"
#include "histogram/fast/for_each_byte.cuh"

constexpr int copies = 32;  // lanes of a warp, and banks of shared memory
constexpr int copies_bytes = byte_values * copies * static_cast<int>(sizeof(unsigned));  // 32 KiB

// Shared memory has 32 banks, word i in bank i % 32. A warp's 32 accesses take one turn if they go
// to 32 banks, and up to 32 turns if they go to different words of one bank. Here bin b of copy c
// is word b * 32 + c, and lane c counts in copy c: whatever the bytes are, each lane is in a bank
// of its own. Lanes of different warps share a word, so the increments must be atomic; they hardly
// ever meet.
//
// All 256 values are counted (no comparison per byte), and only the first `bins` are merged.
//
// prepare() is called once in every thread, while the first loads are in flight. It must zero the
// copies, and then meet at a barrier.
template <typename Prepare>
__device__ void count_in_own_bank(const unsigned char* d_bytes, std::size_t n, unsigned* s_bins,
                                  Prepare prepare) {
    // The lane's words as rows of a table: so the compiler reaches a bin by one multiply-add. For a
    // plain `s_bins[value * copies + lane]` nvcc 13.0 shifts and merges bits, three instructions.
    using Row = unsigned[copies];
    Row* s_mine = reinterpret_cast<Row*>(s_bins + threadIdx.x % copies);
    for_each_byte(d_bytes, n, prepare, [&](unsigned value) { atomicAdd(s_mine[value], 1u); });
}

// Sets all copies to 0, 16 bytes at a time.
__device__ inline void zero_banks(unsigned* s_bins) {
    uint4* s_words = reinterpret_cast<uint4*>(s_bins);
    for (int i = threadIdx.x; i < byte_values * copies / 4; i += blockDim.x) {
        s_words[i] = uint4{0, 0, 0, 0};
    }
    __syncthreads();
}

// Adds the block's copies to the totals. A thread adds up the 32 copies of its bin. Neighboring
// threads hold neighboring bins, whose words with the same c share a bank: so each begins with
// another copy. All threads have counted before: a barrier must lie between.
//
// ready() is called in every thread before it adds to the totals: whatever it waits for, the copies
// are added up meanwhile. (A block of fewer threads than bins takes several turns, and calls it in
// each.)
template <typename Ready>
__device__ void merge_banks(const unsigned* s_bins, int bins, BinCount* d_bins, Ready ready) {
    for (int first = 0; first < bins; first += blockDim.x) {
        const int bin = first + static_cast<int>(threadIdx.x);
        unsigned sum = 0;
        if (bin < bins) {
            for (int c = 0; c < copies; ++c) {
                sum += s_bins[bin * copies + (bin + c) % copies];
            }
        }
        ready();
        if (sum > 0) {
            atomicAdd(&d_bins[bin], BinCount{sum});
        }
    }
}

// Parameters: see histogram_global.
__global__ void __launch_bounds__(1024)
    histogram_bank_per_lane(const unsigned char* d_bytes, std::size_t n, int bins,
                            BinCount* d_bins) {
    __shared__ __align__(16) unsigned s_bins[byte_values * copies];
    count_in_own_bank(d_bytes, n, s_bins, [&] { zero_banks(s_bins); });
    __syncthreads();  // all threads of the block have counted
    merge_banks(s_bins, bins, d_bins, [] {});
}

inline int launch_bank_per_lane(const unsigned char* d_bytes, std::size_t n, int bins,
                                BinCount* d_bins, int block_size, int grid_size) {
    CHECK(cudaMemsetAsync(d_bins, 0, bins * sizeof(BinCount)));
    grid_size = grid_size > 0 ? grid_size : blocks_worth_their_merge(n, block_size, copies_bytes);
    grid_size = blocks_for_counters(n, grid_size);
    histogram_bank_per_lane<<<grid_size, block_size>>>(d_bytes, n, bins, d_bins);
    CHECK_LAUNCH();
    return grid_size;
}
