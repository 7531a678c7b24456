// Wrong on purpose: mistakes that look harmless. They never run unless asked for by --variant.
#pragma once

#include "histogram/histogram.cuh"

namespace {

// global without the atomic. `++d_bins[value]` is a read, an addition and a write; a thread that
// reads between another's read and write undoes that thread's count.
__global__ void histogram_plain_increment(const unsigned char* d_bytes, std::size_t begin,
                                          std::size_t end, int bins, BinCount* d_bins) {
    const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
    std::size_t i = begin + std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    for (; i < end; i += stride) {
        const int value = d_bytes[i];
        if (value < bins) {
            ++d_bins[value];  // race: plain_increment
        }
    }
}

// shared without the barrier before the merge: a thread that is done adds its bins to the totals
// while others still count in them, and what they count later is lost.
__global__ void histogram_no_merge_barrier(const unsigned char* d_bytes, std::size_t begin,
                                           std::size_t end, int bins, BinCount* d_bins) {
    unsigned* s_bins = dynamic_shared<unsigned>();
    for (int bin = threadIdx.x; bin < bins; bin += blockDim.x) {
        s_bins[bin] = 0;
    }
    __syncthreads();
    const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
    std::size_t i = begin + std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    for (; i < end; i += stride) {
        const int value = d_bytes[i];
        if (value < bins) {
            atomicAdd(&s_bins[value], 1u);
        }
    }
    for (int bin = threadIdx.x; bin < bins; bin += blockDim.x) {
        atomicAdd(&d_bins[bin], BinCount{s_bins[bin]});  // race: no_merge_barrier
    }
}

// shared with the book's assumption that a block has 256 threads, one for each bin: thread t adds
// bin t to the totals, and nobody the bins from blockDim.x on.
__global__ void histogram_fixed_256(const unsigned char* d_bytes, std::size_t begin,
                                    std::size_t end, int bins, BinCount* d_bins) {
    unsigned* s_bins = dynamic_shared<unsigned>();
    for (int bin = threadIdx.x; bin < bins; bin += blockDim.x) {
        s_bins[bin] = 0;
    }
    __syncthreads();
    const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
    std::size_t i = begin + std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    for (; i < end; i += stride) {
        const int value = d_bytes[i];
        if (value < bins) {
            atomicAdd(&s_bins[value], 1u);
        }
    }
    __syncthreads();
    const int bin = threadIdx.x;  // wrong: fixed_256
    if (bin < bins) {             // not in the book: there a larger block writes behind the totals
        atomicAdd(&d_bins[bin], BinCount{s_bins[bin]});
    }
}

}  // namespace

inline void run_plain_increment(HistogramProblem& p) {
    p.start_bins();
    const int grid_size = p.blocks(blocks_to_fill_device(p.n(), p.block_size));
    histogram_plain_increment<<<grid_size, p.block_size>>>(p.d_bytes, p.begin, p.end, p.bins,
                                                           p.d_bins());
    CHECK_LAUNCH();
}

inline void run_no_merge_barrier(HistogramProblem& p) {
    p.start_bins();
    const int grid_size = p.blocks(blocks_to_fill_device(p.n(), p.block_size));
    histogram_no_merge_barrier<<<grid_size, p.block_size, p.bins * sizeof(unsigned)>>>(
        p.d_bytes, p.begin, p.end, p.bins, p.d_bins());
    CHECK_LAUNCH();
}

// In blocks of 256 nothing would be wrong, so it gets blocks of half as many threads as bins, or
// fewer: what happens to the book's kernel when somebody tries another block size.
inline void run_fixed_256(HistogramProblem& p) {
    p.start_bins();
    const int block_size = std::max(1, std::min(p.block_size, p.bins / 2));
    const int grid_size = p.blocks(blocks_to_fill_device(p.n(), block_size));
    histogram_fixed_256<<<grid_size, block_size, p.bins * sizeof(unsigned)>>>(
        p.d_bytes, p.begin, p.end, p.bins, p.d_bins());
    CHECK_LAUNCH();
}
