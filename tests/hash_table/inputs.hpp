// Keys that the tests of hash_table put in, and keys that they look for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "hash_table/keys.hpp"

struct KeyInput {
    std::string name;
    std::vector<unsigned> keys;
};

// Kinds of n keys. Those in which all threads want one bucket are left out beyond 5000 keys; they
// have a test of their own.
inline std::vector<KeyInput> key_inputs(std::size_t n, unsigned buckets) {
    std::vector<KeyInput> all;
    for (const std::uint64_t seed : {1, 2, 3}) {
        all.push_back({"random, seed " + std::to_string(seed), random_keys(n, 0, seed)});
    }
    all.push_back({"1000 different keys", random_keys(n, 1000, 4)});
    std::vector<unsigned> keys(n);
    std::iota(keys.begin(), keys.end(), 0u);
    all.push_back({"sorted from 0", keys});
    std::iota(keys.rbegin(), keys.rend(), 0xffffffffu - static_cast<unsigned>(n) + 1);
    all.push_back({"falling from the largest key", keys});
    if (n <= 5000) {
        all.push_back({"all equal", std::vector<unsigned>(n, 4711)});
        for (std::size_t i = 0; i < n; ++i) {
            keys[i] = i % 2 == 0 ? 0 : 0xffffffffu;
        }
        all.push_back({"smallest and largest key in turns", keys});
        for (std::size_t i = 0; i < n; ++i) {
            keys[i] = static_cast<unsigned>(i) * buckets;
        }
        all.push_back({"all in one bucket", keys});
    }
    return all;
}

// All keys in another order, and some that were not put in (or hardly any of them).
inline std::vector<unsigned> queries_for(const std::vector<unsigned>& keys) {
    std::vector<unsigned> queries = shuffled(keys, 5);
    const std::vector<unsigned> others = random_keys(50, 0, 6);
    queries.insert(queries.end(), others.begin(), others.end());
    queries.insert(queries.end(), {0u, 1u, 4711u, 0x7fffffffu, 0x80000000u, 0xffffffffu});
    return queries;
}
