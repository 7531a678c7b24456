// The histogram of bytes. In the order of the lesson:
//
//   global           one atomicAdd in global memory per byte
//   shared           each block counts in shared memory and adds its bins to the totals at its end
//   warp_aggregated  lanes that hold the same value count together: one atomicAdd for all of them
//   private_copies   each warp has bins of its own, so the block's warps never meet
//
// All kernels count d_bytes[begin] .. d_bytes[end - 1] and add to the `bins` totals in d_bins
// (bins = 1 .. 256; a byte of value >= bins is not counted). They add to what is there, and indices
// are 64 bits wide: an array of any length can be counted piece by piece.
//
// Sources of the ideas: CUDA by Example, chapter 9 (global, shared); ECE408, lecture 18 (why);
// Numba for CUDA, part 4 (bytes without a bin).
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "common/block_reduce.cuh"
#include "common/device_array.cuh"
#include "common/error.cuh"
#include "common/launch.cuh"
#include "common/shared_memory.cuh"
#include "common/variant.cuh"
#include "histogram/histogram_cpu.hpp"

namespace {

// --- global: one word for all threads of the grid

// All threads of the grid share the totals. The index is 64 bits wide: with the book's int, an
// array of 2^31 bytes makes `i` negative. `stride` is the number of threads, so neighbouring
// threads read neighbouring bytes, and a grid of any size covers any length.
__global__ void histogram_global(const unsigned char* d_bytes, std::size_t begin, std::size_t end,
                                 int bins, BinCount* d_bins) {
    const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
    std::size_t i = begin + std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    for (; i < end; i += stride) {
        const int value = d_bytes[i];
        if (value < bins) {
            // Every thread that holds this value waits here in line, over the whole device.
            atomicAdd(&d_bins[value], BinCount{1});
        }
    }
}

}  // namespace

// The whole trip by hand: allocate, copy, zero, launch, check, copy back, free. Everything else in
// this project does these steps through DeviceArray and the harness. Returns the `bins` totals.
inline std::vector<BinCount> histogram_by_hand(const std::vector<unsigned char>& h_bytes, int bins,
                                               int block_size) {
    const std::size_t n = h_bytes.size();
    std::vector<BinCount> h_bins(bins);
    const std::size_t bins_bytes = bins * sizeof(BinCount);
    unsigned char* d_bytes = nullptr;
    BinCount* d_bins = nullptr;
    CHECK(cudaMalloc(reinterpret_cast<void**>(&d_bytes), std::max<std::size_t>(n, 1)));
    CHECK(cudaMalloc(reinterpret_cast<void**>(&d_bins), bins_bytes));
    CHECK(cudaMemcpy(d_bytes, h_bytes.data(), n, cudaMemcpyHostToDevice));
    CHECK(cudaMemset(d_bins, 0, bins_bytes));  // atomicAdd adds to what is there: start from 0

    const int grid_size = blocks_to_fill_device(n, block_size);
    histogram_global<<<grid_size, block_size>>>(d_bytes, 0, n, bins, d_bins);
    CHECK_LAUNCH();

    CHECK(cudaMemcpy(h_bins.data(), d_bins, bins_bytes, cudaMemcpyDeviceToHost));  // waits
    CHECK(cudaFree(d_bins));
    CHECK(cudaFree(d_bytes));
    return h_bins;
}

// The most bytes that a block is to count where its counters have 32 bits. A block may get one
// round of its threads' loads above the average, at most 1024 * 16 + 30 bytes: far from 2^32 still.
constexpr std::size_t most_bytes_per_block = std::size_t{1} << 31;

// `grid_size` blocks, or more where `n` bytes would give a block more than `most` on average.
inline int blocks_for_counters(std::size_t n, int grid_size, std::size_t most) {
    return std::max(grid_size, static_cast<int>((n + most - 1) / most));
}

