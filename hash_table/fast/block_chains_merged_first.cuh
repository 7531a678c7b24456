// Block chains with coalesced stores; a second kernel merges the chains of all blocks, one warp per
// bucket, and takes each lock once.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

#include "common/lock.cuh"
#include "hash_table/fast/block_chains.cuh"

// The ends of a block chain; of an empty one, end_of_chain twice.
struct ChainEnds {
    unsigned first;
    unsigned last;
};

// Stores the ends of the block's chains in d_ends[block * buckets + bucket].
__global__ void __launch_bounds__(chains_block_size)
    link_block_chains(const unsigned* d_keys, const unsigned* d_values, std::size_t n,
                      ChainedTable table, ChainEnds* d_ends) {
    const BlockChains chains = empty_block_chains<true>(table.buckets);
    link_keys<true>(d_keys, d_values, n, table, chains);
    ChainEnds* d_block_ends = d_ends + std::size_t{blockIdx.x} * table.buckets;
    for (unsigned bucket = threadIdx.x; bucket < table.buckets; bucket += blockDim.x) {
        d_block_ends[bucket] = {chains.s_first[bucket], chains.s_last[bucket]};
    }
}

// A warp merges all blocks' chains of one bucket. That needs no lock: no other warp knows them.
// Then one visit to the lock puts the merged chain into the table: no thread waits.
__global__ void append_merged_chains(const ChainEnds* d_ends, unsigned blocks, ChainedTable table,
                                     int* d_locks) {
    const unsigned bucket = (blockIdx.x * blockDim.x + threadIdx.x) / common::warp_size;
    const unsigned lane = threadIdx.x % common::warp_size;
    if (bucket >= table.buckets) {
        return;  // the whole warp
    }
    // Phase 1: each lane merges every 32nd of the chains, each in front of those before it.
    ChainEnds merged{end_of_chain, end_of_chain};
    for (unsigned block = lane; block < blocks; block += common::warp_size) {
        const ChainEnds ends = d_ends[std::size_t{block} * table.buckets + bucket];
        if (ends.first != end_of_chain) {
            table.d_pool[ends.last].next = merged.first;
            merged = {ends.first, merged.last == end_of_chain ? ends.last : merged.last};
        }
    }
    // Phase 2: each lane that has a chain appends the chain of the next lane that has one.
    const unsigned all = 0xffffffffu;
    const unsigned lanes_with_chain = __ballot_sync(all, merged.first != end_of_chain);
    const unsigned later = lane + 1 < common::warp_size ? lanes_with_chain >> (lane + 1) : 0;
    const unsigned next_lane = later != 0 ? lane + __ffs(static_cast<int>(later)) : lane;
    const unsigned next_first = __shfl_sync(all, merged.first, static_cast<int>(next_lane));
    if (merged.first != end_of_chain && later != 0) {
        table.d_pool[merged.last].next = next_first;
    }
    // Phase 3: the lane with the last chain knows the end of all. It gets the beginning from the
    // lane with the first chain, and appends the whole.
    const int first_lane = max(__ffs(static_cast<int>(lanes_with_chain)) - 1, 0);
    const unsigned first = __shfl_sync(all, merged.first, first_lane);
    __syncwarp();  // all lanes' links are written before the chain is in the table
    if (merged.first != end_of_chain && later == 0) {
        common::lock(d_locks[bucket]);
        table.d_pool[merged.last].next = table.d_heads[bucket];
        table.d_heads[bucket] = first;
        common::unlock(d_locks[bucket]);
    }
}

// Bytes of d_ends.
inline std::size_t merged_first_bytes(std::size_t n, unsigned buckets) {
    return std::size_t{buckets} * chains_grid_size(n) * sizeof(ChainEnds);
}

// d_ends: merged_first_bytes(n, table.buckets) bytes.
inline void launch_block_chains_merged_first(const unsigned* d_keys, const unsigned* d_values,
                                             std::size_t n, ChainedTable table, int* d_locks,
                                             ChainEnds* d_ends) {
    CHECK(cudaMemsetAsync(table.d_heads, 0xff, table.buckets * sizeof(unsigned)));  // end_of_chain
    const int grid_size = chains_grid_size(n);
    const std::size_t smem = chains_bytes(table.buckets, true);
    common::allow_shared_memory(link_block_chains, smem);
    link_block_chains<<<grid_size, chains_block_size, smem>>>(d_keys, d_values, n, table, d_ends);
    CHECK_LAUNCH();
    constexpr int block_size = 256;
    const int blocks =
        common::blocks_to_cover(std::size_t{table.buckets} * common::warp_size, block_size);
    append_merged_chains<<<blocks, block_size>>>(d_ends, static_cast<unsigned>(grid_size), table,
                                                 d_locks);
    CHECK_LAUNCH();
}
