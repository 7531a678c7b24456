// The partition step: brings items into parts that fit shared memory each, so that a block can then
// do all of a part's work there.
//
//     items      b a c a | b b a c            two tiles of four items; parts a, b, c
//     in a tile  a a b c | a b b c            each tile is sorted by part in shared memory,
//     d_items    a a a . | b b b . | c c . .  then its runs are copied to where their parts stand
//
// Memory is read and written in rows all the way; what is random (counting, placing) happens in
// shared memory, by its atomics. A tile reserves room for its run of a part by one atomicAdd on the
// part's cursor: one for each part and tile, not for each item.
//
// Where do the parts stand? A good hash makes them about equally large, so each gets the same room,
// with a little to spare, and nothing has to be counted first. If items repeat so often that a part
// overflows, the first try has at least counted all parts: they are placed one behind the other
// without gaps, and everything is partitioned again. The kernels for that are always queued, so
// that the host need not wait to know; without overflow they end at once. (Counting 26.2 million
// keys first took 0.049 ms on an H200, the idle kernels less than 0.008.)
//
// Idea: radix partitioning, as sorting and database joins use it (Satish, Harris, Garland,
// Designing efficient sorting algorithms for manycore GPUs, 2009).
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>

#include "common/device.cuh"
#include "common/error.cuh"
#include "common/launch.cuh"
#include "common/scan_shared.cuh"
#include "common/shared_memory.cuh"

// Of one step. Two numbers for each part are in shared memory; and the more parts, the shorter a
// tile's runs, until two steps of few parts are faster than one of many. (With one step and with
// two an H200 built a table of 10^8 pairs, 5,031 parts, in 2.01 and 2.03 ms, and one of 1.2 * 10^8
// in 2.55 and 2.42; to find all keys took 2.60 and 2.76, and 3.37 and 3.28.)
constexpr unsigned most_parts = 5632;

// n items in parts, as kernels take it. Part p stands in d_items from d_starts[p] on and has
// d_sizes[p] items. d_items has places for the larger of n and parts * room.
struct Partition {
    std::size_t n;         // less than 2^32
    unsigned parts;        // 1 to most_parts
    unsigned room;         // of each part in the first try; parts * room <= most_room
    unsigned* d_starts;    // parts
    unsigned* d_sizes;     // parts
    unsigned* d_overflow;  // one word: 1 if a part's room was too small, else 0
    unsigned* d_places;    // n: where in d_items item i went; or null, if nobody asks
};

// No run may go here: larger than any place in d_items in the first try, even if it is moved by a
// tile's length.
constexpr unsigned no_room = 0xfffe0000u;
constexpr unsigned most_room = no_room - 1;

namespace {

// Calls use(load(i), i) for i = 0 ... count - 1 from the threads of a block. Each thread has
// in_flight loads under way before the first `use`, which the compiler cannot arrange by itself: it
// must not move a load across an atomic or a store that might change what is loaded.
template <int in_flight, typename Load, typename Use>
__device__ void block_for_each(unsigned count, Load load, Use use) {
    for (unsigned base = threadIdx.x; base < count; base += blockDim.x * in_flight) {
        decltype(load(0u)) items[in_flight] = {};
#pragma unroll
        for (int k = 0; k < in_flight; ++k) {
            if (base + k * blockDim.x < count) {
                items[k] = load(base + k * blockDim.x);
            }
        }
#pragma unroll
        for (int k = 0; k < in_flight; ++k) {
            if (base + k * blockDim.x < count) {
                use(items[k], base + k * blockDim.x);
            }
        }
    }
}

// Numbers below 65536, two in a register.
template <int count>
struct ShortNumbers {
    unsigned pairs[(count + 1) / 2] = {};

