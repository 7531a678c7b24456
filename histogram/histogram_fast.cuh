// The histogram at the speed of memory, and the library beside it.
//
//   wide_loads     as private_copies, but each thread loads 16 bytes at a time, several loads ahead
//   bank_per_lane  32 copies a block, interleaved so that each lane has a bank of its own
//   one_launch     as bank_per_lane; a block zeroes the totals while the others count
#pragma once

#include <cuda/atomic>

#include "common/vector_load.cuh"
#include "histogram/histogram.cuh"

#ifdef __CUDACC__
#include <cub/device/device_histogram.cuh>
#endif

namespace {

// Packs of 16 bytes that a thread counts in a step, while the same number is on its way to it.
constexpr int packs_in_flight = 4;

// Byte 0 .. 3 of a word, 0 the lowest: one instruction, where shift and mask are two. In kernels
// that spend three or four instructions on a byte this shows.
__device__ unsigned byte_of(unsigned word, unsigned number) {
    return __byte_perm(word, 0, 0x4440 + number);  // that byte, then three zeros
}

// Starts a thread's loads of one step, all before any is waited for: packs first, first + stride,
// ...
__device__ void load_packs(uint4 (&loaded)[packs_in_flight], const uint4* d_packs,
                           std::size_t packs, std::size_t first, std::size_t stride) {
#pragma unroll
    for (int k = 0; k < packs_in_flight; ++k) {
        if (first + k * stride < packs) {
            loaded[k] = d_packs[first + k * stride];
        }
    }
}

// Calls prepare() once in every thread of the block, and then count(value) for each byte of
// d_bytes[begin] .. d_bytes[end - 1], the grid's threads sharing the work. The first loads start
// before prepare(), which zeroes the bins and waits at a barrier: so it costs no time of its own.
// And each step's loads start before the step before is counted.
//
// The last block counts the bytes outside of the packs, at most 30. Threads stride over the packs
// one by one, not by tiles of a block: no thread has more than one pack above another, whatever the
// grid, and all blocks end at about the same time.
template <typename Prepare, typename Count>
__device__ void for_each_byte(const unsigned char* d_bytes, std::size_t begin, std::size_t end,
                              Prepare prepare, Count count) {
    const std::size_t n = end - begin;
    const PackSplit split = split_into_packs(d_bytes + begin, n);
    const uint4* d_packs = reinterpret_cast<const uint4*>(d_bytes + begin + split.head);

    const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
    std::size_t first = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    uint4 loaded[packs_in_flight] = {};
    uint4 next[packs_in_flight] = {};
    load_packs(loaded, d_packs, split.packs, first, stride);
    prepare();
    while (first < split.packs) {
        const std::size_t next_first = first + packs_in_flight * stride;
        load_packs(next, d_packs, split.packs, next_first, stride);
#pragma unroll
        for (int k = 0; k < packs_in_flight; ++k) {
            if (first + k * stride < split.packs) {
                for (const unsigned word : {loaded[k].x, loaded[k].y, loaded[k].z, loaded[k].w}) {
                    count(byte_of(word, 0));
                    count(byte_of(word, 1));
                    count(byte_of(word, 2));
                    count(byte_of(word, 3));
                }
            }
            loaded[k] = next[k];
        }
        first = next_first;
    }
    if (blockIdx.x == gridDim.x - 1) {
        const std::size_t singles = split.head + (n - split.tail);
        for (std::size_t i = threadIdx.x; i < singles; i += blockDim.x) {
            count(d_bytes[begin + (i < split.head ? i : split.tail + (i - split.head))]);
        }
    }
}

// --- wide_loads: 16 bytes a load

// As private_copies, with a sixteenth of the load instructions and four loads in flight a thread.
__global__ void __launch_bounds__(1024)
    histogram_wide_loads(const unsigned char* d_bytes, std::size_t begin, std::size_t end, int bins,
                         BinCount* d_bins) {
    unsigned* s_bins = dynamic_shared<unsigned>();
    const int warps = (static_cast<int>(blockDim.x) + warp_size - 1) / warp_size;
    unsigned* s_mine = s_bins + static_cast<int>(threadIdx.x) / warp_size * bins;
    const auto zero = [&] { zero_shared(s_bins, warps * bins); };
    for_each_byte(d_bytes, begin, end, zero, [&](unsigned value) {
        if (value < static_cast<unsigned>(bins)) {
            atomicAdd(&s_mine[value], 1u);
        }
    });
    merge_copies(s_bins, warps, bins, d_bins);
}

// --- bank_per_lane: 32 copies, one in each bank

constexpr int copies = 32;  // lanes of a warp, and banks of shared memory

// Shared memory has 32 banks, word i in bank i % 32; a warp's 32 accesses take one turn if they go
// to 32 banks, and up to 32 turns if they go to different words of one bank. Here bin b of copy c
// is word b * 32 + c, and lane c counts in copy c: whatever the bytes are, each lane is in a bank
// of its own, so the speed does not depend on them. Lanes of different warps share a word, so the
// increments must stay atomic; they hardly ever meet.
//
// All 256 values are counted (no comparison for each byte), and only the `bins` first are merged.
//
// prepare() is called once in every thread, while the first loads are under way. It must zero the
// copies, and then meet at a barrier.
template <typename Prepare>
__device__ void count_in_own_bank(const unsigned char* d_bytes, std::size_t begin, std::size_t end,
                                  unsigned* s_bins, Prepare prepare) {
    // The lane's words as rows of a table: so the compiler reaches a bin by one multiply-add. For a
    // plain `s_bins[value * copies + lane]` nvcc 13.0 shifts and merges bits, three instructions.
    using Row = unsigned[copies];
    Row* s_mine = reinterpret_cast<Row*>(s_bins + threadIdx.x % copies);
    for_each_byte(d_bytes, begin, end, prepare,
                  [&](unsigned value) { atomicAdd(s_mine[value], 1u); });
}

// Sets all copies to 0, 16 bytes at a time.
__device__ void zero_banks(unsigned* s_bins) {
    uint4* s_words = reinterpret_cast<uint4*>(s_bins);
    for (int i = threadIdx.x; i < byte_values * copies / 4; i += blockDim.x) {
        s_words[i] = uint4{0, 0, 0, 0};
    }
    __syncthreads();
}

// Adds the block's copies to the totals. A thread adds up the 32 copies of its bin. Neighbouring
// threads hold neighbouring bins, whose words with the same c share a bank: so each begins with
// another copy. All threads have counted before: a barrier must lie between.
//
// ready() is called in every thread before it adds to the totals: whatever it waits for, the sums
// are made meanwhile. (A block of fewer threads than bins takes several turns, and calls it in
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

__global__ void __launch_bounds__(1024)
    histogram_bank_per_lane(const unsigned char* d_bytes, std::size_t begin, std::size_t end,
                            int bins, BinCount* d_bins) {
    __shared__ __align__(16) unsigned s_bins[byte_values * copies];  // 32 KiB
    count_in_own_bank(d_bytes, begin, end, s_bins, [&] { zero_banks(s_bins); });
    __syncthreads();  // all threads of the block have counted
    merge_banks(s_bins, bins, d_bins, [] {});
}

// --- one_launch: no memset before the kernel

// To zero the totals before the kernel is an operation of its own, about a microsecond of the GPU.
// Here the block that comes first does it, and the others have all their counting to do before they
// need it done.
//
// Which block comes first is drawn, not assumed: block 0 need not be among those that run, and then
// all would wait for it forever. The release carries the zeros of the whole block, which the
// barrier has put before it, to whoever acquires. d_first: 0 at first, and one launch number after
// another, so nobody has to take the mark back. d_start: what the totals start from, usually 0.
//
// Where there is little to count, each trip to memory shows. So something is done meanwhile: the
// other warps zero the copies while the draw is on its way, and add them up while one thread looks
// at the mark: the last one, which has no bin to add up where a block has more threads than bins.
// For 1 MiB on an H200 that, and half as many blocks, took the launch from 5.8 to 5.3 microseconds.
__global__ void __launch_bounds__(1024)
    histogram_one_launch(const unsigned char* d_bytes, std::size_t begin, std::size_t end, int bins,
                         BinCount* d_bins, const BinCount* d_start, FirstBlock* d_first,
                         unsigned launch) {
    __shared__ __align__(16) unsigned s_bins[byte_values * copies];
    __shared__ bool s_is_first;
    cuda::atomic_ref<unsigned, cuda::thread_scope_device> zeroed(d_first->launch);
    const auto zero_all = [&] {
        if (threadIdx.x == 0) {
            s_is_first = atomicInc(&d_first->arrived, gridDim.x - 1) == 0;
        }
        zero_banks(s_bins);
        if (s_is_first) {
            for (int bin = threadIdx.x; bin < bins; bin += blockDim.x) {
                d_bins[bin] = d_start[bin];
            }
            __syncthreads();
            if (threadIdx.x == 0) {
                zeroed.store(launch, cuda::memory_order_release);
            }
        }
    };
    count_in_own_bank(d_bytes, begin, end, s_bins, zero_all);
    __syncthreads();  // all threads of the block have counted
    merge_banks(s_bins, bins, d_bins, [&] {
        if (threadIdx.x == blockDim.x - 1) {
            while (zeroed.load(cuda::memory_order_acquire) != launch) {
            }
        }
        __syncthreads();
    });
}

}  // namespace

