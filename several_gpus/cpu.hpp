// The references on one core of the CPU.
#pragma once

#include <cstddef>
#include <vector>

[[gnu::noinline]] inline double sum_cpu(const float* h_x, std::size_t n) {
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) {
        sum += h_x[i];
    }
    return sum;
}

// counts[v] = how many of the n bytes have the value v.
[[gnu::noinline]] inline std::vector<unsigned long long> histogram_cpu(const unsigned char* h_x,
                                                                       std::size_t n) {
    std::vector<unsigned long long> counts(256, 0);
    for (std::size_t i = 0; i < n; ++i) {
        ++counts[h_x[i]];
    }
    return counts;
}
