// A multimap in parts that fit shared memory. Keys and queries come to it partitioned:
//
//   parts       build: partition the pairs, then sort each part by bucket in shared memory
//   find_parts  search: partition the queries, look up in shared memory, restore their order
//
// In all variants before, each access costs a line of 32 or 64 bytes for the 4 or 8 that are
// wanted. Here memory is read and written in rows alone.
//
// A table of very many pairs (on an H200, more than 110 million) has so many parts that two steps
// make them: first regions of some five million pairs, then each region's parts, several regions
// side by side.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "common/partition.cuh"
#include "hash_table/hash_table.cuh"

namespace {

// Sources for partition_items(): keys with their values; and such pairs packed, or keys alone. A
// step makes either regions, and `all_parts` is their number; or the parts of a region, the one of
// number `first` and those behind it, out of all.
struct PairSource {
    using Key = unsigned;
    using Item = Slot;
    const unsigned* d_keys;
    const unsigned* d_values;
    unsigned all_parts;

    __device__ Key key(std::size_t i) const { return d_keys[i]; }
    __device__ Item item(Key key, std::size_t i) const { return pack(key, d_values[i]); }
    __device__ unsigned part_of_key(Key key) const { return ::part_of_key(key, all_parts); }
    __device__ unsigned part_of(Item pair) const { return part_of_key(key_in(pair)); }
};
template <typename PairOrKey>
struct ItemSource {
    using Key = PairOrKey;
    using Item = PairOrKey;
    const Item* d_items;
    unsigned all_parts;
    unsigned first;

