// Wrong on purpose: what the lock is for. They never run unless asked for by --variant.
#pragma once

#include "hash_table/hash_table.cuh"

namespace {

// insert_each_thread without the lock. Two threads with one bucket read the same head; the one that
// writes it first has put its entry where no chain leads any more.
__global__ void insert_no_lock(const unsigned* d_keys, const unsigned* d_values, std::size_t n,
                               ChainedTable table) {
    for (std::size_t i = first_index(); i < n; i += index_step()) {
        const unsigned bucket = bucket_of(d_keys[i], table.buckets);
        table.d_pool[i].key = d_keys[i];
        table.d_pool[i].value = d_values[i];
        table.d_pool[i].next = table.d_heads[bucket];      // race: no_lock
        table.d_heads[bucket] = static_cast<unsigned>(i);  // race: no_lock
    }
}

// The book's lock: atomicCAS, atomicExch, and nothing that orders the accesses between them. One
// thread holds it at a time, but what it reads may date from before its predecessor's writes, and
// what it writes may arrive after the lock is free again.
__global__ void insert_lock_no_fence(const unsigned* d_keys, const unsigned* d_values,
                                     std::size_t n, ChainedTable table, int* d_locks) {
    for (std::size_t i = first_index(); i < n; i += index_step()) {
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

}  // namespace

inline void run_no_lock(HashProblem& p) {
    empty_chains(p);
    const int grid_size = blocks_at_locks(p.n, p.buckets, p.block_size);
    insert_no_lock<<<grid_size, p.block_size>>>(p.d_keys, p.d_values, p.n, p.chains());
    CHECK_LAUNCH();
}

inline void run_lock_no_fence(HashProblem& p) {
    empty_chains(p);
    const int grid_size = blocks_at_locks(p.n, p.buckets, p.block_size);
    insert_lock_no_fence<<<grid_size, p.block_size>>>(p.d_keys, p.d_values, p.n, p.chains(),
                                                      p.d_locks());
    CHECK_LAUNCH();
}

// The book's main() allocates an array of values and never fills it. Its check counts entries and
// looks at keys, so it finds nothing wrong.
inline void run_values_never_copied(HashProblem& p) {
    empty_chains(p);
    const std::size_t bytes = std::max<std::size_t>(p.n, 1) * sizeof(unsigned);
    auto* d_unset = static_cast<unsigned*>(p.d_scratch(bytes));  // wrong: values_never_copied
    CHECK(cudaMemsetAsync(d_unset, poison_byte, bytes));         // "whatever was there"
    const int grid_size = blocks_at_locks(p.n, p.buckets, p.block_size);
    insert_each_thread<<<grid_size, p.block_size>>>(p.d_keys, d_unset, p.n, p.chains(),
                                                    p.d_locks());
    CHECK_LAUNCH();
}
