// Floating-point numbers of 8 bits: e4m3 has 4 bits of exponent, no infinity, and 448 as its
// largest number; e5m2 has 5 and is a half without its last 8 bits. Conversions round to the
// nearest, ties to even.
#pragma once

#include <cmath>

#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "cuda_runtime.h"

using __nv_fp8_storage_t = unsigned char;
using __nv_fp8x2_storage_t = unsigned short;
using __nv_fp8x4_storage_t = unsigned;

// What becomes of a number beyond the largest: an infinity (e4m3 has none, so NaN), or the largest.
enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE };
enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 };

namespace cpu_device {

inline __nv_fp8_storage_t to_8_bits(double value, __nv_saturation_t saturate,
                                    __nv_fp8_interpretation_t format) {
    const bool e4m3 = format == __NV_E4M3;
    const int fraction_bits = e4m3 ? 3 : 2, bias = e4m3 ? 7 : 15;
    const double largest = e4m3 ? 448 : 57344;
    const unsigned sign = std::signbit(value) ? 0x80 : 0;
    if (std::isnan(value)) {
        return static_cast<__nv_fp8_storage_t>(sign | (e4m3 ? 0x7f : 0x7e));
    }
    int exponent = 0;
    std::frexp(value, &exponent);  // of a fraction in [0.5, 1)
    const int smallest = 1 - bias;
    exponent = value == 0 || exponent - 1 < smallest ? smallest : exponent - 1;
    // In units of the last place; a carry into the next power of two is one into the exponent.
    const double units = std::nearbyint(std::ldexp(std::fabs(value), fraction_bits - exponent));
    if (std::ldexp(units, exponent - fraction_bits) > largest) {
        const unsigned beyond = saturate == __NV_SATFINITE ? (e4m3 ? 0x7e : 0x7b)  // the largest
                                : e4m3                     ? 0x7f
                                                           : 0x7c;
        return static_cast<__nv_fp8_storage_t>(sign | beyond);
    }
    const int steps = (exponent - smallest) << fraction_bits;
    return static_cast<__nv_fp8_storage_t>(sign | (static_cast<unsigned>(units) + steps));
}

inline float from_8_bits(__nv_fp8_storage_t bits, __nv_fp8_interpretation_t format) {
    if (format == __NV_E5M2) {
        return static_cast<float>(__half::of_bits(bits << 8u));
    }
    const int exponent = bits >> 3 & 15, fraction = bits & 7;
    const float size = exponent == 15 && fraction == 7 ? NAN
                       : exponent == 0                 ? std::ldexp(fraction / 8.0f, -6)
                                       : std::ldexp(1 + fraction / 8.0f, exponent - 7);
    return (bits & 0x80) != 0 ? -size : size;
}

template <__nv_fp8_interpretation_t format>
struct Float8 {
    Float8() = default;
    explicit Float8(float value) : Float8(static_cast<double>(value)) {}
    explicit Float8(double value) : __x(to_8_bits(value, __NV_SATFINITE, format)) {}
    explicit Float8(__half value) : Float8(static_cast<float>(value)) {}
    explicit Float8(__nv_bfloat16 value) : Float8(static_cast<float>(value)) {}
    template <typename Integer, IfInteger<Integer> = 0>
    explicit Float8(Integer value) : Float8(static_cast<double>(value)) {}

    explicit operator float() const { return from_8_bits(__x, format); }
    explicit operator double() const { return from_8_bits(__x, format); }
    explicit operator __half() const { return __half(from_8_bits(__x, format)); }
    explicit operator __nv_bfloat16() const { return __nv_bfloat16(from_8_bits(__x, format)); }
    explicit operator bool() const { return (__x & 0x7f) != 0; }
    template <typename Integer, IfInteger<Integer> = 0>
    explicit operator Integer() const {
        return integer_of<Integer>(from_8_bits(__x, format), Rounding::zero);
    }

    __nv_fp8_storage_t __x;
};

// Two in 16 bits, the first in the lower half.
template <__nv_fp8_interpretation_t format>
struct Float8Pair {
    using One = Float8<format>;
    Float8Pair() = default;
    explicit Float8Pair(float2 v) : Float8Pair(One(v.x), One(v.y)) {}
    explicit Float8Pair(double2 v) : Float8Pair(One(v.x), One(v.y)) {}
    explicit Float8Pair(__half2 v) : Float8Pair(One(v.x), One(v.y)) {}
    explicit Float8Pair(__nv_bfloat162 v) : Float8Pair(One(v.x), One(v.y)) {}

    explicit operator float2() const {
        return {from_8_bits(__x & 255, format), from_8_bits(__x >> 8, format)};
    }
    explicit operator __half2() const {
        const auto both = static_cast<float2>(*this);
        return {both.x, both.y};
    }

    __nv_fp8x2_storage_t __x;

