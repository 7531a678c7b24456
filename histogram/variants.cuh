// The table of variants of histogram: what the program shows, the tests check and the benchmark
// times.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "harness/variant.cuh"
#include "histogram/1_global.cuh"
#include "histogram/2_shared.cuh"
#include "histogram/3_warp_aggregated.cuh"
#include "histogram/4_private_copies.cuh"
#include "histogram/fast/bank_per_lane.cuh"
#include "histogram/fast/cub.cuh"
#include "histogram/fast/one_launch.cuh"
#include "histogram/fast/vectorized.cuh"
#include "histogram/problem.cuh"
#include "histogram/wrong_fixed_256.cuh"
#include "histogram/wrong_no_merge_barrier.cuh"
#include "histogram/wrong_plain_increment.cuh"

// Runs a launcher that takes the bytes, the bins, a block size and a grid size.
template <int launch(const unsigned char*, std::size_t, int, BinCount*, int, int)>
void run_histogram(HistogramProblem& p) {
    p.launched = launch(p.d_bytes(), p.n(), p.bins(), p.d_bins(), p.block_size, p.grid_size);
}

inline void run_one_launch(HistogramProblem& p) {
    p.launched = launch_one_launch(p.d_bytes(), p.n(), p.bins(), p.d_bins(), p.d_barrier(),
                                   p.next_generation(), p.block_size, p.grid_size);
}

#ifndef CPU_DEVICE
// CUB's counters have the type that it is given: with 64 bits it takes seven times as long, so it
// gets 32 wherever no total can exceed them.
inline void run_cub(HistogramProblem& p, void* d_storage, std::size_t& bytes) {
    if (p.n() <= 0xffffffffu) {
        cub_histogram(p.d_bytes(), p.n(), p.bins(), d_storage, bytes, p.d_narrow_bins());
    } else {
        cub_histogram(p.d_bytes(), p.n(), p.bins(), d_storage, bytes, p.d_bins());
    }
}
#endif

inline std::vector<harness::Variant<HistogramProblem>> histogram_variants() {
    using Row = harness::Variant<HistogramProblem>;
    using harness::Kind;
    constexpr int book_block_size = 256;  // CUDA by Example, chapter 9
    constexpr int fast_block_size = 512;  // fewer, larger blocks merge less
    // Four steps of four 16-byte loads in each of two blocks of 64 threads, and a few single bytes.
    constexpr std::size_t vectorized_steps = 2 * 64 * 16 * 16 + 21;
    return {
        Row{"global", "one atomicAdd in global memory per byte", Kind::right,
            run_histogram<launch_global>}
            .from("1_global.cuh")
            .with_block(book_block_size),
        Row{"shared", "each block counts in shared memory, then merges", Kind::right,
            run_histogram<launch_shared>}
            .from("2_shared.cuh")
            .with_block(book_block_size),
        Row{"warp_aggregated", "lanes with the same value count together", Kind::right,
            run_histogram<launch_warp_aggregated>}
            .from("3_warp_aggregated.cuh")
            .with_block(book_block_size),
        Row{"private_copies", "each warp has its own bins", Kind::right,
            run_histogram<launch_private_copies>}
            .from("4_private_copies.cuh")
            .with_block(book_block_size),
        Row{"vectorized", "private copies; 16-byte loads, several in flight", Kind::right,
            run_histogram<launch_vectorized>}
            .from("fast/vectorized.cuh")
            .in_record()
            .with_block(fast_block_size)
            .with_smallest_n(vectorized_steps),
        Row{"bank_per_lane", "32 interleaved copies, each lane in its own bank", Kind::right,
            run_histogram<launch_bank_per_lane>}
            .from("fast/bank_per_lane.cuh")
            .in_record()
            .with_block(fast_block_size)
            .with_smallest_n(vectorized_steps),
        Row{"one_launch", "the first block zeroes the totals while the others count", Kind::right,
            run_one_launch}
            .from("fast/one_launch.cuh")
            .in_record()
            .with_block(fast_block_size)
            .with_smallest_n(vectorized_steps),
#ifndef CPU_DEVICE
        Row{"cub", "cub::DeviceHistogram::HistogramEven", Kind::library,
            [](HistogramProblem& p) {
                if (p.n() == 0) {  // whatever the library does without work
                    CHECK(cudaMemsetAsync(p.d_bins(), 0, p.bins() * sizeof(BinCount)));
                    return;
                }
                std::size_t bytes = p.storage_bytes();
                run_cub(p, p.d_storage(), bytes);
            }}
            .from("fast/cub.cuh")
            .with_fixed_block(0)
            .with_prepare([](HistogramProblem& p) {
                std::size_t bytes = 0;
                if (p.n() > 0) {
                    run_cub(p, nullptr, bytes);
                }
                p.reserve(bytes);
            }),
#endif
        Row{"plain_increment", "++d_bins[value]: threads overwrite each other's counts", Kind::race,
            run_histogram<launch_plain_increment>}
            .from("wrong_plain_increment.cuh")
            .instead_of("global")
            .with_block(book_block_size),
        Row{"no_merge_barrier", "no __syncthreads() before the merge", Kind::unsynchronized,
            run_histogram<launch_no_merge_barrier>}
            .from("wrong_no_merge_barrier.cuh")
            .instead_of("shared")
            .with_block(book_block_size),
        Row{"fixed_256", "merges bin threadIdx.x only: right in blocks of 256, here they have 128",
            Kind::wrong_result, run_histogram<launch_fixed_256>}
            .from("wrong_fixed_256.cuh")
            .instead_of("shared")
            .with_fixed_block(128),
    };
}
