// splice_cluster: the blocks of a cluster join their sub-chains through each other's shared memory
// (distributed shared memory), then one lock and one splice for each bucket and cluster. Clusters
// need compute capability 9.0, and the CPU device has none.
#pragma once

#include <string>

#include "common/compiled_for.cuh"
#include "hash_table/hash_table_fast.cuh"

#ifdef __CUDACC__
#include <cooperative_groups.h>

namespace {

constexpr unsigned cluster_size = 8;  // blocks; more than 8 is not portable

__global__ void __launch_bounds__(splice_block_size)
    insert_by_clusters(const unsigned* d_keys, const unsigned* d_values, std::size_t n,
                       ChainedTable table, int* d_locks) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
    const SubChains chains = empty_sub_chains<true>(table.buckets);
    link_keys<true>(d_keys, d_values, n, table, chains);
    const auto cluster = cooperative_groups::this_cluster();
    cluster.sync();  // the sub-chains of all blocks are complete

    // Each block joins the cluster's sub-chains of every eighth bucket. Clusters begin at different
    // buckets, so that few meet at one lock.
    const unsigned mine = cluster.block_rank();
    const unsigned start = blockIdx.x / cluster_size * (table.buckets / cluster_size);
    for (unsigned k = threadIdx.x * cluster_size + mine; k < table.buckets;
         k += splice_block_size * cluster_size) {
        const unsigned bucket = (k + start) % table.buckets;
        ChainEnds joined{end_of_chain, end_of_chain};
        for (unsigned rank = 0; rank < cluster_size; ++rank) {
            const ChainEnds ends{cluster.map_shared_rank(chains.s_first, rank)[bucket],
                                 cluster.map_shared_rank(chains.s_last, rank)[bucket]};
            if (ends.first != end_of_chain) {
                table.d_pool[ends.last].next = joined.first;
                joined = {ends.first, joined.last == end_of_chain ? ends.last : joined.last};
            }
        }
        if (joined.first != end_of_chain) {
            SpliceUnderLock{d_locks}(table, bucket, joined.first, joined.last);
        }
    }
    cluster.sync();  // no block ends while another reads its shared memory
#endif
}

}  // namespace

inline std::string why_not_cluster(const HashProblem& p) {
    const std::string reason = why_not_90();
    return reason.empty() ? why_not_splice_rows(p) : reason;
}

// As many whole clusters as the device holds at the same time, a block on each multiprocessor.
inline void run_splice_cluster(HashProblem& p) {
    empty_chains(p);
    const std::size_t smem = splice_bytes(p.buckets, true);
    allow_shared_memory(insert_by_clusters, smem);
    const unsigned blocks = static_cast<unsigned>(splice_grid_size(p.n));
    const unsigned clusters = std::max(1u, blocks / cluster_size);
    cudaLaunchAttribute cluster{};
    cluster.id = cudaLaunchAttributeClusterDimension;
    cluster.val.clusterDim.x = cluster_size;
    cluster.val.clusterDim.y = 1;
    cluster.val.clusterDim.z = 1;
    cudaLaunchConfig_t config{};
    config.gridDim = dim3(clusters * cluster_size);
    config.blockDim = dim3(splice_block_size);
    config.dynamicSmemBytes = smem;
    config.attrs = &cluster;
    config.numAttrs = 1;
    CHECK(cudaLaunchKernelEx(&config, insert_by_clusters, p.d_keys, p.d_values, p.n, p.chains(),
                             p.d_locks()));
}
#else
inline std::string why_not_cluster(const HashProblem&) {
    return "needs clusters of blocks (compute capability 9.0)";
}
inline void run_splice_cluster(HashProblem&) {}
#endif
