// A multimap in partitions (build): partitions the pairs by hash, then sorts each partition by
// bucket in shared memory.
//
// In all chained variants each access takes a sector of 32 bytes for the 4 or 8 that it needs. Here
// global memory is read and written in runs.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

#include "common/block_scan.cuh"
#include "common/partition.cuh"
#include "common/shared_memory.cuh"
#include "hash_table/fast/partitioned_table.cuh"

// Sorts partition blockIdx.x by bucket (a counting sort): counts the pairs of each bucket, turns
// the counts into offsets, and puts each pair at its bucket's next place. The partition is sorted
// in shared memory and then copied out. One that does not fit is sorted directly in the table.
//
// d_pairs, partitioning: the partitioned pairs. d_used: 0 before the first launch. Each partition
// takes its place in the table by one atomicAdd: there are no gaps, and no block waits to know the
// sizes of the others.
template <int block_size>
__global__ void __launch_bounds__(block_size, 1)
    sort_partitions(const Slot* d_pairs, common::Partitioning partitioning, PartitionedTable table,
                    unsigned capacity, unsigned* d_used) {
    unsigned* s_starts = common::dynamic_shared<unsigned>();
    unsigned* s_keys = s_starts + table.buckets;
    unsigned* s_values = s_keys + capacity;
    __shared__ unsigned s_first;
    const unsigned count = partitioning.d_sizes[blockIdx.x];
    const Slot* d_own_pairs = d_pairs + partitioning.d_starts[blockIdx.x];
    if (threadIdx.x == 0) {
        s_first = atomicAdd(d_used, count);
    }
    for (unsigned bucket = threadIdx.x; bucket < table.buckets; bucket += block_size) {
        s_starts[bucket] = 0;
    }
    __syncthreads();  // all counters are 0 before the first pair is counted, s_first is known
    const auto load = [&](unsigned i) { return d_own_pairs[i]; };
    common::block_for_each<8>(count, load, [&](Slot pair, unsigned) {
        atomicAdd(&s_starts[bucket_in_partition(key_of(pair), table)], 1u);
    });
    __syncthreads();  // all pairs are counted before the counts become starts
    common::exclusive_scan_shared(s_starts, table.buckets);

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
    common::block_for_each<8>(count, load, [&](Slot pair, unsigned) {
        const unsigned place = atomicAdd(&s_starts[bucket_in_partition(key_of(pair), table)], 1u);
        if (fits) {
            s_keys[place] = key_of(pair);
            s_values[place] = value_of(pair);
        } else {
            table.d_keys[first + place] = key_of(pair);
            table.d_values[first + place] = value_of(pair);
        }
    });
    if (fits) {
        __syncthreads();  // the partition is sorted before it is copied out
#pragma unroll 4
        for (unsigned i = threadIdx.x; i < count; i += block_size) {
            table.d_keys[first + i] = s_keys[i];
            table.d_values[first + i] = s_values[i];
        }
    }
}

// Queues the build of the partitions from `first` on, as many as a coarse partition has. `pairs`:
// all n pairs that belong there.
template <typename Source>
void build_coarse_partition(const Source& pairs, std::size_t n, const PartitionPlan& plan,
                            const PartitionedTable& table, unsigned first, unsigned* d_used,
                            Workspace& workspace) {
    constexpr int block_size = 1024;
    const auto pass = prepare_pass<Slot>(workspace, n, plan.partitions_per_coarse, false);
    common::partition_items<1024, 16>(pairs, pass.partitioning, pass.d_items, workspace.stream());
    const std::size_t smem = plan.buckets * sizeof(unsigned) + plan.capacity * 2 * sizeof(unsigned);
    common::allow_shared_memory(sort_partitions<block_size>, smem);
    sort_partitions<block_size>
        <<<static_cast<int>(plan.partitions_per_coarse), block_size, smem, workspace.stream()>>>(
            pass.d_items, pass.partitioning, partitions_from(table, first), plan.capacity, d_used);
    CHECK_LAUNCH();
}

// Queues the build of the table of all pairs. With several coarse partitions the host waits for the
// first pass. d_used: one word.
inline void launch_partitioned(const unsigned* d_keys, const unsigned* d_values, std::size_t n,
                               const PartitionPlan& plan, const PartitionedTable& table,
                               unsigned* d_used, Workspaces& workspaces) {
    CHECK(cudaMemsetAsync(d_used, 0, sizeof(unsigned)));
    if (plan.coarse_partitions == 1) {
        build_coarse_partition(PairSource{d_keys, d_values, table.partitions}, n, plan, table, 0,
                               d_used, workspaces.whole());
        return;
    }
    const auto pass = prepare_pass<Slot>(workspaces.whole(), n, plan.coarse_partitions, false);
    common::partition_items<1024, 16>(PairSource{d_keys, d_values, plan.coarse_partitions},
                                      pass.partitioning, pass.d_items, workspaces.whole().stream());
    for_each_partition(pass, [&](unsigned coarse, const Slot* d_pairs, unsigned count) {
        const unsigned first = coarse * plan.partitions_per_coarse;
        build_coarse_partition(ItemSource<Slot>{d_pairs, table.partitions, first}, count, plan,
                               table, first, d_used, workspaces.of_coarse(coarse));
    });
}
