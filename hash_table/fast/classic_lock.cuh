// Variant 2 with the lock in its classic form: atomicCAS, two fences, atomicExch.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

#include "common/error.cuh"
#include "common/lock.cuh"
#include "hash_table/chained_table.cuh"

// Parameters: see insert_lock_per_bucket. The fences order every access of the thread, where
// acquire and release order no more than they have to.
__global__ void insert_classic_lock(const unsigned* d_keys, const unsigned* d_values, std::size_t n,
                                    ChainedTable table, int* d_locks) {
    const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
    for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += stride) {
        const unsigned bucket = bucket_of(d_keys[i], table.buckets);
        table.d_pool[i].key = d_keys[i];
        table.d_pool[i].value = d_values[i];
        common::lock_classic(d_locks[bucket]);
        table.d_pool[i].next = table.d_heads[bucket];
        table.d_heads[bucket] = static_cast<unsigned>(i);
        common::unlock_classic(d_locks[bucket]);
    }
}

inline void launch_classic_lock(const unsigned* d_keys, const unsigned* d_values, std::size_t n,
                                ChainedTable table, int* d_locks, int block_size) {
    CHECK(cudaMemsetAsync(table.d_heads, 0xff, table.buckets * sizeof(unsigned)));  // end_of_chain
    const int grid_size = blocks_for_locks(n, table.buckets, block_size);
    insert_classic_lock<<<grid_size, block_size>>>(d_keys, d_values, n, table, d_locks);
    CHECK_LAUNCH();
}
