// The chained hash table, as kernels and host share it: each bucket is a linked list (a chain) of
// entries.
//
//     d_heads                 d_pool: entry i holds key i
//     bucket 0  [ 4 ] ------> [4: key, value, next] ------> [0: key, value, end]
//     bucket 1  [end]
//
// Source: CUDA by Example, appendix A.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

#include "../common/launch.cuh"

// An entry of a chain. `next` is an index into the pool, not a pointer: it takes half the memory,
// and it means the same on the host after the pool has been copied there.
struct Entry {
    unsigned key;
    unsigned value;
    unsigned next;
};

constexpr unsigned end_of_chain = 0xffffffffu;  // `next` of a chain's last entry; an empty head
constexpr unsigned no_value = 0xffffffffu;      // "not found": no pair has this value
constexpr std::size_t max_keys = 0xfffffff0u;   // an entry's index has 32 bits, less a few marks

// The table as a kernel takes it: by value. Its pointers are non-owning: a copy frees nothing.
struct ChainedTable {
    unsigned* d_heads;  // per bucket: the index of its chain's first entry, or end_of_chain
    Entry* d_pool;      // entry i holds key i
    unsigned buckets;   // at least 1
};

// The bucket of a key. It spreads the keys evenly only if they are random. __host__ __device__
// makes the compiler generate both versions, so the host checks with the function that the kernels
// use.
__host__ __device__ inline unsigned bucket_of(unsigned key, unsigned buckets) {
    return key % buckets;
}

// The grid of a kernel with a lock per bucket: 15 threads per lock, as in CUDA by Example. All
// threads wait at the locks most of the time, and the more threads ask for a lock, the longer it
// takes to pass it on.
inline int blocks_for_locks(std::size_t n, unsigned buckets, int block_size) {
    constexpr std::size_t threads_per_lock = 15;
    const std::size_t blocks = threads_per_lock * buckets / static_cast<std::size_t>(block_size);
    const auto max_blocks = static_cast<std::size_t>(common::blocks_to_fill_device(n, block_size));
    return static_cast<int>(blocks < 1 ? 1 : blocks < max_blocks ? blocks : max_blocks);
}
