// Block chains with coalesced stores; the blocks of a cluster merge their chains through each
// other's shared memory (distributed shared memory), and take each lock once per cluster. Clusters
// need compute capability 9.0, and the CPU device has none.
//
// Source of the idea: CUDA C++ Programming Guide, "Distributed Shared Memory".
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <string>

#include "common/compiled_for.cuh"
#include "hash_table/fast/block_chains_lock.cuh"
#include "hash_table/fast/block_chains_merged_first.cuh"

#ifndef CPU_DEVICE
#include <cooperative_groups.h>

constexpr unsigned cluster_size = 8;  // blocks; more than 8 is not portable

// Parameters: see insert_lock_per_bucket. The grid consists of whole clusters.
__global__ void __launch_bounds__(chains_block_size)
    insert_cluster_chains(const unsigned* d_keys, const unsigned* d_values, std::size_t n,
                          ChainedTable table, int* d_locks) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
    const BlockChains chains = empty_block_chains<true>(table.buckets);
    link_keys<true>(d_keys, d_values, n, table, chains);
    const auto cluster = cooperative_groups::this_cluster();
    cluster.sync();  // the chains of all blocks are complete

    // Each block merges the cluster's chains of every eighth bucket. Clusters begin at different
    // buckets, so that few want one bucket at the same time.
    const unsigned own_rank = cluster.block_rank();
    const unsigned start = blockIdx.x / cluster_size * (table.buckets / cluster_size);
    for (unsigned k = threadIdx.x * cluster_size + own_rank; k < table.buckets;
         k += chains_block_size * cluster_size) {
        const unsigned bucket = (k + start) % table.buckets;
        ChainEnds merged{end_of_chain, end_of_chain};
        for (unsigned rank = 0; rank < cluster_size; ++rank) {
            const ChainEnds ends{cluster.map_shared_rank(chains.s_first, rank)[bucket],
                                 cluster.map_shared_rank(chains.s_last, rank)[bucket]};
            if (ends.first != end_of_chain) {
                table.d_pool[ends.last].next = merged.first;
                merged = {ends.first, merged.last == end_of_chain ? ends.last : merged.last};
            }
        }
        if (merged.first != end_of_chain) {
            AppendUnderLock{d_locks}(table, bucket, merged.first, merged.last);
        }
    }
    cluster.sync();  // no block ends while another reads its shared memory
#endif
}

inline std::string skip_reason_clusters() {
    return common::skip_reason_below_90();
}

// As many whole clusters as the device holds at the same time, one block per multiprocessor.
inline void launch_block_chains_cluster(const unsigned* d_keys, const unsigned* d_values,
                                        std::size_t n, ChainedTable table, int* d_locks) {
    CHECK(cudaMemsetAsync(table.d_heads, 0xff, table.buckets * sizeof(unsigned)));  // end_of_chain
    const std::size_t smem = chains_bytes(table.buckets, true);
    common::allow_shared_memory(insert_cluster_chains, smem);
    const auto blocks = static_cast<unsigned>(chains_grid_size(n));
    const unsigned clusters = std::max(1u, blocks / cluster_size);
    cudaLaunchAttribute cluster{};
    cluster.id = cudaLaunchAttributeClusterDimension;
    cluster.val.clusterDim.x = cluster_size;
    cluster.val.clusterDim.y = 1;
    cluster.val.clusterDim.z = 1;
    cudaLaunchConfig_t config{};
    config.gridDim = dim3(clusters * cluster_size);
    config.blockDim = dim3(chains_block_size);
    config.dynamicSmemBytes = smem;
    config.attrs = &cluster;
    config.numAttrs = 1;
    CHECK(cudaLaunchKernelEx(&config, insert_cluster_chains, d_keys, d_values, n, table, d_locks));
}
#else
inline std::string skip_reason_clusters() {
    return "needs clusters of blocks (compute capability 9.0)";
}
inline void launch_block_chains_cluster(const unsigned*, const unsigned*, std::size_t, ChainedTable,
                                        int*) {}
#endif
