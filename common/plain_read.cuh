// The yardstick: what it takes merely to read the input. No kernel that looks at every byte can be
// faster, so each variant's time is shown as a share of this one, measured in the same run.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

#include "common/error.cuh"
#include "common/launch.cuh"

namespace {

// Reads `words` 16-byte words and folds them into one value. The result is stored only if it equals
// a value that it hardly ever has: without that, the compiler would drop the loads.
__global__ void plain_read_kernel(const uint4* d_words, std::size_t words, unsigned* d_sink) {
    constexpr int in_flight = 8;  // independent loads a thread: enough to cover memory's latency
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

}  // namespace

// Queues one read of `bytes` bytes from `d_data` (16-byte aligned, as cudaMalloc returns it; the
// last bytes % 16 are left out). `d_sink` is one word that may be written.
inline void plain_read(const void* d_data, std::size_t bytes, unsigned* d_sink) {
    constexpr int block_size = 512;
    const std::size_t words = bytes / sizeof(uint4);
    if (words == 0) {
        return;
    }
    const int grid_size = blocks_to_cover(words, block_size * 8);
    plain_read_kernel<<<grid_size, block_size>>>(static_cast<const uint4*>(d_data), words, d_sink);
    CHECK_LAUNCH();
}
