// How a result is judged against its reference. The rules, for every example:
//   - every value is compared; a NaN passes only where the reference is NaN, an infinity only
//     against the same infinity;
//   - integers are compared exactly; a floating-point sum must lie within a bound that its number
//     of roundings gives, and where there is no such bound the check says so instead of "ok".
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdio>
#include <limits>
#include <string>
#include <vector>

namespace harness {

enum class Outcome {
    ok,        // equal, or within the bound
    no_bound,  // finite, but the arithmetic gives no bound to check against
    wrong,
};

struct Verdict {
    Outcome outcome = Outcome::wrong;
    std::string detail;  // for people: the error and its bound, or the first difference

    bool holds() const { return outcome != Outcome::wrong; }
};

// Formats as printf does.
template <typename... Args>
std::string format(const char* pattern, Args... args) {
    const int length = std::snprintf(nullptr, 0, pattern, args...);
    std::string text(static_cast<std::size_t>(length) + 1, '\0');
    std::snprintf(text.data(), text.size(), pattern, args...);
    text.pop_back();
    return text;
}

// Compares two arrays element by element. `what` names an element in the message: "bin", "atom".
template <typename T>
Verdict check_equal(const std::vector<T>& actual, const std::vector<T>& expected,
                    const std::string& what) {
    if (actual.size() != expected.size()) {
        return {Outcome::wrong, std::to_string(actual.size()) + " values where " +
                                    std::to_string(expected.size()) + " are expected"};
    }
    std::size_t different = 0;
    std::size_t first = 0;
    for (std::size_t i = 0; i < actual.size(); ++i) {
        if (!(actual[i] == expected[i]) && different++ == 0) {
            first = i;
        }
    }
    if (different == 0) {
        return {Outcome::ok, "equal"};
    }
    return {Outcome::wrong, what + " " + std::to_string(first) + " is " +
                                std::to_string(actual[first]) + ", expected " +
                                std::to_string(expected[first]) + " (" + std::to_string(different) +
                                " of " + std::to_string(actual.size()) + " differ)"};
}

// The bound on the rounding error of a sum of terms t_i in which no term passes through more than
// `additions` roundings: gamma * sum |t_i|, gamma = h u / (1 - h u), u the unit roundoff of T
// (Higham, Accuracy and Stability of Numerical Algorithms, section 4.2). Infinity where h u >= 1:
// then there is no bound.
template <typename T>
double rounding_bound(double additions, double sum_of_magnitudes) {
    const double unit_roundoff = std::numeric_limits<T>::epsilon() / 2;
    const double hu = additions * unit_roundoff;
    if (hu >= 1) {
        return std::numeric_limits<double>::infinity();
    }
    return hu / (1 - hu) * sum_of_magnitudes;
}

// What is lost at most by `additions` that take subnormal numbers for 0, the operand as well as the
// result.
template <typename T>
double subnormal_bound(double additions) {
    return 2 * additions * std::numeric_limits<T>::min();
}

// Judges one floating-point value against a reference of higher precision and a bound from
// rounding_bound() (0: exact; infinity: no bound).
inline Verdict check_within(double actual, long double reference, double bound) {
    const bool special = !std::isfinite(reference);
    if (std::isnan(reference) ? std::isnan(actual)
                              : (special && actual == static_cast<double>(reference))) {
        return {Outcome::ok, std::isnan(reference) ? "NaN, as expected" : "infinite, as expected"};
    }
    if (special || !std::isfinite(actual)) {
        return {Outcome::wrong,
                format("is %.9g, expected %.9g", actual, static_cast<double>(reference))};
    }
    const double error = static_cast<double>(std::fabs(actual - reference));
    if (std::isinf(bound)) {
        return {Outcome::no_bound, format("error %.3g, no bound", error)};
    }
    if (error <= bound) {
        return {Outcome::ok, format("error %.3g <= %.3g", error, bound)};
    }
    return {Outcome::wrong, format("is %.9g, expected %.9g: error %.3g > %.3g", actual,
                                   static_cast<double>(reference), error, bound)};
}

// Judges a sum of terms of type T whose magnitudes add up to `magnitudes`. Where they exceed what T
// holds, the order of the additions decides whether a partial sum overflows, and with it the
// result: then there is no bound, and no result is wrong.
template <typename T>
Verdict check_sum(T actual, long double reference, double magnitudes, double bound) {
    if (std::isfinite(reference) && magnitudes > std::numeric_limits<T>::max()) {
        return {Outcome::no_bound,
                format("is %.9g; partial sums may overflow", static_cast<double>(actual))};
    }
    return check_within(actual, reference, bound);
}

}  // namespace harness
