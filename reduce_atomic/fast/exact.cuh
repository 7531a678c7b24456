// The exact sum of any finite numbers, rounded once: the number next to it. So it cannot depend on
// the order of the terms, on the grid, or on the device.
//
// The sum is kept in a long accumulator: an integer in units of the smallest positive number, long
// enough for any sum. Its bins hold 32 binary digits each, in words of 64 bits, so that carries can
// wait until the end. To add term by term would take two or three bins for each term. So a warp
// first adds up its terms in integers of 64 bits, where they fit one window: no term is larger than
// the window, and the last digit of none is below it. Terms that are too small for it wait for the
// next window.
//
// Source of the long accumulator: Kulisch, Computer arithmetic and validity. Source of the bins
// with late carries: Neal, Fast exact summation using small and large superaccumulators.
#pragma once

#include <cuda_runtime.h>

#include <cmath>
#include <cstddef>
#include <type_traits>

#include "common/block_reduce.cuh"
#include "common/error.cuh"
#include "common/launch.cuh"
#include "common/vector_load.cuh"
#include "reduce_atomic/fast/fixed_point.cuh"

// How a type keeps a number: digits * 2^(lowest + e - 1), where the integer `digits` is less than
// 2^precision, and e is the exponent field, at least 1.
template <typename T>
struct Format;
template <>
struct Format<float> {
    static constexpr int precision = 24;
    static constexpr int lowest = -149;
    static constexpr unsigned special = 255;  // the exponent field of infinities and NaN
    // Bins for the largest sum of 2^36 terms, and its sign.
    static constexpr int bins = 11;
    // Grows with the magnitude, and is 0 for 0 only; key >> key_shift is the exponent field.
    static constexpr int key_shift = 24;
    __device__ static unsigned key(float x) { return __float_as_uint(x) << 1; }
};
template <>
struct Format<double> {
    static constexpr int precision = 53;
    static constexpr int lowest = -1074;
    static constexpr unsigned special = 2047;
    static constexpr int bins = 68;
    static constexpr int key_shift = 21;
    __device__ static unsigned key(double x) {  // of the lower half, whether it is 0
        const auto bits = static_cast<unsigned long long>(__double_as_longlong(x));
        const unsigned lower = static_cast<unsigned>(bits) != 0 ? 1 : 0;
        return static_cast<unsigned>(bits >> 32) << 1 | lower;
    }
};

// 2^exponent, for exponents of normal doubles.
__device__ inline double power_of_two(int exponent) {
    return __longlong_as_double(static_cast<long long>(1023 + exponent) << 52);
}

// Adds digits * 2^weight to bins of 32 digits, in units of the smallest positive number.
__device__ inline void add_to_bins(unsigned long long* s_bins, long long digits, int weight) {
    const int bin = weight / 32;
    const int shift = weight % 32;
    const long long upper = digits >> (32 - shift);
    atomicAdd(&s_bins[bin], static_cast<unsigned long long>(digits) << shift & 0xffffffff);
    atomicAdd(&s_bins[bin + 1], static_cast<unsigned long long>(upper) & 0xffffffff);
    atomicAdd(&s_bins[bin + 2], static_cast<unsigned long long>(upper >> 32));
}

// Adds the integer `sum` of each of the warp's threads, times 2^weight. The two halves are added up
// separately, since the sum of 32 such integers may need more than 64 digits.
__device__ inline void add_warp_to_bins(unsigned long long* s_bins, unsigned long long sum,
                                        int weight, int lanes) {
    const unsigned long long lower = common::warp_sum(sum & 0xffffffff, lanes);
    const long long upper = common::warp_sum(static_cast<long long>(sum) >> 32, lanes);
    if (threadIdx.x % common::warp_size == 0) {
        add_to_bins(s_bins, static_cast<long long>(lower), weight);
        add_to_bins(s_bins, upper, weight + 32);
    }
}

// The sums of a thread's terms in the window whose last digit stands for 2^weight units. A float
// has one: the window is 51 digits wide, and of a term's 24 digits none may be below it.
struct FloatWindow {
    int weight = 0;
    double scale = 0;
    unsigned long long sum = 0;