// Blocks for the kernels above. Each block costs a merge of its copies and up to 256 global
// atomics, so it must have bytes enough to be worth it: two packs a thread; one block a
// multiprocessor, and more where each of them still has least_share bytes, up to as many threads as
// keep memory busy, and no more blocks than the shared memory of a multiprocessor holds
// (`block_shared_bytes` each): the others would come late.
inline int blocks_worth_their_merge(const HistogramProblem& p, int block_shared_bytes) {
    constexpr std::size_t least_share = 64 * 1024;
    constexpr int reserved = 1024;  // what the system takes of each block's shared memory
    constexpr int threads = 1024;   // a multiprocessor
    const int shared_bytes = device_attribute<cudaDevAttrMaxSharedMemoryPerMultiprocessor>();
    const int held = shared_bytes / (block_shared_bytes + reserved);
    const int most = std::max(1, std::min(held, threads / p.fast_block_size));
    const int multiprocessors = multiprocessor_count();
    const std::size_t worth = p.n() / (multiprocessors * least_share);
    const int each = worth < 1 ? 1 : static_cast<int>(std::min<std::size_t>(worth, most));
    return std::min(multiprocessors * each, blocks_to_cover(p.n() / 32, p.fast_block_size));
}

inline void run_wide_loads(HistogramProblem& p) {
    p.start_bins();
    const int smem = warp_copies_bytes(p, p.fast_block_size);
    const int grid_size = p.blocks(blocks_worth_their_merge(p, smem));
    histogram_wide_loads<<<grid_size, p.fast_block_size, smem>>>(p.d_bytes, p.begin, p.end, p.bins,
                                                                 p.d_bins());
    CHECK_LAUNCH();
}

