// Numbers as users write them: one spelling each, no surprises. A number that is not wholly of that
// form, or does not fit, is no number at all: nothing is rounded, wrapped or left out.
#pragma once

#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>

namespace common {

// Decimal digits, without sign, blanks or leading zeros.
inline std::optional<std::uint64_t> whole_number(std::string_view text) {
    const bool digits =
        !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
    if (!digits || (text.size() > 1 && text[0] == '0')) {
        return std::nullopt;
    }
    std::uint64_t value = 0;
    const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc{} ? std::optional(value) : std::nullopt;
}

// A whole number and at most one suffix: K, M, G (10^3, 10^6, 10^9) or Ki, Mi, Gi (2^10, 2^20,
// 2^30).
inline std::optional<std::uint64_t> size_number(std::string_view text) {
    constexpr std::string_view suffixes = "KMG";
    const bool binary = text.size() > 1 && text.back() == 'i';
    const std::string_view front = text.substr(0, text.size() - (binary ? 1 : 0));
    const std::size_t suffix = front.empty() ? std::string_view::npos : suffixes.find(front.back());
    if (suffix == std::string_view::npos) {
        return whole_number(text);  // an 'i' alone is no suffix
    }
    const std::optional<std::uint64_t> digits = whole_number(front.substr(0, front.size() - 1));
    std::uint64_t unit = 1;
    for (std::size_t i = 0; i <= suffix; ++i) {
        unit *= binary ? 1024 : 1000;
    }
    if (!digits || *digits > std::numeric_limits<std::uint64_t>::max() / unit) {
        return std::nullopt;
    }
    return *digits * unit;
}

// What read_number() found.
enum class Parsed { ok, no_number, out_of_range };

// The whole of `text` as a T, a floating-point or integer type; one leading '+' is allowed, and
// "nan" and "inf" are floating-point numbers. A number too small for T is 0 or the nearest
// subnormal, as it is in C++ source; one too large is out of range.
template <typename T>
Parsed read_number(std::string_view text, T& value) {
    if (text.size() > 1 && text[0] == '+' && text[1] != '-') {
        text.remove_prefix(1);  // from_chars knows no leading '+'
    }
    const char* const end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, value);
    if (rest != end || error == std::errc::invalid_argument) {
        return Parsed::no_number;
    }
    if (error == std::errc{}) {
        return Parsed::ok;
    }
    if constexpr (std::is_floating_point_v<T>) {  // too large or too small: strto* tells which
        const std::string copy(text);
        value = std::is_same_v<T, float> ? std::strtof(copy.c_str(), nullptr)
                                         : static_cast<T>(std::strtod(copy.c_str(), nullptr));
        return std::isfinite(value) ? Parsed::ok : Parsed::out_of_range;
    }
    return Parsed::out_of_range;
}

}  // namespace common
