// Wrong on purpose: 2_lock_without_turns.cuh without the lock. Two threads with one bucket read the
// same head. Then both write it: the entry that was written first is in no chain any more.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

#include "common/error.cuh"
#include "hash_table/chained_table.cuh"

// Parameters: see insert_lock_per_bucket.
__global__ void insert_no_lock(const unsigned* d_keys, const unsigned* d_values, std::size_t n,
                               ChainedTable table) {
    const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
    for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += stride) {
        const unsigned bucket = bucket_of(d_keys[i], table.buckets);
        table.d_pool[i].key = d_keys[i];
        table.d_pool[i].value = d_values[i];
        table.d_pool[i].next = table.d_heads[bucket];      // race: no_lock
        table.d_heads[bucket] = static_cast<unsigned>(i);  // race: no_lock
    }
}

inline void launch_no_lock(const unsigned* d_keys, const unsigned* d_values, std::size_t n,
                           ChainedTable table, int block_size) {
    CHECK(cudaMemsetAsync(table.d_heads, 0xff, table.buckets * sizeof(unsigned)));  // end_of_chain
    const int grid_size = blocks_for_locks(n, table.buckets, block_size);
    insert_no_lock<<<grid_size, block_size>>>(d_keys, d_values, n, table);
    CHECK_LAUNCH();
}
