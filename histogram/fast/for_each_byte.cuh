// Bytes at the speed of memory: 16 bytes per load, and the next loads in flight while the bytes of
// the last ones are counted.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>

#include "common/device.cuh"
#include "common/launch.cuh"
#include "common/vector_load.cuh"

// Vectors of 16 bytes that a thread counts in a step, while as many others are loaded.
constexpr int vectors_in_flight = 4;

// Byte 0 ... 3 of a word, 0 the lowest, by one instruction; shift and mask are two. In kernels that
// spend three or four instructions per byte this shows.
__device__ inline unsigned byte_of(unsigned word, unsigned number) {
    return __byte_perm(word, 0, 0x4440 + number);  // that byte, then three zeros
}

// Starts a thread's loads of one step, all before any is waited for: vectors first, first + stride,
// ...
__device__ inline void load_vectors(uint4 (&loaded)[vectors_in_flight], const uint4* d_vectors,
                                    std::size_t vectors, std::size_t first, std::size_t stride) {
#pragma unroll
    for (int k = 0; k < vectors_in_flight; ++k) {
        if (first + k * stride < vectors) {
            loaded[k] = d_vectors[first + k * stride];
        }
    }
}

// Calls prepare() once in every thread of the block, and then count(value) for each of the n bytes,
// the grid's threads sharing the work. The first loads start before prepare(), which zeroes the
// bins and waits at a barrier: so it costs no time of its own. And each step's loads start before
// the bytes of the step before are counted.
//
// The last block counts the bytes outside of the vectors, at most 30. Threads stride over the
// vectors one by one, not by tiles of a block: so no thread has more than one vector more than
// another thread, whatever the grid is, and all blocks end at about the same time.
template <typename Prepare, typename Count>
__device__ void for_each_byte(const unsigned char* d_bytes, std::size_t n, Prepare prepare,
                              Count count) {
    const common::VectorSplit split = common::split_into_vectors(d_bytes, n);
    const uint4* d_vectors = reinterpret_cast<const uint4*>(d_bytes + split.head);

    const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
    std::size_t first = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    uint4 loaded[vectors_in_flight] = {};
    uint4 next[vectors_in_flight] = {};
    load_vectors(loaded, d_vectors, split.vectors, first, stride);
    prepare();
    while (first < split.vectors) {
        const std::size_t next_first = first + vectors_in_flight * stride;
        load_vectors(next, d_vectors, split.vectors, next_first, stride);
#pragma unroll
        for (int k = 0; k < vectors_in_flight; ++k) {
            if (first + k * stride < split.vectors) {
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
            count(d_bytes[i < split.head ? i : split.tail + (i - split.head)]);
        }
    }
}

// Blocks for kernels that merge copies of the bins. A merge is worth its time only for a block with
// many bytes: so two vectors per thread; one block per multiprocessor, and more only where each of
// them still has min_share bytes, up to as many threads as keep memory busy; and no more blocks
// than the shared memory of a multiprocessor holds (`block_shared_bytes` each).
inline int blocks_worth_their_merge(std::size_t n, int block_size, int block_shared_bytes) {
    constexpr std::size_t min_share = 64 * 1024;
    constexpr int reserved = 1024;  // what the system takes of each block's shared memory
    constexpr int threads = 1024;   // per multiprocessor
    const int shared_bytes =
        common::device_attribute<cudaDevAttrMaxSharedMemoryPerMultiprocessor>();
    const int held = shared_bytes / (block_shared_bytes + reserved);
    const int max_blocks = std::max(1, std::min(held, threads / block_size));
    const int multiprocessors = common::multiprocessor_count();
    const std::size_t worth = n / (multiprocessors * min_share);
    const int each = worth < 1 ? 1 : static_cast<int>(std::min<std::size_t>(worth, max_blocks));
    return std::min(multiprocessors * each, common::blocks_to_cover(n / 32, block_size));
}
