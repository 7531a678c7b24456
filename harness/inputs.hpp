// Inputs made from a seed: the same on every machine and standard library. (The distributions of
// <random> may differ between libraries; its generators may not. So the numbers are cut from the
// generator's bits here.)
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace harness {

using Generator = std::mt19937_64;

// A number in [0, 1), from the upper 53 bits of one draw.
inline double uniform(Generator& generator) {
    return static_cast<double>(generator() >> 11) * 0x1.0p-53;
}

// A whole number in [0, limit), limit > 0, from one draw. (Multiply and shift: Lemire, Fast random
// integer generation in an interval; the bias is below limit / 2^64.)
inline std::uint64_t uniform_below(Generator& generator, std::uint64_t limit) {
    __extension__ using Wide = unsigned __int128;
    return static_cast<std::uint64_t>((Wide{generator()} * limit) >> 64);
}

// `n` numbers in [-1, 1).
template <typename T>
std::vector<T> random_reals(std::size_t n, std::uint64_t seed) {
    Generator generator(seed);
    std::vector<T> values(n);
    for (T& value : values) {
        value = static_cast<T>(2 * uniform(generator) - 1);
    }
    return values;
}

// `n` whole numbers in [-limit, limit], as T. While every partial sum stays below 2^24 (float) or
// 2^53 (double), adding them in any order is exact, so a check can ask for equality.
template <typename T>
std::vector<T> random_integers(std::size_t n, std::uint64_t limit, std::uint64_t seed) {
    Generator generator(seed);
    std::vector<T> values(n);
    for (T& value : values) {
        const std::uint64_t draw = uniform_below(generator, 2 * limit + 1);
        value = static_cast<T>(static_cast<double>(draw) - static_cast<double>(limit));
    }
    return values;
}

}  // namespace harness
