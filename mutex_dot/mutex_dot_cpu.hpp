// The reference: the dot product of two vectors on the CPU, far more accurate than any variant.
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

#include "common/compensated_sum.hpp"

// The sum of a[i] * b[i], exact to about the last digit of T. Both vectors have the same length.
// A product of two doubles has up to 106 digits; it is taken apart into its rounded value and,
// by a fused multiply-add, what that rounding lost. (For floats nothing is lost.)
template <typename T>
long double dot_cpu(const std::vector<T>& a, const std::vector<T>& b) {
    CompensatedSum sum;
    for (std::size_t i = 0; i < a.size(); ++i) {
        const double x = a[i];
        const double y = b[i];
        const double product = x * y;
        sum.add(product);
        if (std::isfinite(product)) {
            sum.add(std::fma(x, y, -product));
        }
    }
    return sum.value();
}

// The sum of |a[i] * b[i]|: rounding errors are measured against it. Products that are not finite
// are left out; with them the result is NaN or infinite and no bound is needed.
template <typename T>
double sum_of_magnitudes_cpu(const std::vector<T>& a, const std::vector<T>& b) {
    long double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        const double product = static_cast<double>(a[i]) * static_cast<double>(b[i]);
        if (std::isfinite(product)) {
            sum += std::fabs(product);
        }
    }
    return static_cast<double>(sum);
}
