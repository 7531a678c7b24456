// The lesson's work on one core of the CPU: what the GPU is compared with.
#pragma once

#include <cstddef>
#include <vector>

// n times 1, one after the other. h_olds[i] becomes the i-th old value. Returns the count.
[[gnu::noinline]] inline int count_cpu(std::size_t n, int* h_olds) {
    int x = 0;
    for (std::size_t i = 0; i < n; ++i) {
        h_olds[i] = x;
        x = x + 1;
    }
    return x;
}

// The largest of `start` and n numbers.
[[gnu::noinline]] inline float max_cpu(const float* h_values, std::size_t n, float start) {
    float largest = start;
    for (std::size_t i = 0; i < n; ++i) {
        largest = h_values[i] > largest ? h_values[i] : largest;
    }
    return largest;
}

// How many of the numbers 0, 1, ..., n - 1 are among n old values: n if each of them is there once.
inline std::size_t different_olds(const std::vector<int>& h_olds) {
    std::vector<bool> is_there(h_olds.size());
    std::size_t different = 0;
    for (const int old : h_olds) {
        const auto number = static_cast<std::size_t>(old);  // a negative one becomes too large
        if (number < is_there.size() && !is_there[number]) {
            is_there[number] = true;
            ++different;
        }
    }
    return different;
}