    __device__ Key key(std::size_t i) const { return d_items[i]; }
    __device__ Item item(Key item, std::size_t) const { return item; }
    __device__ unsigned part_of_key(Key item) const { return part_of(item); }
    __device__ unsigned part_of(Item item) const {
        return ::part_of_key(key_in(item), all_parts) - first;
    }
};

// --- parts --------------------------------------------------------------------------------------

// Sorts part blockIdx.x by bucket (a counting sort): counts the pairs of each bucket, turns the
// counts into starts, and puts each pair at its bucket's next place. The part is sorted in shared
// memory and leaves it in rows. One that does not fit is sorted straight into the table.
//
// Parts take their place in the table as they come, by one atomicAdd each: there are no gaps, and
// nobody waits for the sizes of the others.
//
// On an H200, 26.2 million pairs: 0.20 ms for the partition, 0.21 for this. The bytes alone, each
// read once and written once in both steps, would take half of that: a multiprocessor has room for
// one such block, which loads, counts, sorts and writes in turn.
template <int block_size>
__global__ void __launch_bounds__(block_size, 1)
    build_parts(const Slot* d_pairs, Partition partition, PartTable table, unsigned capacity,
                unsigned* d_used) {
    unsigned* s_starts = dynamic_shared<unsigned>();
    unsigned* s_keys = s_starts + table.buckets;
    unsigned* s_values = s_keys + capacity;
    __shared__ unsigned s_first;
    const unsigned count = partition.d_sizes[blockIdx.x];
    const Slot* d_part = d_pairs + partition.d_starts[blockIdx.x];
    if (threadIdx.x == 0) {
        s_first = atomicAdd(d_used, count);
    }
    for (unsigned bucket = threadIdx.x; bucket < table.buckets; bucket += block_size) {
        s_starts[bucket] = 0;
    }
    __syncthreads();  // all counters are 0 before the first pair is counted, s_first is known
    const auto load = [&](unsigned i) { return d_part[i]; };
    block_for_each<8>(count, load, [&](Slot pair, unsigned) {
        atomicAdd(&s_starts[bucket_in_part(key_in(pair), table)], 1u);
    });
    __syncthreads();  // all pairs are counted before the counts become starts
    exclusive_scan_shared(s_starts, table.buckets);

    const unsigned first = s_first;
    unsigned* d_offsets = table.d_offsets + std::size_t{blockIdx.x} * (table.buckets + 1);
    for (unsigned bucket = threadIdx.x; bucket < table.buckets; bucket += block_size) {
        d_offsets[bucket] = first + s_starts[bucket];
    }
    if (threadIdx.x == 0) {
        d_offsets[table.buckets] = first + count;
    }
    __syncthreads();  // the starts are stored before they become cursors
    const bool fits = count <= capacity;
    block_for_each<8>(count, load, [&](Slot pair, unsigned) {
        const unsigned place = atomicAdd(&s_starts[bucket_in_part(key_in(pair), table)], 1u);
        if (fits) {
            s_keys[place] = key_in(pair);
            s_values[place] = value_in(pair);
        } else {
            table.d_keys[first + place] = key_in(pair);
            table.d_values[first + place] = value_in(pair);
        }
    });
    if (fits) {
        __syncthreads();  // the part is sorted before it is copied out
#pragma unroll 4
        for (unsigned i = threadIdx.x; i < count; i += block_size) {
            table.d_keys[first + i] = s_keys[i];
            table.d_values[first + i] = s_values[i];
        }
    }
}

// --- find_parts ---------------------------------------------------------------------------------

// Answers the queries of part blockIdx.x, each in the place where the query was. All that a search
// reads is in shared memory, unless the part does not fit.
//
// On an H200, 26.2 million queries: 0.18 ms for their partition, 0.23 for this, 0.12 to restore
// their order. Buckets should be small, since lanes wait for the longest of 32 searches: with 4096
// in place of 8192 a part it all took 0.581 ms, not 0.544 (and to build the table 0.427, not
// 0.442; all these with smaller tiles than now).
template <int block_size>
__global__ void __launch_bounds__(block_size, 1)
    search_parts(unsigned* d_queries, Partition partition, PartTable table, unsigned capacity) {
    unsigned* s_keys = dynamic_shared<unsigned>();
    unsigned* s_values = s_keys + capacity;
    auto* s_offsets = reinterpret_cast<unsigned short*>(s_values + capacity);
    const unsigned* d_offsets = table.d_offsets + std::size_t{blockIdx.x} * (table.buckets + 1);
    const unsigned first = d_offsets[0];
    const unsigned count = d_offsets[table.buckets] - first;
    unsigned* d_mine = d_queries + partition.d_starts[blockIdx.x];
    const auto answer_all = [&](const auto* offsets, const unsigned* keys, const unsigned* values,
                                unsigned shift) {
        block_for_each<8>(
            partition.d_sizes[blockIdx.x], [&](unsigned q) { return d_mine[q]; },
            [&](unsigned key, unsigned q) {
                const unsigned bucket = bucket_in_part(key, table);
                unsigned at = offsets[bucket] - shift;
                const unsigned end = offsets[bucket + 1] - shift;
                while (at < end && keys[at] != key) {
                    ++at;
                }
                d_mine[q] = at < end ? values[at] : no_value;
            });
    };
    if (count > capacity) {
        answer_all(d_offsets, table.d_keys + first, table.d_values + first, first);
        return;
    }
    block_for_each<8>(
        count, [&](unsigned i) { return pack(table.d_keys[first + i], table.d_values[first + i]); },
        [&](Slot pair, unsigned i) {
            s_keys[i] = key_in(pair);
            s_values[i] = value_in(pair);
        });
    block_for_each<8>(
        table.buckets + 1, [&](unsigned i) { return d_offsets[i]; },
        [&](unsigned offset, unsigned i) {
            s_offsets[i] = static_cast<unsigned short>(offset - first);
        });
    __syncthreads();  // the part is there before it is searched
    answer_all(s_offsets, s_keys, s_values, 0);
}

}  // namespace

// Of a table that is cut in two steps. The fewer, the longer a tile's runs in the second step, and
// the shorter in the first: by regions of 763, 509, 382 and 256 parts an H200 built a table of 10^9
// pairs in 20.0, 19.9, 20.0 and 20.0 ms, and found all keys in 28.0, 27.7, 27.3 and 27.1. By 128
// parts, on 16 tracks, it took 21.0 and 29.3.
constexpr std::size_t most_parts_a_region = 256;

// The most parts of one step: it leaves half of the shared memory to the tile.
inline std::size_t most_parts_a_step() {
    return std::min<std::size_t>(most_parts, most_shared_memory() / 4 / sizeof(unsigned));
}

