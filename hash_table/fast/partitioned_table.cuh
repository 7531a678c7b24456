// A multimap in partitions that fit shared memory each: how it is cut, its memory, and the items
// that common/partition.cuh brings into partitions.
//
// A table of very many pairs would have too many partitions for one pass. Then there are two: the
// first makes coarse partitions, and the second cuts each of them into its final partitions.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <vector>

#include "common/device_array.cuh"
#include "common/partition.cuh"
#include "common/stream.cuh"
#include "hash_table/slots.cuh"

// The table as kernels take it. The pairs of a partition follow each other, ordered by bucket; the
// partitions follow each other in any order, without gaps.
struct PartitionedTable {
    unsigned* d_keys;     // n
    unsigned* d_values;   // n
    unsigned* d_offsets;  // partitions * (buckets + 1): where each bucket begins, and the end
    unsigned partitions;
    unsigned buckets;  // per partition
};

// The mixed key is a fraction of 2^32. Partition: the whole part of fraction * partitions. What is
// left is a fraction again; bucket: the whole part of that fraction * buckets.
__host__ __device__ inline unsigned partition_of(unsigned key, unsigned partitions) {
    return static_cast<unsigned>((static_cast<unsigned long long>(mix_bits(key)) * partitions) >>
                                 32);
}
__host__ __device__ inline unsigned bucket_in_partition(unsigned key,
                                                        const PartitionedTable& table) {
    const unsigned fraction = mix_bits(key) * table.partitions;
    return static_cast<unsigned>((static_cast<unsigned long long>(fraction) * table.buckets) >> 32);
}

// How a table is cut. Final partition p is in coarse partition p / partitions_per_coarse. That is
// also partition_of(key, coarse_partitions), so that the first pass needs nothing else.
struct PartitionPlan {
    unsigned coarse_partitions;      // 1: a single pass makes the final partitions
    unsigned partitions_per_coarse;  // final partitions in each coarse one
    unsigned buckets;                // per final partition
    unsigned capacity;               // pairs of a final partition that fit shared memory

    unsigned partitions() const { return coarse_partitions * partitions_per_coarse; }
};

// The second of two passes has at most this many partitions per coarse one.
constexpr std::size_t max_partitions_per_coarse = 256;

// The most partitions of one pass: they leave half of the shared memory to the tile.
inline std::size_t max_partitions_per_pass() {
    return std::min<std::size_t>(common::max_partitions,
                                 common::max_shared_memory() / 4 / sizeof(unsigned));
}

// The plan for n pairs. Partitions are as large as fit shared memory beside the buckets' counters,
// since fewer partitions mean longer runs. The average partition is 94 % full: that a partition of
// random keys overflows is then 9 standard deviations off.
inline PartitionPlan partition_plan(std::size_t n) {
    constexpr std::size_t max_pairs = 21120;  // 165 KiB: ten partitions per multiprocessor of an
                                              // H200 for 26.2 million pairs
    PartitionPlan plan{};
    const std::size_t bytes = common::max_shared_memory();
    plan.buckets = bytes >= 96 * 1024 ? 8192 : 2048;
    plan.capacity = static_cast<unsigned>(
        std::min<std::size_t>(max_pairs, (bytes - plan.buckets * sizeof(unsigned)) / sizeof(Slot)));
    const std::size_t average = plan.capacity - plan.capacity / 17;
    const std::size_t partitions = std::max<std::size_t>(1, (n + average - 1) / average);
    const std::size_t coarse =
        partitions <= max_partitions_per_pass()
            ? 1
            : (partitions + max_partitions_per_coarse - 1) / max_partitions_per_coarse;
    plan.coarse_partitions = static_cast<unsigned>(coarse);
    plan.partitions_per_coarse = static_cast<unsigned>((partitions + coarse - 1) / coarse);
    return plan;
}

// The table's memory.
struct PartitionedStorage {
    common::DeviceArray<unsigned> keys;
    common::DeviceArray<unsigned> values;
    common::DeviceArray<unsigned> offsets;
    common::DeviceArray<unsigned> used;  // pairs in the table so far
    PartitionedTable table{};

    PartitionedStorage() = default;
    PartitionedStorage(std::size_t n, const PartitionPlan& plan)
        : keys(n),
          values(n),
          offsets(std::size_t{plan.partitions()} * (plan.buckets + 1)),
          used(1),
          table{keys.data(), values.data(), offsets.data(), plan.partitions(), plan.buckets} {}
};

// Sources for common::partition_items(): keys with their values, from two arrays; and items that
// are in one array, pairs or keys alone. `partitions` counts all partitions of the table. In the
// second of two passes the numbers begin at `first`, the first partition of the coarse one.
struct PairSource {
    using Key = unsigned;
    using Item = Slot;
    const unsigned* d_keys;
    const unsigned* d_values;
    unsigned partitions;

