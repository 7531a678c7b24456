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

// An array on the device: 16-byte aligned, as cudaMalloc returns it.
struct ByteSpan {
    const void* d_data;
    std::size_t bytes;
};

namespace {

constexpr int plain_read_spans = 4;  // arrays that one launch can read

struct PlainReadSpans {
    const uint4* d_words[plain_read_spans];
    std::size_t words[plain_read_spans];
};

// Reads all 16-byte words of span number blockIdx.y and folds them into one value. The result is
// stored only if it equals a value that it hardly ever has: without that, the compiler would drop
// the loads.
__global__ void plain_read_kernel(PlainReadSpans spans, unsigned* d_sink) {
    constexpr int in_flight = 8;  // independent loads a thread: enough to cover memory's latency
    const uint4* d_words = spans.d_words[blockIdx.y];
    const std::size_t words = spans.words[blockIdx.y];
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

// Queues one launch that reads all of up to four arrays (of each, the last bytes % 16 are left
// out). `d_sink` is one word that may be written.
inline void plain_read(const std::vector<ByteSpan>& inputs, unsigned* d_sink) {
    constexpr int block_size = 512;
    if (inputs.empty() || inputs.size() > plain_read_spans) {
        throw std::invalid_argument("plain_read: expected 1 to 4 arrays");
    }
    PlainReadSpans spans{};
    std::size_t most_words = 0;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        spans.d_words[i] = static_cast<const uint4*>(inputs[i].d_data);
        spans.words[i] = inputs[i].bytes / sizeof(uint4);
        most_words = std::max(most_words, spans.words[i]);
    }
    const dim3 grid_size(blocks_to_cover(most_words, block_size * 8), inputs.size());
    plain_read_kernel<<<grid_size, block_size>>>(spans, d_sink);
    CHECK_LAUNCH();
}