// How the table of n pairs is cut. Parts as large as fit shared memory, since fewer parts mean
// longer runs; and not more than 21,120 pairs, 165 KiB: so 26.2 million make ten parts for each of
// an H200's multiprocessors. The average part fills 94 % of it; for a random key's part to have
// more is then 9 standard deviations off.
inline PartShape part_shape(std::size_t n) {
    PartShape shape{};
    const std::size_t bytes = most_shared_memory();
    shape.buckets = bytes >= 96 * 1024 ? 8192 : 2048;
    shape.capacity = static_cast<unsigned>(
        std::min<std::size_t>(21120, (bytes - shape.buckets * sizeof(unsigned)) / sizeof(Slot)));
    const std::size_t average = shape.capacity - shape.capacity / 17;
    const std::size_t parts = std::max<std::size_t>(1, (n + average - 1) / average);
    const std::size_t regions =
        parts <= most_parts_a_step() ? 1 : (parts + most_parts_a_region - 1) / most_parts_a_region;
    shape.regions = static_cast<unsigned>(regions);
    shape.parts_a_region = static_cast<unsigned>((parts + regions - 1) / regions);
    return shape;
}
inline PartShape part_shape(const HashProblem& p) {
    return p.shape.regions > 0 ? p.shape : part_shape(p.n);
}

// Room for each part while n items are partitioned: the average and some more, so that random keys
// do not overflow. Each part begins with a line of memory.
inline unsigned room_a_part(std::size_t n, unsigned parts) {
    const std::size_t average = n / parts;
    const std::size_t room =
        std::min<std::size_t>(average + average / 16 + 1024, most_room / parts);
    constexpr std::size_t items_a_line = 32;
    return static_cast<unsigned>(room / items_a_line * items_a_line);
}

// What a step works on: the items, and behind them, in its track's scratch memory, the arrays of
// the partition.
template <typename Item>
struct PartitionScratch {
    Partition partition;
    Item* d_items;
};
template <typename Item>
PartitionScratch<Item> partition_scratch(Track& track, std::size_t n, unsigned parts,
                                         bool with_places) {
    const unsigned room = room_a_part(n, parts);
    const std::size_t items = std::max<std::size_t>(n, std::size_t{parts} * room);
    const std::size_t places = with_places ? n : 0;
    const std::size_t words = places + 2 * std::size_t{parts} + 1;
    auto* d_items =
        static_cast<Item*>(track.d_scratch(items * sizeof(Item) + words * sizeof(unsigned)));
    auto* d_places = reinterpret_cast<unsigned*>(d_items + items);
    unsigned* d_starts = d_places + places;
    unsigned* d_sizes = d_starts + parts;
    return {{n, parts, room, d_starts, d_sizes, d_sizes + parts, with_places ? d_places : nullptr},
            d_items};
}

