// The two 16-bit floating-point formats, as a template: half (5 bits of exponent, 10 of fraction)
// and bfloat16 (8 and 7). Each operation is rounded once from its exact result.
//
// A result that does not fit a wider type is rounded to odd there: it is cut off, and its last bit
// is set if anything was lost. Such a number lies on the same side of all 16-bit numbers, and of
// the middles between them, as the exact result, so rounding it once more is right in every mode
// (Boldo and Melquiond, "Emulation of a FMA and correctly rounded sums: proved algorithms using
// rounding to odd").
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include "cpu_device/arithmetic.h"
#include "cpu_device/atomic_access.h"

namespace cpu_device {

namespace types {
enum class Rounding { nearest, zero, down, up };
}  // namespace types

// --- rounding to odd ------------------------------------------------------------------------

// `value` was rounded, and the exact number lies `beyond` it, or before it (away from 0 is beyond).
template <typename Bits, typename T>
T made_odd(T value, bool beyond) {
    Bits bits;
    std::memcpy(&bits, &value, sizeof bits);
    bits = (beyond ? bits : bits - 1) | 1;
    std::memcpy(&value, &bits, sizeof bits);
    return value;
}

inline float odd_float(double exact) {
    const auto rounded = static_cast<float>(exact);
    const double back = rounded;
    if (back == exact || std::isnan(exact)) {
        return rounded;
    }
    return made_odd<std::uint32_t>(rounded, std::fabs(back) < std::fabs(exact));
}

inline double odd_sum(double a, double b) {
    const double sum = a + b;
    if (!std::isfinite(sum)) {
        return sum;
    }
    const double b_in_sum = sum - a;  // Knuth's TwoSum: the error is exact
    const double error = (a - (sum - b_in_sum)) + (b - b_in_sum);
    if (error == 0) {
        return sum;
    }
    return made_odd<std::uint64_t>(sum, std::signbit(error) == std::signbit(sum));
}

template <typename Integer>
double odd_double(Integer integer) {
    const bool negative = integer < 0;
    auto magnitude = static_cast<std::uint64_t>(integer);
    magnitude = negative ? 0 - magnitude : magnitude;
    if (magnitude >> 53 != 0) {
        magnitude = (magnitude >> 11 | ((magnitude & 0x7ff) != 0)) << 11;
    }
    const auto value = static_cast<double>(magnitude);
    return negative ? -value : value;
}

// --- between float and 16 bits --------------------------------------------------------------

// Too large becomes infinity, or the largest number where the mode rounds to it. Any NaN becomes
// 0x7fff, the one that a GPU makes.
template <int fraction_bits, int exponent_bits>
std::uint16_t to_16_bits(float value, Rounding mode = Rounding::nearest) {
    constexpr int bias = (1 << (exponent_bits - 1)) - 1;
    constexpr std::uint32_t infinity = ((1u << exponent_bits) - 1) << fraction_bits;
    constexpr int dropped = 23 - fraction_bits;
    const std::uint32_t bits = __float_as_uint(value);
    const std::uint32_t sign = bits >> 16 & 0x8000;
    const std::uint32_t magnitude = bits & 0x7fffffff;
    if (magnitude > 0x7f800000) {
        return static_cast<std::uint16_t>(0x7fff);
    }
    if (magnitude == 0x7f800000 || magnitude == 0) {
        return static_cast<std::uint16_t>(sign | (magnitude == 0 ? 0 : infinity));
    }
    const bool away = mode == Rounding::up ? sign == 0 : mode == Rounding::down && sign != 0;
    const int exponent = static_cast<int>(magnitude >> 23) - 127 + bias;
    std::uint32_t fraction = magnitude;
    int shift = dropped;
    if (exponent <= 0 && exponent_bits < 8) {  // below the normal numbers of the target
        if (exponent < -fraction_bits) {
            return static_cast<std::uint16_t>(sign | (away ? 1 : 0));
        }
        fraction = (magnitude & 0x7fffff) | 0x800000;
        shift += 1 - exponent;
    } else {
        fraction -= static_cast<std::uint32_t>(127 - bias) << 23;
    }
    const std::uint32_t below = (1u << shift) - 1;
    std::uint32_t added = away ? below : 0;
    if (mode == Rounding::nearest) {
        added = (below >> 1) + (fraction >> shift & 1);  // ties to even
    }
    std::uint32_t rounded = (fraction + added) >> shift;
    if (rounded >= infinity || exponent >= (1 << exponent_bits)) {
        rounded = mode == Rounding::nearest || away ? infinity : infinity - 1;
    }
    return static_cast<std::uint16_t>(sign | rounded);
}

template <int fraction_bits, int exponent_bits>
float from_16_bits(std::uint16_t bits) {
    if constexpr (exponent_bits == 8) {  // the upper half of a float
        return __uint_as_float(static_cast<std::uint32_t>(bits) << 16);
    } else {
        constexpr int bias = (1 << (exponent_bits - 1)) - 1;
        constexpr std::uint32_t exponent_mask = (1u << exponent_bits) - 1;
        const std::uint32_t sign = static_cast<std::uint32_t>(bits & 0x8000) << 16;
        const std::uint32_t exponent = bits >> fraction_bits & exponent_mask;
        const std::uint32_t fraction = bits & ((1u << fraction_bits) - 1);
        if (exponent == 0) {
            constexpr float smallest = 1.0f / (1 << (bias - 1)) / (1 << fraction_bits);
            const float magnitude = static_cast<float>(fraction) * smallest;
            return sign != 0 ? -magnitude : magnitude;
        }
        const std::uint32_t wide = exponent == exponent_mask ? 255 : exponent - bias + 127;
        return __uint_as_float(sign | wide << 23 | fraction << (23 - fraction_bits));
    }
}

// --- the types --------------------------------------------------------------------------------

template <typename T>
using IfInteger = std::enable_if_t<std::is_integral_v<T> && !std::is_same_v<T, bool>, int>;

// To an integer: what is too large or too small becomes the nearest one, and NaN becomes 0 (of 64
// bits: the highest bit alone).
template <typename Integer>
Integer integer_of(float value, Rounding mode) {
    if (std::isnan(value)) {
        return static_cast<Integer>(sizeof(Integer) == 8 ? std::uint64_t{1} << 63 : 0);
    }
    switch (mode) {
        case Rounding::nearest: {
            const float down = std::floor(value);
            const float rest = value - down;
            const bool odd = std::fmod(down, 2.0f) != 0;
            value = rest > 0.5f || (rest == 0.5f && odd) ? down + 1 : down;
            break;
        }
        case Rounding::zero:
            value = std::trunc(value);
            break;
        case Rounding::down:
            value = std::floor(value);
            break;
        case Rounding::up:
            value = std::ceil(value);
            break;
    }
    using Limits = std::numeric_limits<Integer>;
    const float beyond = std::ldexp(1.0f, Limits::digits);
    if (value >= beyond) {
        return Limits::max();
    }
    if (value < (std::is_signed_v<Integer> ? -beyond : 0.0f)) {
        return Limits::min();
    }
    return static_cast<Integer>(value);
}

namespace types {
template <typename Raw, int fraction_bits, int exponent_bits>
struct SmallFloat {
    SmallFloat() = default;
    SmallFloat(float value) : bits(to_16_bits<fraction_bits, exponent_bits>(value)) {}
    SmallFloat(double value) : SmallFloat(odd_float(value)) {}
    template <typename Integer, IfInteger<Integer> = 0>
    SmallFloat(Integer value) : SmallFloat(odd_double(value)) {}
    SmallFloat(const Raw& raw) : bits(raw.x) {}
    template <typename Raw2, int fraction2, int exponent2>
    explicit SmallFloat(SmallFloat<Raw2, fraction2, exponent2> other)
        : SmallFloat(static_cast<float>(other)) {}

