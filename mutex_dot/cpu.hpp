// The dot product on one core of the CPU: what the GPU is compared with.
#pragma once

#include <cstddef>

// The sum of h_a[i] * h_b[i], added one after the other in double precision.
template <typename T>
[[gnu::noinline]] double dot_cpu(const T* h_a, const T* h_b, std::size_t n) {
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) {
        sum += static_cast<double>(h_a[i]) * static_cast<double>(h_b[i]);
    }
    return sum;
}
