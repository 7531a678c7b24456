// The reference: the hash table on one core of the CPU.
#pragma once

#include <cstddef>
#include <vector>

#include "chained_table.cuh"

// A chained table in host memory.
struct HostTable {
    std::vector<unsigned> heads;  // per bucket: the index of its chain's first entry
    std::vector<Entry> pool;      // entry i holds key i
};

// Puts (h_keys[i], h_values[i]) into entry i, and the entry at the head of its bucket's chain. The
// table's arrays have their sizes already: a head per bucket, an entry per key.
[[gnu::noinline]] inline void build_cpu(const std::vector<unsigned>& h_keys,
                                        const std::vector<unsigned>& h_values, HostTable& table) {
    const auto buckets = static_cast<unsigned>(table.heads.size());
    table.heads.assign(buckets, end_of_chain);
    for (std::size_t i = 0; i < h_keys.size(); ++i) {
        unsigned& head = table.heads[bucket_of(h_keys[i], buckets)];
        table.pool[i] = {h_keys[i], h_values[i], head};
        head = static_cast<unsigned>(i);
    }
}

// h_found[q]: the value of a pair with key h_queries[q], or no_value.
[[gnu::noinline]] inline void find_cpu(const std::vector<unsigned>& h_queries,
                                       const HostTable& table, std::vector<unsigned>& h_found) {
    const auto buckets = static_cast<unsigned>(table.heads.size());
    for (std::size_t q = 0; q < h_queries.size(); ++q) {
        unsigned at = table.heads[bucket_of(h_queries[q], buckets)];
        while (at != end_of_chain && table.pool[at].key != h_queries[q]) {
            at = table.pool[at].next;
        }
        h_found[q] = at == end_of_chain ? no_value : table.pool[at].value;
    }
}