// For a launch that zeroes the totals itself (one_launch in histogram_fast.cuh).
struct FirstBlock {
    unsigned arrived;  // blocks of this launch that have begun; atomicInc brings it back to 0
    unsigned launch;   // the last launch whose totals are zeroed
};

// The problem that all variants solve.
class HistogramProblem : public Problem {
  public:
    // h_bytes: what to count. bins: 1 .. 256. threads_a_block: 0: each variant's own choice.
    // `shift`: leave this many bytes free before the bytes on the device, so that the first one
    // stands at any alignment.
    HistogramProblem(const std::vector<unsigned char>& h_bytes, int number_of_bins,
                     int threads_a_block, std::size_t shift = 0)
        : end(h_bytes.size()),
          bins(number_of_bins),
          block_size(threads_a_block > 0 ? threads_a_block : 256),
          fast_block_size(threads_a_block > 0 ? threads_a_block : 512),
          reference_(histogram_cpu(h_bytes, checked_bins(number_of_bins))),
          input_(h_bytes.size() + shift),
          bins_(number_of_bins),
          narrow_bins_(number_of_bins),
          start_(std::vector<BinCount>(number_of_bins, 0)),
          first_(std::vector<FirstBlock>(1)) {
        d_bytes = input_.data() + shift;
        if (!h_bytes.empty()) {
            CHECK(cudaMemcpy(input_.data() + shift, h_bytes.data(), h_bytes.size(),
                             cudaMemcpyHostToDevice));
        }
    }

    // What the launchers use: count d_bytes[begin] .. d_bytes[end - 1].
    const unsigned char* d_bytes = nullptr;
    std::size_t begin = 0;
    std::size_t end;
    int bins;
    int block_size;
    int fast_block_size;  // of those in histogram_fast.cuh: fewer, larger blocks merge less
    int grid_size = 0;    // blocks to launch; 0: each variant chooses
    std::size_t counter_limit = most_bytes_per_block;
    int launched = 0;  // blocks of the last launch

    std::size_t n() const { return end - begin; }
    BinCount* d_bins() { return bins_.data(); }
    // Scratch of at least this many bytes; it grows in a variant's first run, which is not timed.
    void* d_scratch(std::size_t bytes) {
        if (scratch_.size() < bytes) {
            scratch_ = DeviceArray<unsigned char>(bytes);
        }
        return scratch_.data();
    }

    // Blocks to launch where a variant would choose `chosen`.
    int blocks(int chosen) {
        launched = blocks_for_counters(n(), grid_size > 0 ? grid_size : chosen, counter_limit);
        return launched;
    }

    // For one_launch, which sets the totals itself: what they start from, its two words, and a
    // number that no launch before had.
    const BinCount* d_start() const { return start_.data(); }
    FirstBlock* d_first() { return first_.data(); }
    unsigned next_launch() { return ++launches_; }

    // Sets the totals to their start values, in stream order.
    void start_bins() {
        if (counts_on_) {
            CHECK(cudaMemcpyAsync(bins_.data(), start_.data(), bins_.bytes(),
                                  cudaMemcpyDeviceToDevice));
        } else {
            CHECK(cudaMemsetAsync(bins_.data(), 0, bins_.bytes()));
        }
    }

    // Lets the totals start from those of earlier pieces (`bins` of them) instead of from 0.
    void count_on_from(const std::vector<BinCount>& h_totals) {
        start_ = DeviceArray<BinCount>(h_totals);
        counts_on_ = true;
        for (int bin = 0; bin < bins; ++bin) {
            reference_[bin] += h_totals[bin];
        }
    }
    // Treats the bytes as the elements first, first + 1, ... of a longer array whose other elements
    // no kernel may touch: what an index of 32 bits cannot do.
    void number_from(std::size_t first) {
        d_bytes -= first;
        begin += first;
        end += first;
    }

    // For CUB, whose counters have 32 bits where that is enough: the bins that hold the result
    // then.
    std::uint32_t* d_narrow_bins() {
        narrow_ = true;
        return narrow_bins_.data();
    }