    // To a window for terms whose exponent field is at most `top`. The sums are 0 then.
    __device__ void move_below(unsigned top) {
        weight = max(static_cast<int>(top) + Format<float>::precision - 52, 0);
        scale = power_of_two(-Format<float>::lowest - weight);
        sum = 0;
    }
    __device__ void add(float term) { sum += nearest_whole(static_cast<double>(term) * scale); }
    // The sums of the whole warp.
    __device__ void add_warp(unsigned long long* s_bins, int lanes) const {
        add_warp_to_bins(s_bins, sum, weight, lanes);
    }
};
// A double's 53 digits need two sums: one of the whole numbers next to the terms, in units of
// 2^(weight + 51), and one of what is left of them, in units of 2^weight.
struct DoubleWindow {
    static constexpr int width = 51;
    int weight = 0;
    double scale = 0;
    unsigned long long upper = 0;
    unsigned long long lower = 0;

    __device__ void move_below(unsigned top) {
        weight = max(static_cast<int>(top) + 1 - width, 0);
        scale = power_of_two(-Format<double>::lowest - (weight + width));
        upper = 0;
        lower = 0;
    }
    __device__ void add(double term) {
        const double scaled = term * scale;
        const unsigned long long whole = nearest_whole(scaled);
        upper += whole;
        const double rest = scaled - static_cast<double>(static_cast<long long>(whole));
        lower += nearest_whole(rest * power_of_two(width));
    }
    __device__ void add_warp(unsigned long long* s_bins, int lanes) const {
        add_warp_to_bins(s_bins, upper, weight + width, lanes);
        add_warp_to_bins(s_bins, lower, weight, lanes);
    }
};
// After so many terms of a thread, its sums go to the bins. Each term is at most 2^51. So 2048 of
// them, and those of one more tile, stay below 2^63.
constexpr int terms_of_window = 2048;

template <typename T>
using Window = std::conditional_t<std::is_same<T, float>::value, FloatWindow, DoubleWindow>;

// The window of a warp, and which terms fit it: those whose key is 0 or in [first_key, end_key).
// All threads of the warp must call its functions.
template <typename T>
struct WarpWindow {
    static constexpr int shift = Format<T>::key_shift;
    Window<T> window;
    unsigned top = 0;  // the largest exponent field that fits; 0 before the first window
    unsigned first_key = 1;
    unsigned end_key = 0;
    int added = 0;  // terms of each thread since the sums were 0

    __device__ void move_below(unsigned new_top, unsigned long long* s_bins, int lanes) {
        empty(s_bins, lanes);
        top = new_top;
        window.move_below(top);
        // From here on a term has no digit below the window. At weight 0 none has.
        first_key = window.weight == 0 ? 1 : (static_cast<unsigned>(window.weight) + 1) << shift;
        end_key = (top + 1) << shift;
    }
    // Adds the sums to the bins.
    __device__ void empty(unsigned long long* s_bins, int lanes) {
        if (added > 0) {
            window.add_warp(s_bins, lanes);
            window.move_below(top);
            added = 0;
        }
    }
};

// The largest `value` among the first `lanes` lanes of the calling warp, for all of them.
__device__ inline unsigned warp_max(unsigned value, int lanes, unsigned mask) {
    const int lane = static_cast<int>(threadIdx.x) % common::warp_size;
    for (int offset = common::warp_size / 2; offset > 0; offset /= 2) {
        const unsigned other = __shfl_down_sync(mask, value, offset);
        if (lane + offset < lanes) {
            value = max(value, other);
        }
    }
    return __shfl_sync(mask, value, 0);
}

// Adds the terms of the warp's threads, `count` for each, exactly. Nearly always all of them fit
// the window of the terms before. If not, it moves to the largest of them, and those that are too
// small for it wait for the next one. Notes infinities and NaN in `special`. All threads of the
// warp must call it.
template <typename T, int count>
__device__ void add_exactly(T (&terms)[count], WarpWindow<T>& warp, unsigned long long* s_bins,
                            unsigned& special) {
    const unsigned mask = common::existing_lanes();
    const int lanes = __popc(mask);
    if (warp.added >= terms_of_window) {
        warp.empty(s_bins, lanes);
    }
    for (;;) {
        unsigned largest = 0;
        unsigned smallest_less_1 = 0xffffffff;  // so 0 becomes the largest number, and always fits
#pragma unroll
        for (int j = 0; j < count; ++j) {
            const unsigned key = Format<T>::key(terms[j]);
            largest = max(largest, key);
            smallest_less_1 = min(smallest_less_1, key - 1);
        }
        if (__all_sync(mask, largest < warp.end_key && smallest_less_1 >= warp.first_key - 1)) {
            break;
        }
        const unsigned top = max(warp_max(largest >> warp.shift, lanes, mask), 1u);
        if (top == Format<T>::special) {
#pragma unroll
            for (int j = 0; j < count; ++j) {
                const unsigned bit = special_bit(terms[j]);
                special |= bit;
                terms[j] = bit == 0 ? terms[j] : T(0);
            }
        } else if (top != warp.top) {
            warp.move_below(top, s_bins, lanes);
        } else {
#pragma unroll
            for (int j = 0; j < count; ++j) {
                const bool fits = Format<T>::key(terms[j]) >= warp.first_key;
                warp.window.add(fits ? terms[j] : T(0));
                terms[j] = fits ? T(0) : terms[j];
            }
            warp.added += count;
        }
    }
#pragma unroll
    for (int j = 0; j < count; ++j) {
        warp.window.add(terms[j]);
    }
    warp.added += count;
}

