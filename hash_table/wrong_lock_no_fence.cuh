// Wrong on purpose: the lock of CUDA by Example, appendix A, as printed: atomicCAS, atomicExch, and
// nothing that orders the accesses between them. Only one thread holds it at a time. But what that
// thread reads may be older than the writes of the thread before it, and what it writes may arrive
// after the lock is free again.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

#include "common/error.cuh"
#include "hash_table/chained_table.cuh"

// Parameters: see insert_lock_per_bucket.
__global__ void insert_lock_no_fence(const unsigned* d_keys, const unsigned* d_values,
                                     std::size_t n, ChainedTable table, int* d_locks) {
    const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
    for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += stride) {
        const unsigned bucket = bucket_of(d_keys[i], table.buckets);
        table.d_pool[i].key = d_keys[i];
        table.d_pool[i].value = d_values[i];
        while (atomicCAS(&d_locks[bucket], 0, 1) != 0) {
        }
        table.d_pool[i].next = table.d_heads[bucket];      // race: lock_no_fence
        table.d_heads[bucket] = static_cast<unsigned>(i);  // race: lock_no_fence
        atomicExch(&d_locks[bucket], 0);
    }
}

inline void launch_lock_no_fence(const unsigned* d_keys, const unsigned* d_values, std::size_t n,
                                 ChainedTable table, int* d_locks, int block_size) {
    CHECK(cudaMemsetAsync(table.d_heads, 0xff, table.buckets * sizeof(unsigned)));  // end_of_chain
    const int grid_size = blocks_for_locks(n, table.buckets, block_size);
    insert_lock_no_fence<<<grid_size, block_size>>>(d_keys, d_values, n, table, d_locks);
    CHECK_LAUNCH();
}
