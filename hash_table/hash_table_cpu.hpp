// The reference: what a hash table holds, the chained table on the CPU, and the keys to put in.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/inputs.hpp"
#include "hash_table/hash_table_types.cuh"

// The value that belongs to key number `position` of n. It counts from the end, so that a value is
// never taken for a position by mistake; and it leads back to the key, so that a check can prove
// of a whole table that each key came in exactly once with its own value.
inline unsigned value_at(std::size_t position, std::size_t n) {
    return static_cast<unsigned>(n - 1 - position);
}
inline std::size_t position_of(unsigned value, std::size_t n) {
    return n - 1 - value;  // for value < n
}
inline std::vector<unsigned> values_for(std::size_t n) {
    std::vector<unsigned> values(n);
    for (std::size_t i = 0; i < n; ++i) {
        values[i] = value_at(i, n);
    }
    return values;
}

// `n` random keys; with distinct > 0, from at most that many different ones: the fewer, the more
// the threads meet at the same bucket.
inline std::vector<unsigned> random_keys(std::size_t n, std::uint64_t distinct,
                                         std::uint64_t seed) {
    Generator generator(seed);
    const auto draw = [&] { return static_cast<unsigned>(generator()); };
    std::vector<unsigned> choice(std::min<std::uint64_t>(distinct, n));
    std::generate(choice.begin(), choice.end(), draw);
    std::vector<unsigned> keys(n);
    for (unsigned& key : keys) {
        key = choice.empty() ? draw() : choice[uniform_below(generator, choice.size())];
    }
    return keys;
}

// The same numbers in a random order (Fisher-Yates).
inline std::vector<unsigned> shuffled(std::vector<unsigned> numbers, std::uint64_t seed) {
    Generator generator(seed);
    for (std::size_t i = numbers.size(); i > 1; --i) {
        std::swap(numbers[i - 1], numbers[uniform_below(generator, i)]);
    }
    return numbers;
}

struct HostTable {
    std::vector<unsigned> heads;  // for each bucket: its chain's first entry, or end_of_chain
    std::vector<Entry> pool;
};

// Puts (keys[i], values[i]) into entry i, and the entry at the head of its bucket's chain.
inline HostTable build_cpu(const std::vector<unsigned>& keys, const std::vector<unsigned>& values,
                           unsigned buckets) {
    HostTable table{std::vector<unsigned>(buckets, end_of_chain), std::vector<Entry>(keys.size())};
    for (std::size_t i = 0; i < keys.size(); ++i) {
        unsigned& head = table.heads[bucket_of(keys[i], buckets)];
        table.pool[i] = {keys[i], values[i], head};
        head = static_cast<unsigned>(i);
    }
    return table;
}