// The number next to the sum in the bins; of two that are equally near, the one whose last digit is
// even. Changes the bins. One thread. Kept out of the kernel, whose other threads need the
// registers.
template <typename T>
__device__ __noinline__ T rounded(unsigned long long* s_bins) {
    constexpr int bins = Format<T>::bins;
    constexpr unsigned long long digits_of_bin = 0xffffffff;
    long long carry = 0;
    for (int k = 0; k < bins; ++k) {
        carry += static_cast<long long>(s_bins[k]);
        s_bins[k] = static_cast<unsigned long long>(carry) & digits_of_bin;
        carry >>= 32;
    }
    const bool negative = carry < 0;
    if (negative) {  // two's complement: the magnitude is the inverse, plus 1
        unsigned long long one = 1;
        for (int k = 0; k < bins; ++k) {
            one += s_bins[k] ^ digits_of_bin;
            s_bins[k] = one & digits_of_bin;
            one >>= 32;
        }
    }
    int top = bins - 1;
    while (top > 0 && s_bins[top] == 0) {
        --top;
    }
    if (s_bins[top] == 0) {
        return 0;
    }
    // The first 64 digits, from the first one that is not 0 on. The last of them stands for
    // 2^weight; where there are not so many, the weight is negative, and zeros fill up.
    const auto bin = [&](int k) { return k >= 0 ? s_bins[k] : 0; };
    const int zeros = __clzll(static_cast<long long>(s_bins[top])) - 32;
    const unsigned long long first =
        (s_bins[top] << 32 | bin(top - 1)) << zeros | bin(top - 2) >> (32 - zeros);
    const int weight = 32 * (top - 1) - zeros;
    bool more = (bin(top - 2) & (digits_of_bin >> zeros)) != 0;  // digits after these 64
    for (int k = top - 3; k >= 0; --k) {
        more = more || s_bins[k] != 0;
    }
    // How many of the 64 the type has no room for. Below the smallest number there are none.
    const int dropped = max(64 - Format<T>::precision, -weight);
    const unsigned long long rest = first & ((1ull << dropped) - 1);
    const unsigned long long half = 1ull << (dropped - 1);
    unsigned long long digits = first >> dropped;
    if (rest > half || (rest == half && (more || digits % 2 == 1))) {
        ++digits;
    }
    const double magnitude =
        ldexp(static_cast<double>(digits), weight + dropped + Format<T>::lowest);
    return static_cast<T>(negative ? -magnitude : magnitude);
}