  private:
    Float8Pair(One x, One y) : __x(static_cast<__nv_fp8x2_storage_t>(x.__x | y.__x << 8)) {}
};

template <__nv_fp8_interpretation_t format>
struct Float8Four {
    using Pair = Float8Pair<format>;
    Float8Four() = default;
    explicit Float8Four(float4 v)
        : Float8Four(Pair(make_float2(v.x, v.y)), Pair(make_float2(v.z, v.w))) {}
    explicit Float8Four(double4 v)
        : Float8Four(Pair(make_double2(v.x, v.y)), Pair(make_double2(v.z, v.w))) {}
    Float8Four(__half2 low, __half2 high) : Float8Four(Pair(low), Pair(high)) {}
    Float8Four(__nv_bfloat162 low, __nv_bfloat162 high) : Float8Four(Pair(low), Pair(high)) {}

    explicit operator float4() const {
        return {from_8_bits(__x & 255, format), from_8_bits(__x >> 8 & 255, format),
                from_8_bits(__x >> 16 & 255, format), from_8_bits(__x >> 24, format)};
    }

    __nv_fp8x4_storage_t __x;

  private:
    Float8Four(Pair low, Pair high) : __x(low.__x | static_cast<unsigned>(high.__x) << 16) {}
};

}  // namespace cpu_device

using __nv_fp8_e4m3 = cpu_device::Float8<__NV_E4M3>;
using __nv_fp8_e5m2 = cpu_device::Float8<__NV_E5M2>;
using __nv_fp8x2_e4m3 = cpu_device::Float8Pair<__NV_E4M3>;
using __nv_fp8x2_e5m2 = cpu_device::Float8Pair<__NV_E5M2>;
using __nv_fp8x4_e4m3 = cpu_device::Float8Four<__NV_E4M3>;
using __nv_fp8x4_e5m2 = cpu_device::Float8Four<__NV_E5M2>;

inline __nv_fp8_storage_t __nv_cvt_double_to_fp8(double x, __nv_saturation_t saturate,
                                                 __nv_fp8_interpretation_t format) {
    return cpu_device::to_8_bits(x, saturate, format);
}
inline __nv_fp8_storage_t __nv_cvt_float_to_fp8(float x, __nv_saturation_t saturate,
                                                __nv_fp8_interpretation_t format) {
    return cpu_device::to_8_bits(x, saturate, format);
}
inline __nv_fp8_storage_t __nv_cvt_halfraw_to_fp8(__half_raw x, __nv_saturation_t saturate,
                                                  __nv_fp8_interpretation_t format) {
    return cpu_device::to_8_bits(static_cast<float>(__half(x)), saturate, format);
}
inline __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_fp8(__nv_bfloat16_raw x,
                                                      __nv_saturation_t saturate,
                                                      __nv_fp8_interpretation_t format) {
    return cpu_device::to_8_bits(static_cast<float>(__nv_bfloat16(x)), saturate, format);
}
inline __nv_fp8x2_storage_t __nv_cvt_double2_to_fp8x2(double2 x, __nv_saturation_t saturate,
                                                      __nv_fp8_interpretation_t format) {
    return static_cast<__nv_fp8x2_storage_t>(cpu_device::to_8_bits(x.x, saturate, format) |
                                             cpu_device::to_8_bits(x.y, saturate, format) << 8);
}
inline __nv_fp8x2_storage_t __nv_cvt_float2_to_fp8x2(float2 x, __nv_saturation_t saturate,
                                                     __nv_fp8_interpretation_t format) {
    return __nv_cvt_double2_to_fp8x2(make_double2(x.x, x.y), saturate, format);
}
inline __nv_fp8x2_storage_t __nv_cvt_halfraw2_to_fp8x2(__half2_raw x, __nv_saturation_t saturate,
                                                       __nv_fp8_interpretation_t format) {
    const float2 both = __half22float2(__half2(x));
    return __nv_cvt_float2_to_fp8x2(both, saturate, format);
}
inline __nv_fp8x2_storage_t __nv_cvt_bfloat16raw2_to_fp8x2(__nv_bfloat162_raw x,
                                                           __nv_saturation_t saturate,
                                                           __nv_fp8_interpretation_t format) {
    const float2 both = __bfloat1622float2(__nv_bfloat162(x));
    return __nv_cvt_float2_to_fp8x2(both, saturate, format);
}
inline __half_raw __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t x, __nv_fp8_interpretation_t format) {
    return __half(cpu_device::from_8_bits(x, format));
}
inline __half2_raw __nv_cvt_fp8x2_to_halfraw2(__nv_fp8x2_storage_t x,
                                              __nv_fp8_interpretation_t format) {
    return {__nv_cvt_fp8_to_halfraw(x & 255, format).x, __nv_cvt_fp8_to_halfraw(x >> 8, format).x};
}
