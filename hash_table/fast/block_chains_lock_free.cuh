// Block chains, appended without a lock.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

#include "hash_table/fast/block_chains.cuh"

// lock_free_push for a whole block chain.
struct AppendByExchange {
    __device__ void operator()(const ChainedTable& table, unsigned bucket, unsigned first,
                               unsigned last) const {
        table.d_pool[last].next = atomicExch(&table.d_heads[bucket], first);
    }
};

inline void launch_block_chains_lock_free(const unsigned* d_keys, const unsigned* d_values,
                                          std::size_t n, ChainedTable table) {
    launch_block_chains<false>(d_keys, d_values, n, table, AppendByExchange{});
}
