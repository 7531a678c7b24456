// The sum as an integer: the same bits on every run, in any order of the atomics, with any grid.
//
// Each term is multiplied by a power of two and rounded to a whole number. Integer addition is
// associative, also where it wraps around, so the order cannot matter. The price: all terms share
// one scale, so small terms keep fewer digits, and the largest magnitude must be known.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <type_traits>

#include "common/block_reduce.cuh"
#include "common/error.cuh"
#include "common/vector_load.cuh"

#ifndef __maxnreg__  // it came with CUDA 12.4; before, the compiler decides
#define __maxnreg__(registers)
#endif

// Bits of d_special: an integer cannot hold NaN and infinities, so they are noted aside.
constexpr unsigned seen_nan = 1;
constexpr unsigned seen_plus_infinity = 2;
constexpr unsigned seen_minus_infinity = 4;

// The bit for a term, 0 if it is finite.
template <typename T>
__device__ unsigned special_bit(T term) {
    return isfinite(term) ? 0
           : isnan(term)  ? seen_nan
                          : (term > 0 ? seen_plus_infinity : seen_minus_infinity);
}

// The sum of terms of which some are special: what plain additions would give.
template <typename T>
__device__ T special_sum(unsigned special) {
    constexpr unsigned both = seen_plus_infinity | seen_minus_infinity;
    const bool undefined = (special & seen_nan) != 0 || (special & both) == both;
    return static_cast<T>(undefined ? NAN : special == seen_plus_infinity ? INFINITY : -INFINITY);
}

// The whole number next to x, for |x| <= 2^51. To be added up, it needs no sign: sums wrap around.
//
// At 1.5 * 2^52 two neighboring doubles differ by 1. So the addition itself rounds to a whole
// number, and leaves it in the lowest bits. That is one addition of double precision, and of
// integers; a conversion instruction would take longer.
//
// Source of the idea: Hecker, Let's get to the (floating) point.
__device__ inline unsigned long long nearest_whole(double x) {
    constexpr double shift = 6755399441055744.0;  // 1.5 * 2^52
    return static_cast<unsigned long long>(__double_as_longlong(x + shift) -
                                           __double_as_longlong(shift));
}

// A term in units of 1 / scale. fixed_point_scale() keeps floats within what nearest_whole takes;
// for doubles, 2^51 would be too few digits.
__device__ inline unsigned long long in_units(float term, double scale) {
    return nearest_whole(static_cast<double>(term) * scale);
}
__device__ inline unsigned long long in_units(double term, double scale) {
    return static_cast<unsigned long long>(llrint(term * scale));
}

// The sum of n terms whose units add up to `total`.
template <typename T>
__device__ T fixed_point_result(unsigned long long total, unsigned special, double scale) {
    return special != 0
               ? special_sum<T>(special)
               : static_cast<T>(static_cast<double>(static_cast<long long>(total)) / scale);
}

// d_x: n numbers, aligned to sizeof(T). d_fixed, d_special, d_ticket: one word each, 0 before the
// first launch; the last block puts them back to 0. d_sum: one word; or nullptr, and then d_fixed
// and d_special keep what was added, for join_fixed_point. A grid of any size.
//
// With 32 registers for each thread, a multiprocessor holds as many threads as it can at all.
template <typename T>
__global__ void __maxnreg__(32)
    reduce_fixed_point(const T* d_x, std::size_t n, double scale, unsigned long long* d_fixed,
                       unsigned* d_special, unsigned* d_ticket, T* d_sum) {
    // A finite term times 0 is 0; a NaN or an infinity makes a NaN. That is one instruction for
    // each term. Only a thread that has met one looks at its terms again. The terms are added here,
    // and not by vectorized_sum, which has a sum for each load in flight: integers need only one.
    unsigned long long sum = 0;
    T zero = 0;
    const T* const d_arrays[] = {d_x};
    const auto add = [&sum, &zero, scale](const T* x) {
        zero = fma(x[0], T(0), zero);
        sum += in_units(x[0], scale);
        return 0;
    };
    static_cast<void>(common::vectorized_sum(d_arrays, n, add, blockIdx.x, gridDim.x));
    if (isnan(zero)) {
        unsigned special = 0;
        const auto note = [&special](const T* x) {
            special |= special_bit(x[0]);
            return 0;
        };
        static_cast<void>(common::vectorized_sum(d_arrays, n, note, blockIdx.x, gridDim.x));
        atomicOr(d_special, special);
    }
    sum = common::block_sum(sum);  // its barrier puts the block's atomicOr before the ticket
    if (threadIdx.x == 0) {
        atomicAdd(d_fixed, sum);
        __threadfence();
        const bool is_last = atomicInc(d_ticket, gridDim.x - 1) == gridDim.x - 1;
        __threadfence();
        if (is_last && d_sum != nullptr) {
            const unsigned long long total = atomicExch(d_fixed, 0ull);
            *d_sum = fixed_point_result<T>(total, atomicExch(d_special, 0u), scale);
        }
    }
}

// The sum of what reduce_fixed_point has left for each part of an array, with one scale for all:
// d_fixed and d_special have a word of each. One thread.
template <typename T>
__global__ void join_fixed_point(const unsigned long long* d_fixed, const unsigned* d_special,
                                 int parts, double scale, T* d_sum) {
    unsigned long long total = 0;
    unsigned special = 0;
    for (int part = 0; part < parts; ++part) {
        total += d_fixed[part];
        special |= d_special[part];
    }
    *d_sum = fixed_point_result<T>(total, special, scale);
}

// `scale`: see fixed_point_scale(). As many blocks as the GPU holds at one time: where a block
// ends, it waits for its two atomics, and reads nothing meanwhile.
template <typename T>
void launch_fixed_point(const T* d_x, std::size_t n, double scale, unsigned long long* d_fixed,
                        unsigned* d_special, unsigned* d_ticket, T* d_sum, int block_size) {
    const int grid_size =
        common::blocks_to_fill_device(common::threads_of_one_tile<T>(n, 1), block_size);
    reduce_fixed_point<<<grid_size, block_size>>>(d_x, n, scale, d_fixed, d_special, d_ticket,
                                                  d_sum);
    CHECK_LAUNCH();
}

// The largest power of two by which n terms of at most the given magnitude may be multiplied so
// that their sum stays below 2^62, and each float below 2^51.
template <typename T>
double fixed_point_scale(std::size_t n, double max_magnitude) {
    int exponent = 0;
    int exponent_of_n = 0;
    std::frexp(max_magnitude, &exponent);
    std::frexp(static_cast<double>(std::max<std::size_t>(n, 1)), &exponent_of_n);
    const int of_sum = 62 - exponent_of_n;  // the sum itself could overflow, so by exponents
    const int of_term = std::is_same<T, float>::value ? 51 : 62;
    // Beyond 1000 the scale itself would overflow; such terms are all denormal or zero.
    return std::ldexp(1.0, std::min(std::min(of_sum, of_term) - exponent, 1000));
}