    __device__ Key key(std::size_t i) const { return d_keys[i]; }
    __device__ Item item(Key key, std::size_t i) const { return make_slot(key, d_values[i]); }
    __device__ unsigned partition_of_key(Key key) const { return ::partition_of(key, partitions); }
    __device__ unsigned partition_of(Item pair) const { return partition_of_key(key_of(pair)); }
};
template <typename PairOrKey>
struct ItemSource {
    using Key = PairOrKey;
    using Item = PairOrKey;
    const Item* d_items;
    unsigned partitions;
    unsigned first;

    __device__ Key key(std::size_t i) const { return d_items[i]; }
    __device__ Item item(Key item, std::size_t) const { return item; }
    __device__ unsigned partition_of_key(Key item) const { return partition_of(item); }
    __device__ unsigned partition_of(Item item) const {
        return ::partition_of(key_of(item), partitions) - first;
    }
};

// A stream and the temporary storage of what is queued there. Work in different workspaces may run
// at the same time.
struct Workspace {
    std::optional<common::Stream> own_stream;  // none: the default stream
    common::DeviceArray<unsigned char> storage;

    cudaStream_t stream() const { return own_stream.has_value() ? own_stream->get() : nullptr; }
    // At least this many bytes. The next caller gets the same ones: what it queues in this stream
    // comes after all that uses them now. (If they grow, cudaFree waits for that too.)
    void* reserve(std::size_t bytes) {
        if (storage.size() < bytes) {
            storage = common::DeviceArray<unsigned char>(bytes);
        }
        return storage.data();
    }
};

// The workspaces of one table: one for what concerns all pairs, and some that the coarse partitions
// take in turn. Where the last blocks of one coarse partition leave multiprocessors idle, those of
// another use them.
class Workspaces {
  public:
    static constexpr unsigned concurrent_streams = 8;

    Workspace& whole() { return whole_; }
    Workspace& of_coarse(unsigned coarse_partition) {
        Workspace& workspace = of_coarse_[coarse_partition % concurrent_streams];
        if (!workspace.own_stream.has_value()) {
            workspace.own_stream.emplace();
        }
        return workspace;
    }

  private:
    Workspace whole_;
    Workspace of_coarse_[concurrent_streams];
};

// What a pass works on, in a workspace's storage: the items, and after them the arrays of the
// partitioning.
template <typename Item>
struct Pass {
    common::Partitioning partitioning;
    Item* d_items;
};

// The capacity of each partition while n items are partitioned: the average and some more, so that
// random keys do not overflow. It is a whole number of 128-byte lines.
inline unsigned capacity_per_partition(std::size_t n, unsigned partitions) {
    const std::size_t average = n / partitions;
    const std::size_t capacity =
        std::min<std::size_t>(average + average / 16 + 1024, common::max_capacity / partitions);
    constexpr std::size_t items_per_line = 32;
    return static_cast<unsigned>(capacity / items_per_line * items_per_line);
}

template <typename Item>
Pass<Item> prepare_pass(Workspace& workspace, std::size_t n, unsigned partitions,
                        bool with_positions) {
    const unsigned capacity = capacity_per_partition(n, partitions);
    const std::size_t items = std::max<std::size_t>(n, std::size_t{partitions} * capacity);
    const std::size_t positions = with_positions ? n : 0;
    const std::size_t words = positions + 2 * std::size_t{partitions} + 1;
    auto* d_items =
        static_cast<Item*>(workspace.reserve(items * sizeof(Item) + words * sizeof(unsigned)));
    auto* d_positions = reinterpret_cast<unsigned*>(d_items + items);
    unsigned* d_starts = d_positions + positions;
    unsigned* d_sizes = d_starts + partitions;
    return {{n, partitions, capacity, d_starts, d_sizes, d_sizes + partitions,
             with_positions ? d_positions : nullptr},
            d_items};
}

// Calls use(p, d_items, count) for each partition of a finished pass. The host needs their sizes,
// so it waits for the pass.
template <typename Item, typename Use>
void for_each_partition(const Pass<Item>& pass, Use use) {
    const common::Partitioning& partitioning = pass.partitioning;
    std::vector<unsigned> starts(partitioning.partitions);
    std::vector<unsigned> sizes(partitioning.partitions);
    const std::size_t bytes = partitioning.partitions * sizeof(unsigned);
    CHECK(cudaMemcpy(starts.data(), partitioning.d_starts, bytes, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(sizes.data(), partitioning.d_sizes, bytes, cudaMemcpyDeviceToHost));
    for (unsigned p = 0; p < partitioning.partitions; ++p) {
        use(p, pass.d_items + starts[p], sizes[p]);
    }
}

// Of `table`, only the partitions from `first` on.
inline PartitionedTable partitions_from(PartitionedTable table, unsigned first) {
    table.d_offsets += std::size_t{first} * (table.buckets + 1);
    return table;
}
