// Block chains, appended under the bucket's lock.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

#include "common/lock.cuh"
#include "hash_table/fast/block_chains.cuh"

// As in lock_without_turns, a chain changes only under its bucket's lock; but by a whole block
// chain at once.
struct AppendUnderLock {
    int* d_locks;

    __device__ void operator()(const ChainedTable& table, unsigned bucket, unsigned first,
                               unsigned last) const {
        common::lock(d_locks[bucket]);
        table.d_pool[last].next = table.d_heads[bucket];
        table.d_heads[bucket] = first;
        common::unlock(d_locks[bucket]);
    }
};

inline void launch_block_chains_lock(const unsigned* d_keys, const unsigned* d_values,
                                     std::size_t n, ChainedTable table, int* d_locks) {
    launch_block_chains<false>(d_keys, d_values, n, table, AppendUnderLock{d_locks});
}