    static SmallFloat of_bits(unsigned bits) {
        SmallFloat value;
        value.bits = static_cast<std::uint16_t>(bits);
        return value;
    }
    // From the exact value, or from one that was rounded to odd.
    static SmallFloat rounded(double exact, Rounding mode = Rounding::nearest) {
        return of_bits(to_16_bits<fraction_bits, exponent_bits>(odd_float(exact), mode));
    }

    operator float() const { return from_16_bits<fraction_bits, exponent_bits>(bits); }
    operator Raw() const { return {bits}; }
    explicit operator bool() const { return (bits & 0x7fff) != 0; }
#define CPU_DEVICE_TO_INTEGER(Integer)                            \
    operator Integer() const {                                    \
        return integer_of<Integer>(float(*this), Rounding::zero); \
    }
    CPU_DEVICE_TO_INTEGER(char)
    CPU_DEVICE_TO_INTEGER(signed char)
    CPU_DEVICE_TO_INTEGER(unsigned char)
    CPU_DEVICE_TO_INTEGER(short)
    CPU_DEVICE_TO_INTEGER(unsigned short)
    CPU_DEVICE_TO_INTEGER(int)
    CPU_DEVICE_TO_INTEGER(unsigned)
    CPU_DEVICE_TO_INTEGER(long)
    CPU_DEVICE_TO_INTEGER(unsigned long)
    CPU_DEVICE_TO_INTEGER(long long)
    CPU_DEVICE_TO_INTEGER(unsigned long long)
#undef CPU_DEVICE_TO_INTEGER

