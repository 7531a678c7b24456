// Terms whose sum is hard to get right, for the tests of sums and dot products; and a check that is
// sharper than the bound on the error.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "harness/inputs.hpp"

template <typename T>
struct Terms {
    std::string name;
    std::vector<T> x;
    bool random_signs;  // as many roundings go up as down
};

template <typename T>
std::vector<Terms<T>> hard_terms(std::size_t n, std::uint64_t seed) {
    const std::vector<T> random = harness::random_reals<T>(n, seed);
    std::vector<Terms<T>> all{{"random", random, true}};
    // Each addition to a sum of these rounds in the same direction for a long time.
    all.push_back({"all equal", std::vector<T>(n, 1 + std::fabs(random[0])), false});
    // One term so large that each of the others, added to it alone, is lost.
    std::vector<T> x(n, 1);
    x[seed % n] = 2 / std::numeric_limits<T>::epsilon();
    all.push_back({"one large term", x, false});
    // Below the smallest normal number, where the digits become fewer.
    for (std::size_t i = 0; i < n; ++i) {
        x[i] = random[i] * std::numeric_limits<T>::min();
    }
    all.push_back({"denormal", x, false});
    // Large terms of many magnitudes that cancel each other, in any order, and one small rest.
    harness::Generator generator(seed);
    for (std::size_t i = 0; i + 1 < n; i += 2) {
        x[i] = random[i] * static_cast<T>(std::pow(10.0, static_cast<double>(i % 9)));
        x[i + 1] = -x[i];
    }
    x[n - 1] = random[n - 1];
    for (std::size_t i = n; i > 1; --i) {
        std::swap(x[i - 1], x[harness::uniform_below(generator, i)]);
    }
    all.push_back({"cancelling", x, false});
    return all;
}

// The error that terms of random signs hardly ever exceed. The bound of h roundings, h u times the
// sum of all magnitudes, holds for roundings that all go the same way. Of random ones about
// sqrt(h) u is left; four times that is generous. (Higham and Mary, A new approach to probabilistic
// rounding error analysis, 2019.) The bound is so wide that for 100003 random floats in [-1, 1) a
// sum of 0 passes; it does not pass this.
template <typename T>
double likely_error(double bound, double sum_of_magnitudes) {
    const double unit_roundoff = std::numeric_limits<T>::epsilon() / 2;
    return std::min(bound, 4 * std::sqrt(bound * unit_roundoff * sum_of_magnitudes));
}

// A bound must be as narrow as it can be proven to be, or errors hide below it: of many short sums
// of positive terms, some must have an error of at least bound / `most_above`. The largest share of
// its bound that an error has; `error_share(x)` runs a kernel on these terms and returns its share.
constexpr double most_above = 40;
template <typename T, typename ErrorShare>
double largest_error_share(ErrorShare error_share) {
    double largest = 0;
    for (const std::size_t n : {3, 7, 33, 70}) {
        for (std::uint64_t seed = 1; seed <= 60; ++seed) {
            std::vector<T> x = harness::random_reals<T>(n, seed);
            for (T& term : x) {
                term = 1 + std::fabs(term);
            }
            largest = std::max(largest, error_share(x));
        }
    }
    return largest;
}
