// The table of variants of histogram: what main runs and the tests check.
#pragma once

#include <vector>

#include "histogram/histogram.cuh"
#include "histogram/histogram_fast.cuh"
#include "histogram/histogram_wrong.cuh"

inline std::vector<Variant<HistogramProblem>> histogram_variants() {
    return {
        {"global", "one atomicAdd in global memory per byte", Kind::right, run_global},
        {"shared", "each block counts in shared memory, then merges", Kind::right, run_shared},
        {"warp_aggregated", "lanes with the same value count together", Kind::right,
         run_warp_aggregated},
        {"private_copies", "each warp has its own bins", Kind::right, run_private_copies},
        {"wide_loads", "16-byte loads, several in flight", Kind::right, run_wide_loads},
        {"bank_per_lane", "32 interleaved copies, each lane in its own bank", Kind::right,
         run_bank_per_lane},
        {"one_launch", "the first block zeroes the totals while the others count", Kind::right,
         run_one_launch},
#ifdef __CUDACC__
        {"cub", "cub::DeviceHistogram::HistogramEven", Kind::library, run_cub},
#endif
        {"plain_increment", "++d_bins[value]: threads overwrite each other's counts", Kind::race,
         run_plain_increment, nullptr, "global"},
        {"no_merge_barrier", "no __syncthreads() before the merge", Kind::order,
         run_no_merge_barrier, nullptr, "shared"},
        {"fixed_256", "merges bin threadIdx.x only, right in blocks of 256: here blocks have 128",
         Kind::wrong_result, run_fixed_256, nullptr, "shared"},
    };
}
