// The sum as an integer: the same bits on every run, in any order of the atomics.
//
// Each term is multiplied by a power of two and rounded to a whole number. Integer addition is
// associative, also where it wraps around, so the order cannot matter. The price: all terms share
// one scale, so small terms keep fewer digits, and the largest magnitude must be known.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "common/block_reduce.cuh"
#include "common/error.cuh"
#include "common/launch.cuh"

// Bits of d_special: an integer cannot hold NaN and infinities, so they are noted aside.
constexpr unsigned seen_nan = 1;
constexpr unsigned seen_plus_infinity = 2;
constexpr unsigned seen_minus_infinity = 4;

// d_x: n numbers. d_fixed, d_special: one word each, 0 before the launch. A grid of any size.
template <typename T>
__global__ void reduce_fixed_point(const T* d_x, std::size_t n, double scale,
                                   unsigned long long* d_fixed, unsigned* d_special) {
    const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
    unsigned long long sum = 0;
    unsigned special = 0;
    for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += stride) {
        const double term = static_cast<double>(d_x[i]);
        if (isfinite(term)) {
            sum += static_cast<unsigned long long>(llrint(term * scale));
        } else {
            special |=
                isnan(term) ? seen_nan : (term > 0 ? seen_plus_infinity : seen_minus_infinity);
        }
    }
    sum = common::block_sum(sum);
    if (threadIdx.x == 0) {
        atomicAdd(d_fixed, sum);
    }
    if (special != 0) {
        atomicOr(d_special, special);
    }
}

// Turns the finished total back into a number, in one thread. The end of the kernel before it
// orders all of that kernel's atomics before these reads.
template <typename T>
__global__ void finish_fixed_point(const unsigned long long* d_fixed, const unsigned* d_special,
                                   double scale, T* d_sum) {
    constexpr unsigned both = seen_plus_infinity | seen_minus_infinity;
    const unsigned special = *d_special;
    if ((special & seen_nan) != 0 || (special & both) == both) {
        *d_sum = static_cast<T>(NAN);
    } else if (special != 0) {
        *d_sum = static_cast<T>(special == seen_plus_infinity ? INFINITY : -INFINITY);
    } else {
        *d_sum = static_cast<T>(static_cast<double>(static_cast<long long>(*d_fixed)) / scale);
    }
}

// d_fixed, d_special: one word each. `scale`: see fixed_point_scale().
template <typename T>
void launch_fixed_point(const T* d_x, std::size_t n, double scale, unsigned long long* d_fixed,
                        unsigned* d_special, T* d_sum, int block_size) {
    CHECK(cudaMemsetAsync(d_fixed, 0, sizeof(unsigned long long)));
    CHECK(cudaMemsetAsync(d_special, 0, sizeof(unsigned)));
    const int grid_size = common::blocks_to_fill_device(n, block_size);
    reduce_fixed_point<<<grid_size, block_size>>>(d_x, n, scale, d_fixed, d_special);
    CHECK_LAUNCH();
    finish_fixed_point<<<1, 1>>>(d_fixed, d_special, scale, d_sum);
    CHECK_LAUNCH();
}

// The largest power of two by which n terms of at most the given magnitude may be multiplied so
// that their sum stays below 2^62.
inline double fixed_point_scale(std::size_t n, double max_magnitude) {
    int exponent = 0;  // of the largest sum; the product itself could overflow
    int exponent_of_n = 0;
    std::frexp(max_magnitude, &exponent);
    std::frexp(static_cast<double>(std::max<std::size_t>(n, 1)), &exponent_of_n);
    exponent += exponent_of_n;
    // Beyond 1000 the scale itself would overflow; such terms are all denormal or zero.
    return std::ldexp(1.0, std::min(62 - exponent, 1000));
}
