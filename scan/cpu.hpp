// The prefix sum on one core of the CPU: what the GPU is compared with.
#pragma once

#include <cstddef>
#include <type_traits>
#include <vector>

// n numbers: 0, 1, ... 9, 0, 1, ...
template <typename T>
std::vector<T> digits_in_turn(std::size_t n) {
    std::vector<T> digits(n);
    for (std::size_t i = 0; i < n; ++i) {
        digits[i] = static_cast<T>(i % 10);
    }
    return digits;
}

// What the CPU adds in: floats in double precision, whole numbers in their own type, where a sum
// beyond 2^32 - 1 wraps around.
template <typename T>
using PrefixSum = std::conditional_t<std::is_floating_point<T>::value, double, T>;

// h_y[i] = h_x[0] + ... + h_x[i], for i = 0 ... n - 1.
template <typename T>
[[gnu::noinline]] void scan_cpu(const T* h_x, std::size_t n, T* h_y) {
    PrefixSum<T> sum = 0;
    for (std::size_t i = 0; i < n; ++i) {
        sum += h_x[i];
        h_y[i] = static_cast<T>(sum);
    }
}
