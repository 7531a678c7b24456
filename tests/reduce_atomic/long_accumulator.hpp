// A reference for exact sums that shares no code with the kernels: an integer of 2304 binary digits
// in units of the smallest positive double, to which terms are added digit word by digit word.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

class LongAccumulator {
  public:
    // Adds a finite term.
    void add(double term) {
        int exponent = 0;
        const double fraction = std::frexp(term, &exponent);
        auto digits = static_cast<std::int64_t>(std::ldexp(fraction, 53));  // exact
        int place = exponent - 53 + 1074;
        while (place < 0) {  // a subnormal number: its last digits are 0
            digits /= 2;
            ++place;
        }
        const bool negative = digits < 0;
        const auto magnitude = static_cast<std::uint64_t>(negative ? -digits : digits);
        __extension__ using Wide = unsigned __int128;
        Wide shifted = Wide{magnitude} << place % 32;
        std::uint64_t carry = 0;
        for (std::size_t k = static_cast<std::size_t>(place) / 32; k < words_.size(); ++k) {
            const std::uint64_t part = static_cast<std::uint32_t>(shifted);
            shifted >>= 32;
            const std::uint64_t sum =
                negative ? words_[k] - part - carry : words_[k] + part + carry;
            words_[k] = static_cast<std::uint32_t>(sum);
            carry = sum >> 32 & 1;
        }
    }
    // -1, 0 or 1.
    int sign() const {
        if (words_.back() >> 31 != 0) {
            return -1;
        }
        for (const std::uint32_t word : words_) {
            if (word != 0) {
                return 1;
            }
        }
        return 0;
    }

    // Is `rounded` the T next to this sum, and of two that are equally near, the one whose last
    // digit is even? By twice the sum, compared with the sum of the two neighbors.
    template <typename T>
    bool rounds_to(T rounded) const {
        const bool even = is_even(rounded);
        return side(rounded, std::numeric_limits<T>::infinity(), even) <= 0 &&
               side(rounded, -std::numeric_limits<T>::infinity(), even) >= 0;
    }

  private:
    template <typename T>
    static bool is_even(T value) {
        int exponent = 0;
        const T fraction = std::frexp(value, &exponent);
        constexpr int precision = std::numeric_limits<T>::digits;
        const int lowest = std::numeric_limits<T>::min_exponent - precision;
        const int last =
            std::max(exponent - precision, lowest);  // the last digit stands for 2^last
        return std::fmod(std::ldexp(static_cast<long double>(fraction), exponent - last), 2) == 0;
    }
    // The sign of twice the sum less (rounded + its neighbor towards `end`): 0 too where the sum
    // lies in the middle and goes to `rounded`.
    template <typename T>
    int side(T rounded, T end, bool even) const {
        const T neighbor = std::nextafter(rounded, end);
        LongAccumulator twice = *this;
        twice.add_other(*this);
        twice.add(-rounded);
        twice.add(-neighbor);
        const int sign = twice.sign();
        return sign == 0 && !even ? (end > 0 ? 1 : -1) : sign;
    }
    void add_other(const LongAccumulator& other) {
        std::uint64_t carry = 0;
        for (std::size_t k = 0; k < words_.size(); ++k) {
            carry += std::uint64_t{words_[k]} + other.words_[k];
            words_[k] = static_cast<std::uint32_t>(carry);
            carry >>= 32;
        }
    }

    std::array<std::uint32_t, 72> words_{};
};
