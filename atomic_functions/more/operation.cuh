// A function on a type, as the check sees it. A value is looked at unit by unit: a unit is what one
// step changes as a whole. That is the whole value, or for the sums of vector types one component:
// adding a float2 adds two floats, each atomically, and the pair is not one step.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

#include "atomic_functions/more/functions_cpu.hpp"
#include "atomic_functions/more/operands.hpp"
#include "harness/check.hpp"

// The types of the words: the name in the table, what a vector type consists of, whether its
// functions need compute capability 9.0, and whether the toolkit declares them at all scopes.
template <typename T>
struct WordType;
#define WORD_TYPE(T, type_name, ComponentType, ninety, scopes) \
    template <>                                                \
    struct WordType<T> {                                       \
        static constexpr const char* name = type_name;         \
        using Component = ComponentType;                       \
        static constexpr bool needs_90 = ninety;               \
        static constexpr bool at_all_scopes = scopes;          \
    }
WORD_TYPE(int, "int", int, false, true);
WORD_TYPE(unsigned, "uint", unsigned, false, true);
WORD_TYPE(long long, "longlong", long long, false, true);
WORD_TYPE(unsigned long long, "ulonglong", unsigned long long, false, true);
WORD_TYPE(float, "float", float, false, true);
WORD_TYPE(double, "double", double, false, true);
WORD_TYPE(unsigned short, "ushort", unsigned short, false, false);
WORD_TYPE(__half, "half", __half, false, false);
WORD_TYPE(__nv_bfloat16, "bfloat16", __nv_bfloat16, false, false);
WORD_TYPE(__half2, "half2", __half, false, false);
WORD_TYPE(__nv_bfloat162, "bfloat162", __nv_bfloat16, false, false);
WORD_TYPE(float2, "float2", float, true, true);
WORD_TYPE(float4, "float4", float, true, true);
WORD_TYPE(ulonglong2, "ulonglong2", unsigned long long, true, true);  // for any type of 16 bytes
#undef WORD_TYPE

enum class Scope { device, block, system };

struct Operation {
    std::size_t bytes;       // of a value
    std::size_t unit_bytes;  // of a unit
    // What a step leaves in a unit.
    Bits (*next)(const Bits& old, const Bits& value, const Bits& compare);
    // Equal for units that count as one value: equal bits, but any two sums that are NaN, since
    // which NaN an addition makes differs between processors.
    Bits (*key)(const Bits& unit);
    std::string (*text)(const Bits& unit);
    // The bytes of n operands.
    std::vector<unsigned char> (*draw)(const Operands&, std::size_t n, harness::Generator&);
};

// Any type as bits, and back.
template <typename T>
T from_bits(const Bits& bits) {
    T value{};
    std::memcpy(static_cast<void*>(&value), bits.data(), sizeof(T));
    return value;
}

template <typename T>
std::string text_of(const Bits& bits) {
    if constexpr (std::is_integral_v<T>) {
        return std::to_string(from_bits<T>(bits));
    } else if constexpr (sizeof(T) == 16) {
        return harness::format("0x%016llx'%016llx", static_cast<unsigned long long>(bits[1]),
                               static_cast<unsigned long long>(bits[0]));
    } else if constexpr (std::is_same_v<T, double>) {
        return harness::format("%.12g", from_bits<T>(bits));
    } else {
        return harness::format("%.7g", static_cast<double>(static_cast<float>(from_bits<T>(bits))));
    }
}

inline Bits bits_as_key(const Bits& unit) {
    return unit;
}

template <typename Unit>
Bits key_of_sum(const Bits& unit) {
    const bool is_nan = std::isnan(static_cast<float>(from_bits<Unit>(unit)));
    return is_nan ? Bits{~std::uint64_t{0}, ~std::uint64_t{0}} : unit;
}

template <typename T>
std::vector<unsigned char> draw_bytes(const Operands& operands, std::size_t n,
                                      harness::Generator& generator) {
    using Component = typename WordType<T>::Component;
    return draw_many<Component>(operands, n * sizeof(T) / sizeof(Component), generator);
}

// Function: a struct with next(), as in functions_cpu.hpp. What does not depend on it is above:
// there are many functions, and each instance takes time to compile.
template <typename Function, typename T>
Operation operation() {
    using Component = typename WordType<T>::Component;
    constexpr bool adds = std::is_base_of_v<Add, Function>;
    using Unit = std::conditional_t<adds, Component, T>;
    Operation made{};
    made.bytes = sizeof(T);
    made.unit_bytes = sizeof(Unit);
    made.next = [](const Bits& old, const Bits& value, const Bits& compare) {
        return as_bits(Unit(Function::next(from_bits<Unit>(old), from_bits<Unit>(value),
                                           from_bits<Unit>(compare))));
    };
    if constexpr (adds && !std::is_integral_v<Unit>) {
        made.key = key_of_sum<Unit>;
    } else {
        made.key = bits_as_key;
    }
    made.text = text_of<Unit>;
    made.draw = draw_bytes<T>;
    return made;
}
