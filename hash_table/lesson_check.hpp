// The lesson's check: is every key in the table, with its value?
#pragma once

#include <cstddef>
#include <cstdio>
#include <vector>

#include "../common/timer.cuh"
#include "cpu.hpp"

// Walks all chains. True if each key is in its bucket's chain exactly once, with its own value. Key
// i was put in with the value n - 1 - i, so a value leads back to its key.
inline bool holds_all_pairs(const HostTable& table, const std::vector<unsigned>& h_keys) {
    const auto buckets = static_cast<unsigned>(table.heads.size());
    const std::size_t n = h_keys.size();
    std::vector<bool> seen(n, false);
    std::size_t count = 0;
    for (unsigned bucket = 0; bucket < buckets; ++bucket) {
        for (unsigned at = table.heads[bucket]; at != end_of_chain; at = table.pool[at].next) {
            if (at >= n) {
                return false;  // the chain leads out of the pool
            }
            const Entry& entry = table.pool[at];
            const std::size_t i = n - 1 - entry.value;
            if (entry.value >= n || entry.key != h_keys[i] || seen[i] ||
                bucket_of(entry.key, buckets) != bucket) {
                return false;
            }
            seen[i] = true;
            ++count;
        }
    }
    return count == n;
}

// Prints a table's time, and whether it is right; returns that.
inline bool report(const char* name, double ms, const HostTable& table,
                   const std::vector<unsigned>& h_keys) {
    const bool ok = holds_all_pairs(table, h_keys);
    std::printf("%-16s %s   every key in its chain, with its value: %s\n", name,
                common::ms_text(ms).c_str(), ok ? "ok" : "WRONG");
    return ok;
}
