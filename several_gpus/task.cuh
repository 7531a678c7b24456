// What one GPU does with its part of the input: it adds up floats (Sum), or counts the values of
// bytes (Histogram). How the parts come together is the lesson of the numbered files.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

#include "../common/block_reduce.cuh"

// Item i of the input that the programs make up, 0 to 255, in no visible order. Of 2^32 items in a
// row each value has as many as any other.
__host__ __device__ inline unsigned made_up_item(std::size_t i) {
    return (static_cast<std::uint32_t>(i) * 2654435761u) >> 24;
}

// Calls each(x) for the calling thread's share of d_x[0 ... n - 1], 16 bytes at a time. d_x: a
// multiple of 16 bytes, as cudaMalloc returns it.
template <typename Item, typename Each>
__device__ void for_each_item(const Item* d_x, std::size_t n, Each each) {
    constexpr int width = 16 / sizeof(Item);
    struct alignas(16) Vector {
        Item item[width];
    };
    const std::size_t thread = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
    const std::size_t vectors = n / width;
    for (std::size_t i = thread; i < vectors; i += threads) {
        const Vector vector = reinterpret_cast<const Vector*>(d_x)[i];
        for (const Item item : vector.item) {
            each(item);
        }
    }
    for (std::size_t i = vectors * width + thread; i < n; i += threads) {
        each(d_x[i]);
    }
}

// Each task has the type of an item, and the type and number of the words of its result.
struct Sum {
    using Item = float;
    using Word = double;
    static constexpr int words = 1;

    // Calls add(0, sum of the block's items) in thread 0. All threads of the block must call it.
    template <typename Add>
    static __device__ void work(const Item* d_x, std::size_t n, Add add) {
        double sum = 0;
        for_each_item(d_x, n, [&](Item item) { sum += item; });
        sum = common::block_sum(sum);
        if (threadIdx.x == 0) {
            add(0, sum);
        }
    }
};

struct Histogram {
    using Item = unsigned char;
    using Word = unsigned long long;
    static constexpr int words = 256;

    // Calls add(value, how many of the block's items have it), for each value in one of the
    // threads. All threads of the block must call it.
    template <typename Add>
    static __device__ void work(const Item* d_x, std::size_t n, Add add) {
        __shared__ unsigned s_bins[words];
        for (int bin = threadIdx.x; bin < words; bin += blockDim.x) {
            s_bins[bin] = 0;
        }
        __syncthreads();  // all bins are 0 before any thread counts
        for_each_item(d_x, n, [&](Item item) { atomicAdd(&s_bins[item], 1u); });
        __syncthreads();  // all threads have counted before any bin is read
        for (int bin = threadIdx.x; bin < words; bin += blockDim.x) {
            add(bin, Word{s_bins[bin]});
        }
    }
};
