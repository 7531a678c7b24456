// The two 16-bit floating-point formats, as a template: half (5 bits of exponent, 10 of fraction)
// and bfloat16 (8 and 7). Arithmetic is done in float and rounded once, which is what a GPU's
// 16-bit addition and multiplication give.
#pragma once

#include <cstdint>
#include <cstring>

#include "cpu_device/arithmetic.h"
#include "cpu_device/atomic_access.h"

namespace cpu_device {

// To the nearest, ties to even; too large becomes infinity, NaN stays NaN.
template <int fraction_bits, int exponent_bits>
std::uint16_t to_16_bits(float value) {
    constexpr int bias = (1 << (exponent_bits - 1)) - 1;
    constexpr std::uint32_t infinity = ((1u << exponent_bits) - 1) << fraction_bits;
    constexpr int dropped = 23 - fraction_bits;
    const std::uint32_t bits = __float_as_uint(value);
    const std::uint32_t sign = bits >> 16 & 0x8000;
    const std::uint32_t magnitude = bits & 0x7fffffff;
    if (magnitude > 0x7f800000) {
        return static_cast<std::uint16_t>(0x7fff);  // the one NaN that a GPU makes
    }
    const int exponent = static_cast<int>(magnitude >> 23) - 127 + bias;
    std::uint32_t fraction = magnitude;
    int shift = dropped;
    if (exponent <= 0 && exponent_bits < 8) {  // below the normal numbers of the target
        if (exponent < -fraction_bits) {
            return static_cast<std::uint16_t>(sign);
        }
        fraction = (magnitude & 0x7fffff) | 0x800000;
        shift += 1 - exponent;
    } else {
        fraction -= static_cast<std::uint32_t>(127 - bias) << 23;
    }
    const std::uint32_t half = 1u << (shift - 1);
    const std::uint32_t odd = fraction >> shift & 1;
    std::uint32_t rounded = (fraction + half - 1 + odd) >> shift;
    rounded = rounded > infinity || exponent >= (1 << exponent_bits) ? infinity : rounded;
    return static_cast<std::uint16_t>(sign | rounded);
}

template <int fraction_bits, int exponent_bits>
float from_16_bits(std::uint16_t bits) {
    constexpr int bias = (1 << (exponent_bits - 1)) - 1;
    constexpr std::uint32_t exponent_mask = (1u << exponent_bits) - 1;
    const std::uint32_t sign = static_cast<std::uint32_t>(bits & 0x8000) << 16;
    const std::uint32_t exponent = bits >> fraction_bits & exponent_mask;
    const std::uint32_t fraction = bits & ((1u << fraction_bits) - 1);
    if (exponent == 0) {
        const float magnitude = std::ldexp(static_cast<float>(fraction), 1 - bias - fraction_bits);
        return sign != 0 ? -magnitude : magnitude;
    }
    const std::uint32_t wide = exponent == exponent_mask ? 255 : exponent - bias + 127;
    return __uint_as_float(sign | wide << 23 | fraction << (23 - fraction_bits));
}

template <int fraction_bits, int exponent_bits>
struct SmallFloat {
    SmallFloat() = default;
    SmallFloat(float value) : bits(to_16_bits<fraction_bits, exponent_bits>(value)) {}
    SmallFloat(double value) : SmallFloat(static_cast<float>(value)) {}
    SmallFloat(int value) : SmallFloat(static_cast<float>(value)) {}
    operator float() const { return from_16_bits<fraction_bits, exponent_bits>(bits); }

    SmallFloat& operator+=(SmallFloat other) { return *this = *this + other; }
    SmallFloat& operator-=(SmallFloat other) { return *this = *this - other; }
    SmallFloat& operator*=(SmallFloat other) { return *this = *this * other; }
    friend SmallFloat operator+(SmallFloat a, SmallFloat b) { return {float(a) + float(b)}; }
    friend SmallFloat operator-(SmallFloat a, SmallFloat b) { return {float(a) - float(b)}; }
    friend SmallFloat operator*(SmallFloat a, SmallFloat b) { return {float(a) * float(b)}; }
    friend SmallFloat operator/(SmallFloat a, SmallFloat b) { return {float(a) / float(b)}; }
    friend SmallFloat operator-(SmallFloat a) { return {-float(a)}; }
    friend bool operator==(SmallFloat a, SmallFloat b) { return float(a) == float(b); }
    friend bool operator!=(SmallFloat a, SmallFloat b) { return float(a) != float(b); }
    friend bool operator<(SmallFloat a, SmallFloat b) { return float(a) < float(b); }
    friend bool operator>(SmallFloat a, SmallFloat b) { return float(a) > float(b); }
    friend bool operator<=(SmallFloat a, SmallFloat b) { return float(a) <= float(b); }
    friend bool operator>=(SmallFloat a, SmallFloat b) { return float(a) >= float(b); }

    std::uint16_t bits;
};

// Two of them in 32 bits; atomicAdd adds each half atomically, the whole is not.
template <typename T>
struct alignas(4) SmallFloatPair {
    T x, y;
    friend SmallFloatPair operator+(SmallFloatPair a, SmallFloatPair b) {
        return {a.x + b.x, a.y + b.y};
    }
    friend bool operator==(SmallFloatPair a, SmallFloatPair b) { return a.x == b.x && a.y == b.y; }
};

}  // namespace cpu_device

// The functions of one format. CUDA has atomicAdd for them at device scope only.
#define CPU_DEVICE_SMALL_FLOAT(type, pair, from_float, to_float, make_pair)                      \
    inline type from_float(float value) {                                                        \
        return type(value);                                                                      \
    }                                                                                            \
    inline type from_float##_rn(float value) {                                                   \
        return type(value);                                                                      \
    }                                                                                            \
    inline float to_float(type value) {                                                          \
        return static_cast<float>(value);                                                        \
    }                                                                                            \
    inline pair make_pair(type x, type y) {                                                      \
        return {x, y};                                                                           \
    }                                                                                            \
    inline type __hadd(type a, type b) {                                                         \
        return a + b;                                                                            \
    }                                                                                            \
    inline type __hsub(type a, type b) {                                                         \
        return a - b;                                                                            \
    }                                                                                            \
    inline type __hmul(type a, type b) {                                                         \
        return a * b;                                                                            \
    }                                                                                            \
    inline pair __hadd2(pair a, pair b) {                                                        \
        return a + b;                                                                            \
    }                                                                                            \
    inline bool __heq(type a, type b) {                                                          \
        return a == b;                                                                           \
    }                                                                                            \
    inline bool __hisnan(type a) {                                                               \
        return std::isnan(static_cast<float>(a));                                                \
    }                                                                                            \
    inline type atomicAdd(type* address, type value, cpu_device::Place place = {}) {             \
        return cpu_device::atomic_update(                                                        \
            address, [value](type old) { return old + value; }, cpu_device::Order::relaxed,      \
            cpu_device::Scope::device, place);                                                   \
    }                                                                                            \
    inline pair atomicAdd(pair* address, pair value, cpu_device::Place place = {}) {             \
        return {atomicAdd(&address->x, value.x, place), atomicAdd(&address->y, value.y, place)}; \
    }
