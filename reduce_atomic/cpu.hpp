// The sum on one core of the CPU: what the GPU is compared with.
#pragma once

#include <cstddef>

// The sum of n numbers, added one after the other in double precision.
template <typename T>
[[gnu::noinline]] double sum_cpu(const T* h_x, std::size_t n) {
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) {
        sum += h_x[i];
    }
    return sum;
}
