// Variant 1: a lock per bucket, and the 32 lanes of a warp take turns.
//
// Source: CUDA by Example, appendix A (add_to_table), with a lock that also orders the accesses.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

#include "../common/error.cuh"
#include "../common/lock.cuh"
#include "chained_table.cuh"

// d_keys, d_values: n keys and their values. d_locks: one word per bucket, 0 (free) before and
// after the launch. table: all heads are end_of_chain before the launch. A grid of any size.
//
// Key, value and entry i belong to one thread alone. The heads are shared: a head is read and
// written under the bucket's lock only. Keys may repeat; every pair is kept (a multimap).
//
// The loop over turns is for GPUs before compute capability 7.0. Their warps moved in lockstep: a
// lane that waited for a lock kept the lane that held it from going on. The turns do not replace
// the lock, because other warps want the same bucket.
__global__ void insert_lock_per_bucket(const unsigned* d_keys, const unsigned* d_values,
                                       std::size_t n, ChainedTable table, int* d_locks) {
    const unsigned lane = threadIdx.x % 32;
    const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
    for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += stride) {
        const unsigned bucket = bucket_of(d_keys[i], table.buckets);
        table.d_pool[i].key = d_keys[i];
        table.d_pool[i].value = d_values[i];
        for (unsigned turn = 0; turn < 32; ++turn) {
            if (lane == turn) {
                common::lock(d_locks[bucket]);
                table.d_pool[i].next = table.d_heads[bucket];
                table.d_heads[bucket] = static_cast<unsigned>(i);
                common::unlock(d_locks[bucket]);
            }
        }
    }
}

inline void launch_lock_per_bucket(const unsigned* d_keys, const unsigned* d_values, std::size_t n,
                                   ChainedTable table, int* d_locks, int block_size) {
    CHECK(cudaMemsetAsync(table.d_heads, 0xff, table.buckets * sizeof(unsigned)));  // end_of_chain
    const int grid_size = blocks_for_locks(n, table.buckets, block_size);
    insert_lock_per_bucket<<<grid_size, block_size>>>(d_keys, d_values, n, table, d_locks);
    CHECK_LAUNCH();
}