// Calls use(region, d_items, count) for each part of a finished step. The host has to know their
// sizes, so it waits for the step here.
template <typename Item, typename Use>
void for_each_region(const PartitionScratch<Item>& step, Use use) {
    const Partition& partition = step.partition;
    std::vector<unsigned> starts(partition.parts);
    std::vector<unsigned> sizes(partition.parts);
    const std::size_t bytes = partition.parts * sizeof(unsigned);
    CHECK(cudaMemcpy(starts.data(), partition.d_starts, bytes, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(sizes.data(), partition.d_sizes, bytes, cudaMemcpyDeviceToHost));
    for (unsigned region = 0; region < partition.parts; ++region) {
        use(region, step.d_items + starts[region], sizes[region]);
    }
}

// Of `table`, only the parts from `first` on.
inline PartTable parts_from(PartTable table, unsigned first) {
    table.d_offsets += std::size_t{first} * (table.buckets + 1);
    return table;
}

// Queues the building of one region of the table: the parts from `first` on. `pairs`: all n pairs
// that belong there.
template <typename Source>
void build_region(HashProblem& p, Track& track, const PartShape& shape, const PartTable& table,
                  unsigned first, const Source& pairs, std::size_t n) {
    constexpr int block_size = 1024;
    const auto step = partition_scratch<Slot>(track, n, shape.parts_a_region, false);
    partition_items<1024, 16>(pairs, step.partition, step.d_items, track.stream());
    const std::size_t smem =
        shape.buckets * sizeof(unsigned) + shape.capacity * 2 * sizeof(unsigned);
    allow_shared_memory(build_parts<block_size>, smem);
    build_parts<block_size>
        <<<static_cast<int>(shape.parts_a_region), block_size, smem, track.stream()>>>(
            step.d_items, step.partition, parts_from(table, first), shape.capacity, p.d_used());
    CHECK_LAUNCH();
}

// Queues the building of the table of all pairs; with several regions, waits for the first step.
inline void build_table(HashProblem& p, const PartShape& shape, const PartTable& table) {
    CHECK(cudaMemsetAsync(p.d_used(), 0, sizeof(unsigned)));
    if (shape.regions == 1) {
        build_region(p, p.track(), shape, table, 0, PairSource{p.d_keys, p.d_values, table.parts},
                     p.n);
        return;
    }
    const auto step = partition_scratch<Slot>(p.track(), p.n, shape.regions, false);
    partition_items<1024, 16>(PairSource{p.d_keys, p.d_values, shape.regions}, step.partition,
                              step.d_items, p.track().stream());
    for_each_region(step, [&](unsigned region, const Slot* d_pairs, unsigned count) {
        const unsigned first = region * shape.parts_a_region;
        build_region(p, p.region_track(region), shape, table, first,
                     ItemSource<Slot>{d_pairs, table.parts, first}, count);
    });
}

inline void run_parts(HashProblem& p) {
    const PartShape shape = part_shape(p);
    build_table(p, shape, p.part_table(shape.parts(), shape.buckets));
    p.set_made(HashProblem::Made::parts);
}

// Queues the search for n queries in one region of the table: the parts from `first` on. d_found
// may be d_queries: they have gone into scratch memory before the first answer comes back.
inline void search_region(Track& track, const PartShape& shape, const PartTable& table,
                          unsigned first, const unsigned* d_queries, std::size_t n,
                          unsigned* d_found) {
    constexpr int block_size = 1024;
    const auto step = partition_scratch<unsigned>(track, n, shape.parts_a_region, true);
    partition_items<1024, 32>(ItemSource<unsigned>{d_queries, table.parts, first}, step.partition,
                              step.d_items, track.stream());
    const std::size_t smem =
        shape.capacity * 2 * sizeof(unsigned) + (shape.buckets + 2) * sizeof(unsigned short);
    allow_shared_memory(search_parts<block_size>, smem);
    search_parts<block_size>
        <<<static_cast<int>(shape.parts_a_region), block_size, smem, track.stream()>>>(
            step.d_items, step.partition, parts_from(table, first), shape.capacity);
    CHECK_LAUNCH();
    restore_order<1024, 16><<<blocks_to_cover(n, 1024 * 16), 1024, 0, track.stream()>>>(
        step.partition.d_places, n, step.d_items, d_found);
    CHECK_LAUNCH();
}

// With several regions the answers go back twice: within the region, then to the queries' order.
inline void run_find_parts(HashProblem& p) {
    const PartShape shape = part_shape(p);
    PartStorage& storage = p.searched_parts;
    if (storage.offsets.size() == 0) {
        storage = PartStorage(p.n, shape.parts(), shape.buckets);
        build_table(p, shape, storage.view());
    }
    const PartTable table = storage.view();
    p.set_made(HashProblem::Made::answers);
    if (shape.regions == 1) {
        search_region(p.track(), shape, table, 0, p.d_queries, p.queries, p.d_found());
        return;
    }
    const auto step = partition_scratch<unsigned>(p.track(), p.queries, shape.regions, true);
    partition_items<1024, 32>(ItemSource<unsigned>{p.d_queries, shape.regions, 0}, step.partition,
                              step.d_items, p.track().stream());
    for_each_region(step, [&](unsigned region, unsigned* d_queries, unsigned count) {
        const unsigned first = region * shape.parts_a_region;
        search_region(p.region_track(region), shape, table, first, d_queries, count, d_queries);
    });
    // In the default stream, which waits for the tracks of all regions.
    restore_order<1024, 16><<<blocks_to_cover(p.queries, 1024 * 16), 1024>>>(
        step.partition.d_places, p.queries, step.d_items, p.d_found());
    CHECK_LAUNCH();
}
