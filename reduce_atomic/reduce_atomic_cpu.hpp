// The reference: the sum of an array on the CPU, far more accurate than any variant.
#pragma once

#include <cmath>
#include <vector>

#include "common/compensated_sum.hpp"

// The sum of x, exact to about the last digit of T.
template <typename T>
long double sum_cpu(const std::vector<T>& x) {
    CompensatedSum sum;
    for (const T term : x) {
        sum.add(term);
    }
    return sum.value();
}

// The sum of |x|: rounding errors are measured against it. Terms that are not finite are left out;
// with them the sum is NaN or infinite and no bound is needed.
template <typename T>
double sum_of_magnitudes_cpu(const std::vector<T>& x) {
    long double sum = 0;
    for (const T term : x) {
        if (std::isfinite(term)) {
            sum += std::fabs(term);
        }
    }
    return static_cast<double>(sum);
}

// The largest |x| among the finite terms; 0 if there are none.
template <typename T>
double largest_magnitude_cpu(const std::vector<T>& x) {
    double largest = 0;
    for (const T term : x) {
        if (std::isfinite(term)) {
            largest = std::fmax(largest, std::fabs(static_cast<double>(term)));
        }
    }
    return largest;
}
