// Variant 2: a lock per bucket, and no turns: each thread takes its lock when it comes.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

#include "common/error.cuh"
#include "common/lock.cuh"
#include "hash_table/chained_table.cuh"

// Parameters: see insert_lock_per_bucket.
//
// Since compute capability 7.0 each thread goes on by itself (independent thread scheduling): while
// a lane waits for a lock, the lane of its warp that holds it goes on. So the loop over turns can
// go, and lanes with different buckets need not wait for each other.
__global__ void insert_lock_without_turns(const unsigned* d_keys, const unsigned* d_values,
                                          std::size_t n, ChainedTable table, int* d_locks) {
    const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
    for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += stride) {
        const unsigned bucket = bucket_of(d_keys[i], table.buckets);
        table.d_pool[i].key = d_keys[i];
        table.d_pool[i].value = d_values[i];
        common::lock(d_locks[bucket]);
        table.d_pool[i].next = table.d_heads[bucket];
        table.d_heads[bucket] = static_cast<unsigned>(i);
        common::unlock(d_locks[bucket]);
    }
}

inline void launch_lock_without_turns(const unsigned* d_keys, const unsigned* d_values,
                                      std::size_t n, ChainedTable table, int* d_locks,
                                      int block_size) {
    CHECK(cudaMemsetAsync(table.d_heads, 0xff, table.buckets * sizeof(unsigned)));  // end_of_chain
    const int grid_size = blocks_for_locks(n, table.buckets, block_size);
    insert_lock_without_turns<<<grid_size, block_size>>>(d_keys, d_values, n, table, d_locks);
    CHECK_LAUNCH();
}
