// What each atomic function leaves in the word, in plain C++: the reference for the checks.
//
// next() is the new value, given the old value and the caller's value. Every function returns the
// old value; only Cas looks at `compare`. Source: CUDA C++ Programming Guide, "Atomic Functions";
// Fan, CUDA Programming, section 9.2, whose Inc compares by `old > value`, which counts one too
// far.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include "atomic_functions/more/serial_order.hpp"

struct Add {
    static constexpr const char* name = "Add";
    template <typename T>
    static T next(T old, T value, T) {
        if constexpr (std::is_integral_v<T>) {
            using Unsigned = std::make_unsigned_t<T>;  // wraps around, as the hardware does
            return static_cast<T>(static_cast<Unsigned>(old) + static_cast<Unsigned>(value));
        } else if constexpr (std::is_floating_point_v<T>) {
            return old + value;
        } else {
            // Half and bfloat16: float has more than twice their digits plus two, so rounding to
            // float and then to 16 bits is the same as rounding once.
            return T(static_cast<float>(old) + static_cast<float>(value));
        }
    }
};

struct Sub {
    static constexpr const char* name = "Sub";
    template <typename T>
    static T next(T old, T value, T) {
        using Unsigned = std::make_unsigned_t<T>;
        return static_cast<T>(static_cast<Unsigned>(old) - static_cast<Unsigned>(value));
    }
};

struct Exch {
    static constexpr const char* name = "Exch";
    template <typename T>
    static T next(T, T value, T) {
        return value;
    }
};

struct Min {
    static constexpr const char* name = "Min";
    template <typename T>
    static T next(T old, T value, T) {
        return value < old ? value : old;
    }
};

struct Max {
    static constexpr const char* name = "Max";
    template <typename T>
    static T next(T old, T value, T) {
        return value > old ? value : old;
    }
};

// Counts 0, 1, ..., value, 0, 1, ...: a ring of value + 1 numbers.
struct Inc {
    static constexpr const char* name = "Inc";
    template <typename T>
    static T next(T old, T value, T) {
        return old >= value ? T(0) : old + 1;
    }
};

// Counts value, ..., 1, 0, value, ...; a number above the ring is brought back into it.
struct Dec {
    static constexpr const char* name = "Dec";
    template <typename T>
    static T next(T old, T value, T) {
        return old == 0 || old > value ? value : old - 1;
    }
};

// Compare and swap. It compares bits.
struct Cas {
    static constexpr const char* name = "CAS";
    template <typename T>
    static T next(T old, T value, T compare) {
        return as_bits(old) == as_bits(compare) ? value : old;
    }
};

struct And {
    static constexpr const char* name = "And";
    template <typename T>
    static T next(T old, T value, T) {
        return old & value;
    }
};

struct Or {
    static constexpr const char* name = "Or";
    template <typename T>
    static T next(T old, T value, T) {
        return old | value;
    }
};

struct Xor {
    static constexpr const char* name = "Xor";
    template <typename T>
    static T next(T old, T value, T) {
        return old ^ value;
    }
};

// --- functions that the toolkit does not have

// The smaller of two floats. A NaN is never smaller: the word keeps its number, and a NaN in the
// word gives way to any value. Of -0 and +0 the first one stays.
struct FloatMin {
    static constexpr const char* name = "Min";
    static float next(float old, float value, float) {
        return value < old || old != old ? value : old;
    }
};

struct FloatMax {
    static constexpr const char* name = "Max";
    static float next(float old, float value, float) {
        return value > old || old != old ? value : old;
    }
};

// Floats in the order of their bits: read as an unsigned integer, this is the totalOrder of IEEE
// 754. Numbers as usual, -0 below +0, and a NaN beyond the infinity of its sign.
inline std::uint32_t total_order(float x) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, &x, sizeof bits);
    return bits >> 31 != 0 ? ~bits : bits | 0x80000000u;
}

struct TotalMin {
    static constexpr const char* name = "Min";
    static float next(float old, float value, float) {
        return total_order(value) < total_order(old) ? value : old;
    }
};

struct TotalMax {
    static constexpr const char* name = "Max";
    static float next(float old, float value, float) {
        return total_order(value) > total_order(old) ? value : old;
    }
};

// Stays at the largest number instead of wrapping around.
struct SaturatingAdd {
    static constexpr const char* name = "SaturatingAdd";
    static unsigned next(unsigned old, unsigned value, unsigned) {
        constexpr unsigned max = std::numeric_limits<unsigned>::max();
        return old > max - value ? max : old + value;
    }
};