    std::vector<BinCount> result() const {
        if (narrow_) {
            const std::vector<std::uint32_t> h_bins = narrow_bins_.to_host();
            return {h_bins.begin(), h_bins.end()};
        }
        return bins_.to_host();
    }
    const std::vector<BinCount>& reference() const { return reference_; }

    std::vector<Span> inputs() const override { return {{input_.data(), input_.bytes()}}; }
    void poison() override {
        bins_.poison();
        narrow_bins_.poison();
        narrow_ = false;
    }
    Verdict check() override {
        Verdict verdict = check_equal(result(), reference_, "bin");
        if (verdict.holds()) {
            verdict.detail.clear();  // "ok" says it all: counts are equal or wrong
        }
        return verdict;
    }

  private:
    static int checked_bins(int number) {
        if (number < 1 || number > byte_values) {
            throw std::invalid_argument(std::to_string(number) + " bins; expected 1 to 256");
        }
        return number;
    }

    std::vector<BinCount> reference_;
    DeviceArray<unsigned char> input_;
    DeviceArray<BinCount> bins_;
    DeviceArray<std::uint32_t> narrow_bins_;
    bool narrow_ = false;  // the last run left its result in narrow_bins_
    DeviceArray<BinCount> start_;
    DeviceArray<FirstBlock> first_;
    unsigned launches_ = 0;
    bool counts_on_ = false;
    DeviceArray<unsigned char> scratch_;
};

inline void run_global(HistogramProblem& p) {
    p.start_bins();
    const int grid_size = p.blocks(blocks_to_fill_device(p.n(), p.block_size));
    histogram_global<<<grid_size, p.block_size>>>(p.d_bytes, p.begin, p.end, p.bins, p.d_bins());
    CHECK_LAUNCH();
}

