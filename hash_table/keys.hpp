// The input: keys, and a value for each of them that leads back to it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "harness/inputs.hpp"
#include "hash_table/slots.cuh"

// The value of key number `position` of n. It counts from the end, so that a value and a position
// are not the same number. It leads back to its key: so a check can prove of a whole table that
// each key is in it exactly once, with its own value.
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
// threads want the same bucket.
inline std::vector<unsigned> random_keys(std::size_t n, std::uint64_t distinct,
                                         std::uint64_t seed) {
    harness::Generator generator(seed);
    const auto draw = [&] { return static_cast<unsigned>(generator()); };
    std::vector<unsigned> choice(std::min<std::uint64_t>(distinct, n));
    std::generate(choice.begin(), choice.end(), draw);
    std::vector<unsigned> keys(n);
    for (unsigned& key : keys) {
        key = choice.empty() ? draw() : choice[harness::uniform_below(generator, choice.size())];
    }
    return keys;
}

// The same numbers in a random order (Fisher-Yates).
inline std::vector<unsigned> shuffled(std::vector<unsigned> numbers, std::uint64_t seed) {
    harness::Generator generator(seed);
    for (std::size_t i = numbers.size(); i > 1; --i) {
        std::swap(numbers[i - 1], numbers[harness::uniform_below(generator, i)]);
    }
    return numbers;
}

// About how many pairs of equal keys there are: the extra steps that linear probing is expected to
// take for them. Counted as pairs in the same of 65536 hash bins, less those that are there by
// chance.
inline double expected_extra_probes(const std::vector<unsigned>& keys) {
    std::vector<double> bins(65536, 0);
    for (const unsigned key : keys) {
        ++bins[mix_bits(key) >> 16];
    }
    double pairs = 0;
    for (const double count : bins) {
        pairs += count * (count - 1) / 2;
    }
    const auto n = static_cast<double>(keys.size());
    return pairs - n * (n - 1) / 2 / static_cast<double>(bins.size());
}
