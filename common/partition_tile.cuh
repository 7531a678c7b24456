// Radix partitioning, the work of one block: sorts a tile of items by partition in shared memory
// and writes each partition's run of it to global memory. common/partition.cuh has the whole
// algorithm.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

#include "common/block_scan.cuh"
#include "common/shared_memory.cuh"

namespace common {

// The most partitions of one pass. A tile keeps two numbers per partition in shared memory; and the
// more partitions, the shorter a tile's runs, until two passes are faster than one.
constexpr unsigned max_partitions = 5632;

// n items in partitions, as kernels take it. Partition p begins at d_items[d_starts[p]] and has
// d_sizes[p] items. d_items has room for the larger of n and partitions * capacity items.
struct Partitioning {
    std::size_t n;          // less than 2^32
    unsigned partitions;    // 1 to max_partitions
    unsigned capacity;      // of each partition at first; partitions * capacity <= max_capacity
    unsigned* d_starts;     // partitions
    unsigned* d_sizes;      // partitions
    unsigned* d_overflow;   // one word: 1 if a partition exceeded its capacity, else 0
    unsigned* d_positions;  // n: item i is at d_items[d_positions[i]]; optional (may be null)
};

// A scatter base that says: do not write this run. It is larger than any position in d_items before
// an overflow is handled, even after a tile's length is added to it.
constexpr unsigned overflow_mark = 0xfffe0000u;
constexpr unsigned max_capacity = overflow_mark - 1;  // of all partitions together

// Calls use(load(i), i) for i = 0 ... count - 1 from the threads of a block. Each thread starts
// in_flight loads before the first `use`. The compiler cannot arrange that by itself: it must not
// move a load across an atomic or a store that might change what is loaded.
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

// Ranks below 65536, two per register. They are set in the order k = 0, 1, 2 ...
template <int count>
struct PackedRanks {
    unsigned pairs[(count + 1) / 2] = {};

    __device__ unsigned get(int k) const { return pairs[k / 2] >> (k % 2 * 16) & 0xffffu; }
    __device__ void set(int k, unsigned rank) {
        pairs[k / 2] = k % 2 == 0 ? rank : pairs[k / 2] | rank << 16;
    }
};

// Brings the items of one tile into their partitions. Each thread keeps its keys in registers from
// the first phase to the last: they are read once, and all of the thread's loads are in flight
// together. Dynamic shared memory: tile_size items, and 2 * partitions + 1 words.
template <int block_size, int per_thread, bool after_overflow, typename Source>
__device__ void partition_tile(const Source& source, const Partitioning& partitioning,
                               unsigned tile_size, unsigned tile, typename Source::Item* d_items) {
    using Item = typename Source::Item;
    Item* s_items = dynamic_shared<Item>();                              // tile_size
    auto* s_offsets = reinterpret_cast<unsigned*>(s_items + tile_size);  // partitions + 1
    unsigned* s_scatter_base = s_offsets + partitioning.partitions + 1;  // partitions
    const std::size_t base = std::size_t{tile} * tile_size;
    const std::size_t left = partitioning.n - base;
    const unsigned count = left < tile_size ? static_cast<unsigned>(left) : tile_size;

    // Phase 1: count the items of each partition.
    typename Source::Key keys[per_thread] = {};
#pragma unroll
    for (int k = 0; k < per_thread; ++k) {
        const unsigned i = k * block_size + threadIdx.x;
        if (i < count) {
            keys[k] = source.key(base + i);
        }
    }
    for (unsigned p = threadIdx.x; p <= partitioning.partitions; p += block_size) {
        s_offsets[p] = 0;
    }
    __syncthreads();  // all counters are 0 before the first item is counted
    // The counter's old value is the item's rank in its partition: no other item of the tile has
    // it.
    PackedRanks<per_thread> ranks;
#pragma unroll
    for (int k = 0; k < per_thread; ++k) {
        if (k * block_size + threadIdx.x < count) {
            ranks.set(k, atomicAdd(&s_offsets[source.partition_of_key(keys[k])], 1u));
        }
    }
    __syncthreads();  // all items are counted before the counts become offsets
    exclusive_scan_shared(s_offsets, partitioning.partitions + 1);

    // Phase 2: reserve a run of each partition, after the runs of the tiles that came before. What
    // is at s_items[i] goes to d_items[s_scatter_base[p] + i]; unsigned numbers wrap around and
    // back.
    for (unsigned p = threadIdx.x; p < partitioning.partitions; p += block_size) {
        const unsigned length = s_offsets[p + 1] - s_offsets[p];
        if (length > 0) {
            const unsigned before = atomicAdd(&partitioning.d_sizes[p], length);
            const unsigned start =
                after_overflow ? partitioning.d_starts[p] : p * partitioning.capacity;
            const bool fits = after_overflow || before + length <= partitioning.capacity;
            s_scatter_base[p] = fits ? start + before - s_offsets[p] : overflow_mark;
        }
    }
    // Phase 3: sort the tile. The rest of each item is read only now, a batch at a time: a thread
    // of a block of 1024 has 64 registers.
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
                const unsigned offset = s_offsets[source.partition_of_key(keys[k])];
                s_items[offset + ranks.get(k)] = items[k - first];
            }
        }
    }
    __syncthreads();  // the tile is sorted, and all runs are reserved
    // Phase 4: write the runs.
#pragma unroll 4
    for (unsigned i = threadIdx.x; i < count; i += block_size) {
        const Item item = s_items[i];
        const unsigned scatter_base = s_scatter_base[source.partition_of(item)];
        if (after_overflow || scatter_base != overflow_mark) {
            d_items[scatter_base + i] = item;
        }
    }
    if (partitioning.d_positions != nullptr) {
#pragma unroll
        for (int k = 0; k < per_thread; ++k) {
            const unsigned i = k * block_size + threadIdx.x;
            if (i < count) {
                const unsigned p = source.partition_of_key(keys[k]);
                partitioning.d_positions[base + i] =
                    s_scatter_base[p] + s_offsets[p] + ranks.get(k);
            }
        }
    }
}

}  // namespace common
