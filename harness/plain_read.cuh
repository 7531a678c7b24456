// The yardstick: what it takes merely to read the input. No kernel that looks at every byte can be
// faster, so each variant's time is shown as a share of this one, measured in the same run.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <vector>

#include "common/error.cuh"
#include "common/launch.cuh"

namespace harness {

// An array on the device: 16-byte aligned, as cudaMalloc returns it.
struct ByteSpan {
    const void* d_data;
    std::size_t bytes;
};

// Reads all 16-byte words of two arrays, the blocks of row 0 of the grid the first, those of row 1
// the second, and folds them into one value. The result is stored only if it equals a value that it
// hardly ever has: without that, the compiler would drop the loads. (The pointers are parameters of
// their own. Taken from an array in a struct, this kernel took 1.4 times as long on an H200.)
__global__ void plain_read_kernel(const uint4* d_first, std::size_t first_words,
                                  const uint4* d_second, std::size_t second_words,
                                  unsigned* d_sink) {
    const uint4* d_words = blockIdx.y == 0 ? d_first : d_second;
    const std::size_t words = blockIdx.y == 0 ? first_words : second_words;
    // Independent loads a thread, enough to cover memory's latency. In trials on two H200s no other
    // shape was better at all sizes: with two of them 100 MiB took 1 % less, 1.6 GB 0.4 % more.
    constexpr int in_flight = 8;
    const std::size_t tile = std::size_t{blockDim.x} * in_flight;
    unsigned folded = 0;
    for (std::size_t base = blockIdx.x * tile; base < words; base += gridDim.x * tile) {
        uint4 loaded[in_flight];
#pragma unroll
        for (int k = 0; k < in_flight; ++k) {
            const std::size_t i = base + k * std::size_t{blockDim.x} + threadIdx.x;
            loaded[k] = i < words ? d_words[i] : uint4{0, 0, 0, 0};
        }
#pragma unroll
        for (int k = 0; k < in_flight; ++k) {
            folded ^= loaded[k].x ^ loaded[k].y ^ loaded[k].z ^ loaded[k].w;
        }
    }
    if (folded == 0x9e3779b9u) {
        *d_sink = folded;
    }
}

// Queues one launch that reads all of one or two arrays (of each, the last bytes % 16 are left
// out). `d_sink` is one word that may be written.
inline void plain_read(const std::vector<ByteSpan>& inputs, unsigned* d_sink) {
    constexpr int block_size = 512;
    if (inputs.empty() || inputs.size() > 2) {
        throw std::invalid_argument("plain_read: expected one or two arrays");
    }
    const ByteSpan& first = inputs.front();
    const ByteSpan& second = inputs.back();
    const std::size_t max_words = std::max(first.bytes, second.bytes) / sizeof(uint4);
    const dim3 grid_size(common::blocks_to_cover(max_words, block_size * 8), inputs.size());
    plain_read_kernel<<<grid_size, block_size>>>(
        static_cast<const uint4*>(first.d_data), first.bytes / sizeof(uint4),
        static_cast<const uint4*>(second.d_data), second.bytes / sizeof(uint4), d_sink);
    CHECK_LAUNCH();
}

}  // namespace harness