inline void run_bank_per_lane(HistogramProblem& p) {
    p.start_bins();
    constexpr int smem = byte_values * copies * static_cast<int>(sizeof(unsigned));
    const int grid_size = p.blocks(blocks_worth_their_merge(p, smem));
    histogram_bank_per_lane<<<grid_size, p.fast_block_size>>>(p.d_bytes, p.begin, p.end, p.bins,
                                                              p.d_bins());
    CHECK_LAUNCH();
}

inline void run_one_launch(HistogramProblem& p) {
    constexpr int smem = byte_values * copies * static_cast<int>(sizeof(unsigned));
    const int grid_size = p.blocks(blocks_worth_their_merge(p, smem));
    histogram_one_launch<<<grid_size, p.fast_block_size>>>(
        p.d_bytes, p.begin, p.end, p.bins, p.d_bins(), p.d_start(), p.d_first(), p.next_launch());
    CHECK_LAUNCH();
}

#ifdef __CUDACC__
template <typename Count>
void cub_histogram(HistogramProblem& p, Count* d_bins) {
    // bins + 1 levels 0, 1, ..., bins make bins of one value each; a byte outside is not counted.
    const auto n = static_cast<std::int64_t>(p.n());
    const unsigned char* d_samples = p.d_bytes + p.begin;
    std::size_t bytes = 0;
    CHECK(cub::DeviceHistogram::HistogramEven(nullptr, bytes, d_samples, d_bins, p.bins + 1, 0,
                                              p.bins, n));
    CHECK(cub::DeviceHistogram::HistogramEven(p.d_scratch(bytes), bytes, d_samples, d_bins,
                                              p.bins + 1, 0, p.bins, n));
}

// CUB's counters have the type that it is given: with 64 bits it takes seven times as long on an
// H200, so it gets 32 wherever no total can pass them. It writes the totals, it does not add.
inline void run_cub(HistogramProblem& p) {
    if (p.n() == 0) {
        p.start_bins();
    } else if (p.n() <= 0xffffffffu) {
        cub_histogram(p, p.d_narrow_bins());
    } else {
        cub_histogram(p, p.d_bins());
    }
}
#endif
