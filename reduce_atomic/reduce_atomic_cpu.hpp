// The reference: the sum of an array on the CPU, far more accurate than any variant.
#pragma once

#include <cmath>
#include <vector>

// The sum of x, exact to about the last digit of T. Compensated summation (Neumaier's form of
// Kahan's method) in long double: `lost` collects what each addition rounds away.
template <typename T>
long double sum_cpu(const std::vector<T>& x) {
    long double sum = 0;
    long double lost = 0;
    long double plain = 0;  // decides NaN and infinities, where "what was lost" has no meaning
    for (const T term : x) {
        const long double next = sum + term;
        if (std::fabs(sum) >= std::fabs(static_cast<long double>(term))) {
            lost += (sum - next) + term;
        } else {
            lost += (term - next) + sum;
        }
        sum = next;
        plain += term;
    }
    return std::isfinite(plain) ? sum + lost : plain;
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
