// Radix partitioning: groups items so that each group (partition) fits shared memory. A block can
// then do all of a partition's work there.
//
//     items      b a c a | b b a c            two tiles of four items; partitions a, b, c
//     in a tile  a a b c | a b b c            each tile is sorted by partition in shared memory,
//     d_items    a a a . | b b b . | c c . .  and its runs are copied to their partitions
//
// Global memory is read and written in runs of consecutive items; what is random (counting,
// sorting) happens in shared memory, by its atomics. A tile reserves room for a run by one
// atomicAdd on the partition's size: one per partition and tile, not per item.
//
// Where do the partitions begin? A good hash makes them about equally large, so each gets the same
// capacity, a little more than the average, and nothing is counted first. If items repeat so often
// that a partition overflows, the first pass has at least counted all partitions: they are then
// placed one after the other without gaps, and everything is partitioned again. The kernels for
// that are always launched, so that the host need not wait to know; without an overflow they end at
// once.
//
// Idea: Satish, Harris, Garland, Designing efficient sorting algorithms for manycore GPUs, 2009;
// and the partitioned hash joins of databases.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>

#include "common/block_scan.cuh"
#include "common/device.cuh"
#include "common/error.cuh"
#include "common/launch.cuh"
#include "common/partition_tile.cuh"
#include "common/shared_memory.cuh"

namespace common {

// The first pass: one block per tile. (The 1 is minBlocksPerMultiprocessor: one block may have all
// registers.)
template <int block_size, int per_thread, typename Source>
__global__ void __launch_bounds__(block_size, 1)
    partition_tiles(Source source, Partitioning partitioning, unsigned tile_size,
                    typename Source::Item* d_items) {
    partition_tile<block_size, per_thread, false>(source, partitioning, tile_size, blockIdx.x,
                                                  d_items);
}

// One block, after the first pass. Without an overflow it stores where the partitions begin. Else
// it gives each partition the place that its size needs, and sets the sizes back to 0.
__global__ void place_partitions(Partitioning partitioning) {
    unsigned* s_starts = dynamic_shared<unsigned>();  // partitions
    bool overflow = false;
    for (unsigned p = threadIdx.x; p < partitioning.partitions; p += blockDim.x) {
        s_starts[p] = partitioning.d_sizes[p];
        overflow = overflow || s_starts[p] > partitioning.capacity;
    }
    overflow = __syncthreads_or(overflow) != 0;  // all sizes are in shared memory, too
    if (overflow) {
        exclusive_scan_shared(s_starts, partitioning.partitions);
    }
    for (unsigned p = threadIdx.x; p < partitioning.partitions; p += blockDim.x) {
        partitioning.d_starts[p] = overflow ? s_starts[p] : p * partitioning.capacity;
        if (overflow) {
            partitioning.d_sizes[p] = 0;
        }
    }
    if (threadIdx.x == 0) {
        *partitioning.d_overflow = overflow ? 1 : 0;
    }
}

// The second pass, which works after an overflow only. Few blocks that take several tiles each,
// since mostly there is nothing to do.
template <int block_size, int per_thread, typename Source>
__global__ void __launch_bounds__(block_size, 1)
    partition_tiles_after_overflow(Source source, Partitioning partitioning, unsigned tile_size,
                                   unsigned tiles, typename Source::Item* d_items) {
    if (*partitioning.d_overflow == 0) {
        return;
    }
    for (unsigned tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
        partition_tile<block_size, per_thread, true>(source, partitioning, tile_size, tile,
                                                     d_items);
        __syncthreads();  // all of shared memory has been read before the next tile is loaded
    }
}

// Queues the partitioning in a stream. Blocks of block_size threads sort tiles of up to
// block_size * per_thread items; with many partitions, or on a GPU with little shared memory, tiles
// are smaller. A Source has
//
//     Key, Item                                 Key: what says to which partition an item belongs
//     key(i), item(key, i)                      read item i
//     partition_of_key(key), partition_of(item) a number below `partitions`
//
// Tiles are as large as registers and shared memory allow: the longer a tile's runs, the better.
template <int block_size, int per_thread, typename Source>
void partition_items(Source source, const Partitioning& partitioning,
                     typename Source::Item* d_items, cudaStream_t stream) {
    static_assert(block_size * per_thread < 65536, "a rank has 16 bits");
    using Item = typename Source::Item;
    const std::size_t for_partitions =
        (2 * std::size_t{partitioning.partitions} + 1) * sizeof(unsigned);
    const std::size_t largest = std::min<std::size_t>(
        block_size * per_thread, (max_shared_memory() - for_partitions) / sizeof(Item));
    // Of few items, smaller tiles, so that each multiprocessor has one.
    const std::size_t even = partitioning.n / multiprocessor_count() + 1;
    const auto tile_size =
        static_cast<unsigned>(std::clamp<std::size_t>(even, block_size, largest));
    const std::size_t smem = tile_size * sizeof(Item) + for_partitions;
    const int tiles = blocks_to_cover(partitioning.n, static_cast<int>(tile_size));
    CHECK(cudaMemsetAsync(partitioning.d_sizes, 0, partitioning.partitions * sizeof(unsigned),
                          stream));
    auto* first_pass = partition_tiles<block_size, per_thread, Source>;
    allow_shared_memory(first_pass, smem);
    first_pass<<<tiles, block_size, smem, stream>>>(source, partitioning, tile_size, d_items);
    CHECK_LAUNCH();
    place_partitions<<<1, 1024, partitioning.partitions * sizeof(unsigned), stream>>>(partitioning);
    CHECK_LAUNCH();
    auto* second_pass = partition_tiles_after_overflow<block_size, per_thread, Source>;
    allow_shared_memory(second_pass, smem);
    second_pass<<<std::min(tiles, multiprocessor_count()), block_size, smem, stream>>>(
        source, partitioning, tile_size, static_cast<unsigned>(tiles), d_items);
    CHECK_LAUNCH();
}

// Brings results back into the items' order: d_out[i] = d_results[d_positions[i]]. The items of a
// tile went to a few runs, so most of what a block reads here is in the cache.
template <int block_size, int per_thread, typename Result>
__global__ void __launch_bounds__(block_size)
    restore_order(const unsigned* d_positions, std::size_t n, const Result* d_results,
                  Result* d_out) {
    const std::size_t base = std::size_t{blockIdx.x} * block_size * per_thread;
    const std::size_t left = n - base;
    Result results[per_thread] = {};
#pragma unroll
    for (int k = 0; k < per_thread; ++k) {
        const unsigned i = k * block_size + threadIdx.x;
        if (i < left) {
            results[k] = d_results[d_positions[base + i]];
        }
    }
#pragma unroll
    for (int k = 0; k < per_thread; ++k) {
        const unsigned i = k * block_size + threadIdx.x;
        if (i < left) {
            d_out[base + i] = results[k];
        }
    }
}

// Queues restore_order() for n results in a stream.
template <typename Result>
void launch_restore_order(const unsigned* d_positions, std::size_t n, const Result* d_results,
                          Result* d_out, cudaStream_t stream) {
    constexpr int block_size = 1024;
    constexpr int per_thread = 16;
    const int grid_size = blocks_to_cover(n, block_size * per_thread);
    restore_order<block_size, per_thread>
        <<<grid_size, block_size, 0, stream>>>(d_positions, n, d_results, d_out);
    CHECK_LAUNCH();
}

}  // namespace common