namespace {

// --- shared: bins for each block

// The block's own bins, in shared memory: only its threads meet there, a few cycles away instead of
// in the L2 cache. At its end the block adds each bin once to the totals: gridDim.x * bins global
// atomics in place of one per byte.
//
// The loops over the bins stride by blockDim.x: the book has `s_bins[threadIdx.x]` there, which is
// right only if a block has exactly as many threads as there are bins. The totals have 64 bits. The
// block's counters have 32: shared memory adds those in one instruction, while nvcc makes a loop of
// compare-and-swap of a 64-bit addition. The launcher keeps a block's share below 2^32 bytes.
__global__ void histogram_shared(const unsigned char* d_bytes, std::size_t begin, std::size_t end,
                                 int bins, BinCount* d_bins) {
    unsigned* s_bins = dynamic_shared<unsigned>();
    for (int bin = threadIdx.x; bin < bins; bin += blockDim.x) {
        s_bins[bin] = 0;
    }
    __syncthreads();  // all bins are zero before any thread counts in one that another has zeroed

    const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
    std::size_t i = begin + std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    for (; i < end; i += stride) {
        const int value = d_bytes[i];
        if (value < bins) {
            atomicAdd(&s_bins[value], 1u);
        }
    }

    __syncthreads();  // all threads have counted before any thread reads what others counted
    for (int bin = threadIdx.x; bin < bins; bin += blockDim.x) {
        atomicAdd(&d_bins[bin], BinCount{s_bins[bin]});
    }
}

// The two ends of that kernel, for those that follow: `words` words of shared memory to zero ...
__device__ void zero_shared(unsigned* s_words, int words) {
    for (int i = threadIdx.x; i < words; i += blockDim.x) {
        s_words[i] = 0;
    }
    __syncthreads();
}

// ... and the sum of `copies` copies of the bins to the totals. Copy c of a bin: s_bins[c * bins +
// bin].
__device__ void merge_copies(const unsigned* s_bins, int copies, int bins, BinCount* d_bins) {
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

}  // namespace

inline void run_shared(HistogramProblem& p) {
    p.start_bins();
    const int grid_size = p.blocks(blocks_to_fill_device(p.n(), p.block_size));
    histogram_shared<<<grid_size, p.block_size, p.bins * sizeof(unsigned)>>>(
        p.d_bytes, p.begin, p.end, p.bins, p.d_bins());
    CHECK_LAUNCH();
}

namespace {

// --- warp_aggregated: one addition for equal lanes

// As shared, but the lanes of a warp that hold the same value find each other first
// (__match_any_sync), and the lowest of them adds for all: on equal bytes one addition in place of
// 32. The price is a match for every byte, whether or not any two lanes agree.
//
// All lanes of a warp must come to the match equally often, so the warp's first index decides when
// the loop ends, and a lane behind the end brings a value that has no bin.
__global__ void histogram_warp_aggregated(const unsigned char* d_bytes, std::size_t begin,
                                          std::size_t end, int bins, BinCount* d_bins) {
    unsigned* s_bins = dynamic_shared<unsigned>();
    zero_shared(s_bins, bins);

    const int lane = static_cast<int>(threadIdx.x) % warp_size;
    const int warp_begin = static_cast<int>(threadIdx.x) - lane;
    const unsigned all_lanes = existing_lanes();

    const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
    std::size_t first = begin + std::size_t{blockIdx.x} * blockDim.x + warp_begin;
    for (; first < end; first += stride) {
        const std::size_t i = first + lane;
        const int value = i < end ? d_bytes[i] : byte_values;
        const unsigned same = __match_any_sync(all_lanes, value);
        const bool lowest = __ffs(static_cast<int>(same)) - 1 == lane;
        if (lowest && value < bins) {
            atomicAdd(&s_bins[value], static_cast<unsigned>(__popc(same)));
        }
    }
    merge_copies(s_bins, 1, bins, d_bins);
}

}  // namespace

inline void run_warp_aggregated(HistogramProblem& p) {
    p.start_bins();
    const int grid_size = p.blocks(blocks_to_fill_device(p.n(), p.block_size));
    histogram_warp_aggregated<<<grid_size, p.block_size, p.bins * sizeof(unsigned)>>>(
        p.d_bytes, p.begin, p.end, p.bins, p.d_bins());
    CHECK_LAUNCH();
}

namespace {

// --- private_copies: bins for each warp

// As shared, but each warp has a copy of the bins: warps of a block no longer meet on a word. The
// copies cost memory (a warp's share of 256 bins is 1 KiB) and a longer merge.
__global__ void histogram_private_copies(const unsigned char* d_bytes, std::size_t begin,
                                         std::size_t end, int bins, BinCount* d_bins) {
    unsigned* s_bins = dynamic_shared<unsigned>();
    const int warps = (static_cast<int>(blockDim.x) + warp_size - 1) / warp_size;
    unsigned* s_mine = s_bins + static_cast<int>(threadIdx.x) / warp_size * bins;
    zero_shared(s_bins, warps * bins);

    const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
    std::size_t i = begin + std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    for (; i < end; i += stride) {
        const int value = d_bytes[i];
        if (value < bins) {
            atomicAdd(&s_mine[value], 1u);  // the 32 lanes of the warp still share it
        }
    }
    merge_copies(s_bins, warps, bins, d_bins);
}

}  // namespace

// Bytes of shared memory for one copy of the bins a warp: at most 32 KiB.
inline int warp_copies_bytes(const HistogramProblem& p, int block_size) {
    const int warps = (block_size + warp_size - 1) / warp_size;
    return warps * p.bins * static_cast<int>(sizeof(unsigned));
}

inline void run_private_copies(HistogramProblem& p) {
    p.start_bins();
    const int grid_size = p.blocks(blocks_to_fill_device(p.n(), p.block_size));
    histogram_private_copies<<<grid_size, p.block_size, warp_copies_bytes(p, p.block_size)>>>(
        p.d_bytes, p.begin, p.end, p.bins, p.d_bins());
    CHECK_LAUNCH();
}
