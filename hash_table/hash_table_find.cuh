// Searching a finished table: nobody writes it any more, so nothing has to be locked or ordered.
//
//   find_chained  follow the chain of the key's bucket
//   find_open     look at slot after slot
//
// d_queries: keys to look for. d_found[q]: the value of an entry with key d_queries[q], or
// no_value. If the key came in several times it is the value of any of them. The tables are built
// in the first run of a variant, which is not timed.
#pragma once

#include "hash_table/hash_table.cuh"

namespace {

// --- find_chained -------------------------------------------------------------------------------

// Two reads from memory at least, head and entry, one after the other.
__global__ void find_in_chains(const unsigned* d_queries, std::size_t queries, ChainedTable table,
                               unsigned* d_found) {
    for (std::size_t q = first_index(); q < queries; q += index_step()) {
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

}  // namespace

// Searches a table of its own, with as many buckets as keys: an entry a chain on average. With 1024
// buckets for 26 million keys each search would follow a chain of thousands of entries.
inline void run_find_chained(HashProblem& p) {
    if (p.searched_chains.heads.size() == 0) {
        p.searched_chains =
            ChainedStorage(p.n, static_cast<unsigned>(std::max<std::size_t>(p.n, 1)));
        const ChainedTable table = p.searched_chains.view();
        CHECK(cudaMemsetAsync(table.d_heads, 0xff, table.buckets * sizeof(unsigned)));
        insert_lock_free_push<<<blocks_to_fill_device(p.n, p.block_size), p.block_size>>>(
            p.d_keys, p.d_values, p.n, table);
        CHECK_LAUNCH();
    }
    const int grid_size = blocks_to_fill_device(p.queries, p.block_size);
    find_in_chains<<<grid_size, p.block_size>>>(p.d_queries, p.queries, p.searched_chains.view(),
                                                p.d_found());
    CHECK_LAUNCH();
    p.set_made(HashProblem::Made::answers);
}

namespace {

// --- find_open ----------------------------------------------------------------------------------

// Slots that follow each other lie in one line of memory, so a search mostly costs one access where
// a chain costs one for the head and one for each entry. The value of an empty slot is no_value.
__global__ void find_in_slots(const unsigned* d_queries, std::size_t queries, const Slot* d_slots,
                              std::size_t slots, unsigned* d_found) {
    for (std::size_t q = first_index(); q < queries; q += index_step()) {
        const unsigned key = d_queries[q];
        std::size_t at = home_slot(key, slots);
        while (d_slots[at] != empty_slot && key_in(d_slots[at]) != key) {
            at = at + 1 < slots ? at + 1 : 0;
        }
        d_found[q] = value_in(d_slots[at]);
    }
}

}  // namespace

inline void run_find_open(HashProblem& p) {
    if (p.searched_slots.size() == 0) {
        p.searched_slots = DeviceArray<Slot>(p.slots());
        p.searched_slots.fill_bytes(0xff);  // empty_slot
        insert_open_addressing<<<blocks_to_fill_device(p.n, p.block_size), p.block_size>>>(
            p.d_keys, p.d_values, p.n, p.searched_slots.data(), p.searched_slots.size());
        CHECK_LAUNCH();
    }
    const int grid_size = blocks_to_fill_device(p.queries, p.block_size);
    find_in_slots<<<grid_size, p.block_size>>>(p.d_queries, p.queries, p.searched_slots.data(),
                                               p.searched_slots.size(), p.d_found());
    CHECK_LAUNCH();
    p.set_made(HashProblem::Made::answers);
}