// d_x: n numbers, aligned to sizeof(T). d_bins: Format<T>::bins words; d_special, d_ticket: one
// word each; all 0 before the first launch, and the last block puts them back to 0. d_sum: one
// word; or nullptr, and then d_bins and d_special keep what was added, for join_exact. A grid of
// any size.
//
// A tile is one vector per load in flight and thread; one tile more is the single elements before
// and after the vectors, of which there are fewer than a warp has lanes.
//
// The bound leaves 64 registers for each thread, so that a block may have 1024. A bin has room for
// 2^36 terms by warps of 32 lanes.
template <typename T>
__global__ void __launch_bounds__(1024)
    reduce_exact(const T* d_x, std::size_t n, unsigned long long* d_bins, unsigned* d_special,
                 unsigned* d_ticket, T* d_sum) {
    using Vector = common::AlignedVector<T>;
    constexpr int width = common::elements_per_vector<T>;
    constexpr int bins = Format<T>::bins;
    __shared__ unsigned long long s_bins[bins];
    __shared__ bool s_is_last;
    for (unsigned k = threadIdx.x; k < bins; k += blockDim.x) {
        s_bins[k] = 0;
    }
    __syncthreads();

    const common::VectorSplit split = common::split_into_vectors(d_x, n);
    const Vector* const d_vectors = reinterpret_cast<const Vector*>(d_x + split.head);
    const std::size_t tile_size = std::size_t{blockDim.x} * common::loads_in_flight;
    const std::size_t tiles = (split.vectors + tile_size - 1) / tile_size;
    unsigned special = 0;
    WarpWindow<T> warp;
    for (std::size_t tile = blockIdx.x; tile <= tiles; tile += gridDim.x) {
        T terms[common::loads_in_flight * width] = {};
        const std::size_t first = tile * tile_size + threadIdx.x;
        if ((tile + 1) * tile_size <= split.vectors) {
#pragma unroll
            for (int v = 0; v < common::loads_in_flight; ++v) {
                const Vector vector = d_vectors[first + std::size_t{blockDim.x} * v];
                for (int j = 0; j < width; ++j) {
                    terms[v * width + j] = vector.value[j];
                }
            }
        } else if (tile < tiles) {
#pragma unroll
            for (int v = 0; v < common::loads_in_flight; ++v) {
                const std::size_t i = first + std::size_t{blockDim.x} * v;
                if (i < split.vectors) {
                    const Vector vector = d_vectors[i];
                    for (int j = 0; j < width; ++j) {
                        terms[v * width + j] = vector.value[j];
                    }
                }
            }
        } else {
            const std::size_t singles = split.head + (n - split.tail);
#pragma unroll
            for (int k = 0; k < 2 * width; ++k) {
                const std::size_t s = threadIdx.x + std::size_t{blockDim.x} * k;
                if (s < singles) {
                    terms[k] = d_x[s < split.head ? s : split.tail + (s - split.head)];
                }
            }
        }
        add_exactly(terms, warp, s_bins, special);
    }
    warp.empty(s_bins, __popc(common::existing_lanes()));
    if (special != 0) {
        atomicOr(d_special, special);
    }
    __syncthreads();  // all warps have added to the bins

    for (unsigned k = threadIdx.x; k < bins; k += blockDim.x) {
        if (s_bins[k] != 0) {
            atomicAdd(&d_bins[k], s_bins[k]);
        }
    }
    __syncthreads();  // the block's atomics come before its ticket
    if (threadIdx.x == 0) {
        __threadfence();
        s_is_last = atomicInc(d_ticket, gridDim.x - 1) == gridDim.x - 1;
        __threadfence();
    }
    __syncthreads();
    if (s_is_last && d_sum != nullptr) {
        for (unsigned k = threadIdx.x; k < bins; k += blockDim.x) {
            s_bins[k] = atomicExch(&d_bins[k], 0ull);
        }
        __syncthreads();
        if (threadIdx.x == 0) {
            const unsigned seen = atomicExch(d_special, 0u);
            *d_sum = seen != 0 ? special_sum<T>(seen) : rounded<T>(s_bins);
        }
    }
}

// The sum of what reduce_exact has left for each part of an array: d_bins has Format<T>::bins words
// of each, d_special one. One block.
template <typename T>
__global__ void join_exact(const unsigned long long* d_bins, const unsigned* d_special, int parts,
                           T* d_sum) {
    constexpr int bins = Format<T>::bins;
    __shared__ unsigned long long s_bins[bins];
    for (unsigned k = threadIdx.x; k < bins; k += blockDim.x) {
        unsigned long long digits = 0;
        for (int part = 0; part < parts; ++part) {
            digits += d_bins[part * bins + k];
        }
        s_bins[k] = digits;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        unsigned seen = 0;
        for (int part = 0; part < parts; ++part) {
            seen |= d_special[part];
        }
        *d_sum = seen != 0 ? special_sum<T>(seen) : rounded<T>(s_bins);
    }
}

// As many blocks as the GPU holds with 64 registers for each thread, and no more than there are
// tiles, with the one of the single elements.
template <typename T>
void launch_exact(const T* d_x, std::size_t n, unsigned long long* d_bins, unsigned* d_special,
                  unsigned* d_ticket, T* d_sum, int block_size) {
    const std::size_t threads = common::threads_of_one_tile<T>(n, 1) + block_size;
    const int grid_size = common::blocks_to_fill_device(threads, block_size, 1024);
    reduce_exact<<<grid_size, block_size>>>(d_x, n, d_bins, d_special, d_ticket, d_sum);
    CHECK_LAUNCH();
}