    bool is_nan() const {
        return (bits & 0x7fff) > infinity;
    }
    bool is_infinite() const {
        return (bits & 0x7fff) == infinity;
    }
    bool is_negative() const {
        return (bits & 0x8000) != 0;
    }
    static SmallFloat nan() {
        return of_bits(0x7fff);
    }

    friend SmallFloat operator+(SmallFloat a, SmallFloat b) {
        return rounded(odd_sum(float(a), float(b)));
    }
    friend SmallFloat operator-(SmallFloat a, SmallFloat b) {
        return rounded(odd_sum(float(a), -float(b)));
    }
    friend SmallFloat operator*(SmallFloat a, SmallFloat b) {
        return rounded(double(float(a)) * float(b));
    }
    friend SmallFloat operator/(SmallFloat a, SmallFloat b) {
        return rounded(double(float(a)) / float(b));  // no quotient is that near to a middle
    }
    friend SmallFloat operator+(SmallFloat a) {
        return a;
    }
    friend SmallFloat operator-(SmallFloat a) {
        return a.is_nan() ? nan() : of_bits(a.bits ^ 0x8000);
    }
    friend bool operator==(SmallFloat a, SmallFloat b) {
        return float(a) == float(b);
    }
    friend bool operator!=(SmallFloat a, SmallFloat b) {
        return float(a) != float(b);
    }
    friend bool operator<(SmallFloat a, SmallFloat b) {
        return float(a) < float(b);
    }
    friend bool operator>(SmallFloat a, SmallFloat b) {
        return float(a) > float(b);
    }
    friend bool operator<=(SmallFloat a, SmallFloat b) {
        return float(a) <= float(b);
    }
    friend bool operator>=(SmallFloat a, SmallFloat b) {
        return float(a) >= float(b);
    }
    SmallFloat& operator+=(SmallFloat other) {
        return *this = *this + other;
    }
    SmallFloat& operator-=(SmallFloat other) {
        return *this = *this - other;
    }
    SmallFloat& operator*=(SmallFloat other) {
        return *this = *this * other;
    }
    SmallFloat& operator/=(SmallFloat other) {
        return *this = *this / other;
    }
    SmallFloat& operator++() {
        return *this += SmallFloat(1);
    }
    SmallFloat& operator--() {
        return *this -= SmallFloat(1);
    }
    SmallFloat operator++(int) {
        const SmallFloat before = *this;
        ++*this;
        return before;
    }
    SmallFloat operator--(int) {
        const SmallFloat before = *this;
        --*this;
        return before;
    }