    __device__ unsigned get(int k) const { return pairs[k / 2] >> (k % 2 * 16) & 0xffffu; }
    __device__ void set(int k, unsigned number) {
        pairs[k / 2] = k % 2 == 0 ? number : pairs[k / 2] | number << 16;  // 0, 1, 2 ... in turn
    }
};

// Brings the items of one tile into their parts. Each thread keeps its keys in registers from the
// first step to the last, so that they are read once, all of its loads under way together.
template <int block_size, int per_thread, bool again, typename Source>
__device__ void partition_tile(const Source& source, const Partition& partition, unsigned tile_size,
                               unsigned tile, typename Source::Item* d_items) {
    using Item = typename Source::Item;
    Item* s_items = dynamic_shared<Item>();                             // tile_size
    auto* s_places = reinterpret_cast<unsigned*>(s_items + tile_size);  // parts + 1
    unsigned* s_moves = s_places + partition.parts + 1;                 // parts
    const std::size_t base = std::size_t{tile} * tile_size;
    const std::size_t left = partition.n - base;
    const unsigned count = left < tile_size ? static_cast<unsigned>(left) : tile_size;

    typename Source::Key keys[per_thread] = {};
#pragma unroll
    for (int k = 0; k < per_thread; ++k) {
        const unsigned i = k * block_size + threadIdx.x;
        if (i < count) {
            keys[k] = source.key(base + i);
        }
    }
    for (unsigned part = threadIdx.x; part <= partition.parts; part += block_size) {
        s_places[part] = 0;
    }
    __syncthreads();  // all counters are 0 before the first item is counted

    // The counter's old value is the item's rank in its part: no other item of the tile gets it.
    ShortNumbers<per_thread> ranks;
#pragma unroll
    for (int k = 0; k < per_thread; ++k) {
        if (k * block_size + threadIdx.x < count) {
            ranks.set(k, atomicAdd(&s_places[source.part_of_key(keys[k])], 1u));
        }
    }
    __syncthreads();  // all items are counted before the counts become places
    exclusive_scan_shared(s_places, partition.parts + 1);

    // Reserves a run of each part, behind those of the tiles that came before. What is at place i
    // of the sorted tile goes to d_items[s_moves[part] + i]; unsigned numbers wrap around and back.
    for (unsigned part = threadIdx.x; part < partition.parts; part += block_size) {
        const unsigned length = s_places[part + 1] - s_places[part];
        if (length > 0) {
            const unsigned before = atomicAdd(&partition.d_sizes[part], length);
            const unsigned start = again ? partition.d_starts[part] : part * partition.room;
            const bool fits = again || before + length <= partition.room;
            s_moves[part] = fits ? start + before - s_places[part] : no_room;
        }
    }
    // Sorts the tile. The rest of each item is read only now, a few at a time: 1024 threads have 64
    // registers each.
    constexpr int batch = 8;
#pragma unroll
    for (int first = 0; first < per_thread; first += batch) {
        Item items[batch] = {};
#pragma unroll
        for (int k = first; k < first + batch; ++k) {
            const unsigned i = k * block_size + threadIdx.x;
            if (k < per_thread && i < count) {
                items[k - first] = source.item(keys[k], base + i);
            }
        }
#pragma unroll
        for (int k = first; k < first + batch; ++k) {
            if (k < per_thread && k * block_size + threadIdx.x < count) {
                s_items[s_places[source.part_of_key(keys[k])] + ranks.get(k)] = items[k - first];
            }
        }
    }
    __syncthreads();  // the tile is sorted, and all runs are reserved
#pragma unroll 4
    for (unsigned i = threadIdx.x; i < count; i += block_size) {
        const Item item = s_items[i];
        const unsigned move = s_moves[source.part_of(item)];
        if (again || move != no_room) {
            d_items[move + i] = item;
        }
    }
    if (partition.d_places != nullptr) {
#pragma unroll
        for (int k = 0; k < per_thread; ++k) {
            const unsigned i = k * block_size + threadIdx.x;
            if (i < count) {
                const unsigned part = source.part_of_key(keys[k]);
                partition.d_places[base + i] = s_moves[part] + s_places[part] + ranks.get(k);
            }
        }
    }
}

// The first try: a block for each tile. (The 1 says that one block may have all registers.)
template <int block_size, int per_thread, typename Source>
__global__ void __launch_bounds__(block_size, 1)
    partition_tiles(Source source, Partition partition, unsigned tile_size,
                    typename Source::Item* d_items) {
    partition_tile<block_size, per_thread, false>(source, partition, tile_size, blockIdx.x,
                                                  d_items);
}

// The second, after an overflow: the parts stand where start_parts() has placed them. Few blocks,
// which go on to further tiles, since mostly there is nothing to do. (As a loop, the first try took
// 0.01 ms longer on an H200.)
template <int block_size, int per_thread, typename Source>
__global__ void __launch_bounds__(block_size, 1)
    partition_tiles_again(Source source, Partition partition, unsigned tile_size, unsigned tiles,
                          typename Source::Item* d_items) {
    if (*partition.d_overflow == 0) {
        return;
    }
    for (unsigned tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
        partition_tile<block_size, per_thread, true>(source, partition, tile_size, tile, d_items);
        __syncthreads();  // all of shared memory has been read before the next tile comes
    }
}

// One block, after the first try. If all parts had room, says where they stand. Else gives each the
// place that its size asks for, and sets the sizes back to 0 for the second try.
__global__ void start_parts(Partition partition) {
    unsigned* s_starts = dynamic_shared<unsigned>();  // parts
    bool overflow = false;
    for (unsigned part = threadIdx.x; part < partition.parts; part += blockDim.x) {
        s_starts[part] = partition.d_sizes[part];
        overflow = overflow || s_starts[part] > partition.room;
    }
    overflow = __syncthreads_or(overflow) != 0;  // all sizes are there, too
    if (overflow) {
        exclusive_scan_shared(s_starts, partition.parts);
    }
    for (unsigned part = threadIdx.x; part < partition.parts; part += blockDim.x) {
        partition.d_starts[part] = overflow ? s_starts[part] : part * partition.room;
        if (overflow) {
            partition.d_sizes[part] = 0;
        }
    }
    if (threadIdx.x == 0) {
        *partition.d_overflow = overflow ? 1 : 0;
    }
}

// d_out[i] = the result that stands where item i went. The items of a tile went to a few runs, so
// most of what a block reads here it finds in the cache.
template <int block_size, int per_thread, typename Result>
__global__ void __launch_bounds__(block_size)
    restore_order(const unsigned* d_places, std::size_t n, const Result* d_results, Result* d_out) {
    const std::size_t base = std::size_t{blockIdx.x} * block_size * per_thread;
    const std::size_t left = n - base;
    Result results[per_thread] = {};
#pragma unroll
    for (int k = 0; k < per_thread; ++k) {
        const unsigned i = k * block_size + threadIdx.x;
        if (i < left) {
            results[k] = d_results[d_places[base + i]];
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

}  // namespace

// Queues the whole step in a stream. block_size threads sort tiles of up to block_size * per_thread
// items; with many parts, or on a GPU with little shared memory, tiles are smaller. A Source has
//
//     Key, Item                  Key: what says where an item belongs
//     key(i), item(key, i)       read item i
//     part_of_key(key), part_of(item)    below `parts`
//
// The longer a tile's runs, the better: tiles as large as registers and shared memory allow beat
// more blocks at a time. (Building a table of 26.2 million pairs in 1319 parts on an H200 took
// 0.417 ms with tiles of 16384 pairs, one block on a multiprocessor, and 0.459 with two blocks and
// tiles of 12288.)
template <int block_size, int per_thread, typename Source>
void partition_items(Source source, const Partition& partition, typename Source::Item* d_items,
                     cudaStream_t stream) {
    static_assert(block_size * per_thread < 65536, "a rank has 16 bits");
    using Item = typename Source::Item;
    const std::size_t for_parts = (2 * std::size_t{partition.parts} + 1) * sizeof(unsigned);
    const std::size_t largest = std::min<std::size_t>(
        block_size * per_thread, (most_shared_memory() - for_parts) / sizeof(Item));
    // Of few items, smaller tiles, so that each multiprocessor has one: to build a table of 100,000
    // pairs took an H200 0.031 ms instead of 0.035, and to find as many 0.036 instead of 0.049 (the
    // device alone).
    const std::size_t even = partition.n / multiprocessor_count() + 1;
    const auto tile_size =
        static_cast<unsigned>(std::clamp<std::size_t>(even, block_size, largest));
    const std::size_t smem = tile_size * sizeof(Item) + for_parts;
    const int tiles = blocks_to_cover(partition.n, static_cast<int>(tile_size));
    CHECK(cudaMemsetAsync(partition.d_sizes, 0, partition.parts * sizeof(unsigned), stream));
    auto* first_try = partition_tiles<block_size, per_thread, Source>;
    allow_shared_memory(first_try, smem);
    first_try<<<tiles, block_size, smem, stream>>>(source, partition, tile_size, d_items);
    CHECK_LAUNCH();
    start_parts<<<1, 1024, partition.parts * sizeof(unsigned), stream>>>(partition);
    CHECK_LAUNCH();
    auto* second_try = partition_tiles_again<block_size, per_thread, Source>;
    allow_shared_memory(second_try, smem);
    second_try<<<std::min(tiles, multiprocessor_count()), block_size, smem, stream>>>(
        source, partition, tile_size, static_cast<unsigned>(tiles), d_items);
    CHECK_LAUNCH();
}
