// Search in a multimap in partitions: partitions the queries, looks them up in shared memory, and
// brings the answers back into the queries' order.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

#include "common/partition.cuh"
#include "common/shared_memory.cuh"
#include "hash_table/fast/partitioned_table.cuh"

// Answers the queries of partition blockIdx.x, each in the place of the query. All that a search
// reads is in shared memory, unless the partition does not fit. Buckets should be small: the lanes
// of a warp wait for the longest of their 32 searches.
template <int block_size>
__global__ void __launch_bounds__(block_size, 1)
    search_partitions(unsigned* d_queries, common::Partitioning partitioning,
                      PartitionedTable table, unsigned capacity) {
    unsigned* s_keys = common::dynamic_shared<unsigned>();
    unsigned* s_values = s_keys + capacity;
    auto* s_offsets = reinterpret_cast<unsigned short*>(s_values + capacity);
    const unsigned* d_offsets = table.d_offsets + std::size_t{blockIdx.x} * (table.buckets + 1);
    const unsigned first = d_offsets[0];
    const unsigned count = d_offsets[table.buckets] - first;
    unsigned* d_own_queries = d_queries + partitioning.d_starts[blockIdx.x];
    const auto answer_all = [&](const auto* offsets, const unsigned* keys, const unsigned* values,
                                unsigned shift) {
        common::block_for_each<8>(
            partitioning.d_sizes[blockIdx.x], [&](unsigned q) { return d_own_queries[q]; },
            [&](unsigned key, unsigned q) {
                const unsigned bucket = bucket_in_partition(key, table);
                unsigned at = offsets[bucket] - shift;
                const unsigned end = offsets[bucket + 1] - shift;
                while (at < end && keys[at] != key) {
                    ++at;
                }
                d_own_queries[q] = at < end ? values[at] : no_value;
            });
    };
    if (count > capacity) {
        answer_all(d_offsets, table.d_keys + first, table.d_values + first, first);
        return;
    }
    common::block_for_each<8>(
        count,
        [&](unsigned i) { return make_slot(table.d_keys[first + i], table.d_values[first + i]); },
        [&](Slot pair, unsigned i) {
            s_keys[i] = key_of(pair);
            s_values[i] = value_of(pair);
        });
    common::block_for_each<8>(
        table.buckets + 1, [&](unsigned i) { return d_offsets[i]; },
        [&](unsigned offset, unsigned i) {
            s_offsets[i] = static_cast<unsigned short>(offset - first);
        });
    __syncthreads();  // the partition is in shared memory before it is searched
    answer_all(s_offsets, s_keys, s_values, 0);
}

// Queues the search for n queries in the partitions from `first` on, as many as a coarse partition
// has. d_found may be d_queries: they are in the workspace before the first answer is stored.
inline void find_in_coarse_partition(const unsigned* d_queries, std::size_t n,
                                     const PartitionPlan& plan, const PartitionedTable& table,
                                     unsigned first, unsigned* d_found, Workspace& workspace) {
    constexpr int block_size = 1024;
    const auto pass = prepare_pass<unsigned>(workspace, n, plan.partitions_per_coarse, true);
    common::partition_items<1024, 32>(ItemSource<unsigned>{d_queries, table.partitions, first},
                                      pass.partitioning, pass.d_items, workspace.stream());
    const std::size_t smem =
        plan.capacity * 2 * sizeof(unsigned) + (plan.buckets + 2) * sizeof(unsigned short);
    common::allow_shared_memory(search_partitions<block_size>, smem);
    search_partitions<block_size>
        <<<static_cast<int>(plan.partitions_per_coarse), block_size, smem, workspace.stream()>>>(
            pass.d_items, pass.partitioning, partitions_from(table, first), plan.capacity);
    CHECK_LAUNCH();
    common::launch_restore_order(pass.partitioning.d_positions, n, pass.d_items, d_found,
                                 workspace.stream());
}

// Queues the search for all queries. With several coarse partitions the host waits for the first
// pass, and the answers are brought back in two steps.
inline void launch_find_partitioned(const unsigned* d_queries, std::size_t queries,
                                    const PartitionPlan& plan, const PartitionedTable& table,
                                    unsigned* d_found, Workspaces& workspaces) {
    if (plan.coarse_partitions == 1) {
        find_in_coarse_partition(d_queries, queries, plan, table, 0, d_found, workspaces.whole());
        return;
    }
    const auto pass =
        prepare_pass<unsigned>(workspaces.whole(), queries, plan.coarse_partitions, true);
    common::partition_items<1024, 32>(ItemSource<unsigned>{d_queries, plan.coarse_partitions, 0},
                                      pass.partitioning, pass.d_items, workspaces.whole().stream());
    for_each_partition(pass, [&](unsigned coarse, unsigned* d_own_queries, unsigned count) {
        find_in_coarse_partition(d_own_queries, count, plan, table,
                                 coarse * plan.partitions_per_coarse, d_own_queries,
                                 workspaces.of_coarse(coarse));
    });
    // In the default stream, which waits for the streams of all coarse partitions.
    common::launch_restore_order(pass.partitioning.d_positions, queries, pass.d_items, d_found,
                                 nullptr);
}
