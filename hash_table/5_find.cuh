// The search in a finished table: no kernel writes the table any more, so nothing is locked.
//
// d_queries: keys to look for. d_found[q]: the value of a pair with key d_queries[q], or no_value.
// If the key was put in several times, it is the value of any of these pairs. Grids of any size.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

#include "common/error.cuh"
#include "common/launch.cuh"
#include "hash_table/chained_table.cuh"
#include "hash_table/slots.cuh"

// Follows the chain of the key's bucket. At least two reads that depend on each other: head, entry.
__global__ void find_in_chains(const unsigned* d_queries, std::size_t queries, ChainedTable table,
                               unsigned* d_found) {
    const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
    for (std::size_t q = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; q < queries;
         q += stride) {
        const unsigned key = d_queries[q];
        unsigned value = no_value;
        unsigned at = table.d_heads[bucket_of(key, table.buckets)];
        while (at != end_of_chain && value == no_value) {
            const Entry entry = table.d_pool[at];
            if (entry.key == key) {
                value = entry.value;
            }
            at = entry.next;
        }
        d_found[q] = value;
    }
}

inline void launch_find_in_chains(const unsigned* d_queries, std::size_t queries,
                                  ChainedTable table, unsigned* d_found, int block_size) {
    const int grid_size = common::blocks_to_fill_device(queries, block_size);
    find_in_chains<<<grid_size, block_size>>>(d_queries, queries, table, d_found);
    CHECK_LAUNCH();
}

// Looks at slot after slot, from the key's home slot to the key or to the first empty slot. Four
// slots are in one sector of memory, so most searches need one or two sectors. The value of an
// empty slot is no_value.
__global__ void find_in_slots(const unsigned* d_queries, std::size_t queries, const Slot* d_slots,
                              std::size_t slots, unsigned* d_found) {
    const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
    for (std::size_t q = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; q < queries;
         q += stride) {
        const unsigned key = d_queries[q];
        std::size_t at = home_slot(key, slots);
        while (d_slots[at] != empty_slot && key_of(d_slots[at]) != key) {
            at = at + 1 < slots ? at + 1 : 0;
        }
        d_found[q] = value_of(d_slots[at]);
    }
}

inline void launch_find_in_slots(const unsigned* d_queries, std::size_t queries,
                                 const Slot* d_slots, std::size_t slots, unsigned* d_found,
                                 int block_size) {
    const int grid_size = common::blocks_to_fill_device(queries, block_size);
    find_in_slots<<<grid_size, block_size>>>(d_queries, queries, d_slots, slots, d_found);
    CHECK_LAUNCH();
}
