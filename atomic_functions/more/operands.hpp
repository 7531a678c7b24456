// The operands of the checked functions: the value that each thread adds, exchanges, compares with.
#pragma once

#include <cfloat>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <limits>
#include <type_traits>
#include <vector>

#include "harness/inputs.hpp"

enum class OperandKind {
    ones,    // every operand is 1, and the word starts at 0
    small,   // few different values, so that equal ones meet often
    random,  // the whole range of an integer, [-1, 1) for the others
    edges,   // limits at which integers wrap around, signed zeros, infinities, NaN
    given,   // the caller's numbers, and the word starts at 0
};

struct Operands {
    OperandKind kind = OperandKind::ones;
    std::uint64_t seed = 1;
    std::vector<double> numbers;  // for OperandKind::given, at least one: thread i takes the i-th
};

// One operand of an integer type T.
template <typename T, std::enable_if_t<std::is_integral_v<T>, int> = 0>
T draw_one(OperandKind kind, harness::Generator& generator) {
    constexpr T lowest = std::numeric_limits<T>::min();
    constexpr T highest = std::numeric_limits<T>::max();
    constexpr T edges[] = {0, 1, 2, highest, highest - 1, lowest, lowest + 1, static_cast<T>(-1)};
    switch (kind) {
        case OperandKind::small:
            return static_cast<T>(harness::uniform_below(generator, 8));
        case OperandKind::random:
            return static_cast<T>(generator());
        case OperandKind::edges:
            return edges[harness::uniform_below(generator, std::size(edges))];
        default:
            return 1;
    }
}

// One operand of a floating-point type T, the 16-bit ones included. No subnormal numbers: a float's
// atomicAdd takes them for 0 in global memory, as no other addition does.
template <typename T, std::enable_if_t<!std::is_integral_v<T>, int> = 0>
T draw_one(OperandKind kind, harness::Generator& generator) {
    // Adding 1 to `full` changes nothing; `huge` is the largest number.
    constexpr float full = sizeof(T) == 2 ? 2048.0f : 16777216.0f;
    constexpr float huge = sizeof(T) == 2 ? 65504.0f : FLT_MAX;
    constexpr float edges[] = {0.0f, -0.0f, 1.0f, -1.0f, 0.5f, 256.0f, full, -full};
    constexpr float rare_edges[] = {huge, -huge, INFINITY, -INFINITY, NAN};
    switch (kind) {
        case OperandKind::small:
            return static_cast<T>(static_cast<float>(harness::uniform_below(generator, 9)) - 4.0f);
        case OperandKind::random:
            if constexpr (std::is_same_v<T, double>) {
                return 2 * harness::uniform(generator) - 1;
            } else {
                return static_cast<T>(static_cast<float>(2 * harness::uniform(generator) - 1));
            }
        case OperandKind::edges:
            // Rare, since a sum never comes back from an infinity or a NaN.
            if (harness::uniform_below(generator, 128) == 0) {
                return static_cast<T>(
                    rare_edges[harness::uniform_below(generator, std::size(rare_edges))]);
            }
            return static_cast<T>(edges[harness::uniform_below(generator, std::size(edges))]);
        default:
            return static_cast<T>(1.0f);
    }
}

// A given number as a T. An integer takes the whole part, and its low bits where it is too narrow.
// |number| < 2^63.
template <typename T>
T from_number(double number) {
    if constexpr (std::is_integral_v<T>) {
        return static_cast<T>(static_cast<long long>(number));
    } else if constexpr (std::is_same_v<T, double>) {
        return number;
    } else {
        return static_cast<T>(static_cast<float>(number));
    }
}

// The bytes of `count` operands.
template <typename T>
std::vector<unsigned char> draw_many(const Operands& operands, std::size_t count,
                                     harness::Generator& generator) {
    std::vector<unsigned char> bytes(count * sizeof(T));
    for (std::size_t i = 0; i < count; ++i) {
        const T drawn = operands.kind == OperandKind::given
                            ? from_number<T>(operands.numbers[i % operands.numbers.size()])
                            : draw_one<T>(operands.kind, generator);
        std::memcpy(&bytes[i * sizeof(T)], &drawn, sizeof(T));
    }
    return bytes;
}
