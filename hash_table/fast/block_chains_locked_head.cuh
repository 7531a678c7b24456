// Block chains; the head of a bucket is its own lock.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

#include "common/lock.cuh"
#include "hash_table/fast/block_chains.cuh"

constexpr unsigned head_is_locked = end_of_chain - 1;  // no index of an entry: see max_keys

// Lock and data are one word: the exchange that takes the lock also reads the head, and the store
// of the new head releases the lock. No order is needed: the lock protects this one word, and no
// thread follows the chain before the launch has ended.
struct AppendToLockedHead {
    __device__ void operator()(const ChainedTable& table, unsigned bucket, unsigned first,
                               unsigned last) const {
        unsigned* d_head = &table.d_heads[bucket];
        unsigned head = atomicExch(d_head, head_is_locked);
        while (head == head_is_locked) {  // it was locked already, and the exchange changed nothing
            __nanosleep(common::lock_pause_ns);
            head = atomicExch(d_head, head_is_locked);
        }
        table.d_pool[last].next = head;
        atomicExch(d_head, first);
    }
};

inline void launch_block_chains_locked_head(const unsigned* d_keys, const unsigned* d_values,
                                            std::size_t n, ChainedTable table) {
    launch_block_chains<false>(d_keys, d_values, n, table, AppendToLockedHead{});
}