    static constexpr unsigned infinity = ((1u << exponent_bits) - 1) << fraction_bits;
    std::uint16_t bits;
};

// Two of them in 32 bits. A comparison is true if it holds for both.
template <typename T, typename Raw2>
struct alignas(4) SmallFloatPair {
    SmallFloatPair() = default;
    SmallFloatPair(const T& x_, const T& y_) : x(x_), y(y_) {}
    SmallFloatPair(const Raw2& raw) : x(T::of_bits(raw.x)), y(T::of_bits(raw.y)) {}
    operator Raw2() const { return {x.bits, y.bits}; }

    friend SmallFloatPair operator+(SmallFloatPair a, SmallFloatPair b) {
        return {a.x + b.x, a.y + b.y};
    }
    friend SmallFloatPair operator-(SmallFloatPair a, SmallFloatPair b) {
        return {a.x - b.x, a.y - b.y};
    }
    friend SmallFloatPair operator*(SmallFloatPair a, SmallFloatPair b) {
        return {a.x * b.x, a.y * b.y};
    }
    friend SmallFloatPair operator/(SmallFloatPair a, SmallFloatPair b) {
        return {a.x / b.x, a.y / b.y};
    }
    friend SmallFloatPair operator+(SmallFloatPair a) { return a; }
    friend SmallFloatPair operator-(SmallFloatPair a) { return {-a.x, -a.y}; }
    friend bool operator==(SmallFloatPair a, SmallFloatPair b) { return a.x == b.x && a.y == b.y; }
    friend bool operator!=(SmallFloatPair a, SmallFloatPair b) { return a.x != b.x && a.y != b.y; }
    friend bool operator<(SmallFloatPair a, SmallFloatPair b) { return a.x < b.x && a.y < b.y; }
    friend bool operator>(SmallFloatPair a, SmallFloatPair b) { return a.x > b.x && a.y > b.y; }
    friend bool operator<=(SmallFloatPair a, SmallFloatPair b) { return a.x <= b.x && a.y <= b.y; }
    friend bool operator>=(SmallFloatPair a, SmallFloatPair b) { return a.x >= b.x && a.y >= b.y; }
    SmallFloatPair& operator+=(SmallFloatPair other) { return *this = *this + other; }
    SmallFloatPair& operator-=(SmallFloatPair other) { return *this = *this - other; }
    SmallFloatPair& operator*=(SmallFloatPair other) { return *this = *this * other; }
    SmallFloatPair& operator/=(SmallFloatPair other) { return *this = *this / other; }
    SmallFloatPair& operator++() { return *this += SmallFloatPair(T(1), T(1)); }
    SmallFloatPair& operator--() { return *this -= SmallFloatPair(T(1), T(1)); }
    SmallFloatPair operator++(int) {
        const SmallFloatPair before = *this;
        ++*this;
        return before;
    }
    SmallFloatPair operator--(int) {
        const SmallFloatPair before = *this;
        --*this;
        return before;
    }

    T x, y;
};
}  // namespace types

// --- what the functions of both formats are made of -------------------------------------------

// The larger one; +0 is larger than -0. A NaN is left out, or where `nan_wins` the result.
template <typename T>
T larger(T a, T b, bool nan_wins) {
    if (a.is_nan() || b.is_nan()) {
        return nan_wins || (a.is_nan() && b.is_nan()) ? T::nan() : (a.is_nan() ? b : a);
    }
    return float(a) > float(b) || (float(a) == float(b) && b.is_negative()) ? a : b;
}
template <typename T>
T smaller(T a, T b, bool nan_wins) {
    if (a.is_nan() || b.is_nan()) {
        return nan_wins || (a.is_nan() && b.is_nan()) ? T::nan() : (a.is_nan() ? b : a);
    }
    return float(a) < float(b) || (float(a) == float(b) && a.is_negative()) ? a : b;
}
// To 0 ... 1; NaN becomes 0.
template <typename T>
T saturated(T a) {
    return !(float(a) > 0) ? T(0) : (float(a) > 1 ? T(1) : a);
}
template <typename T>
T not_negative(T a) {
    return float(a) < 0 || a.bits == 0x8000 ? T(0) : a;
}
template <typename T>
T fused(T a, T b, T c) {
    return T::rounded(odd_sum(double(float(a)) * float(b), float(c)));
}

}  // namespace cpu_device
