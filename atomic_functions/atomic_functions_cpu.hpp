// The reference for the tour of atomic functions, in plain C++: what each function makes of a word,
// whether the steps of many threads can have happened one after another, and what two threads can
// do to a word when their read and their write are two steps.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

// --- the eleven functions
//
// next() is what stands in the word afterwards, given what stood there before and the caller's
// value. Each function returns the old value; only Cas looks at `compare`. (The chapter's section
// 9.2 lists them; its Inc compares by `old > value`, which counts one too far.)

// A value's bits, whatever its type: up to 16 bytes, the rest 0.
using Bits = std::array<std::uint64_t, 2>;

template <typename T>
Bits as_bits(const T& value) {
    static_assert(sizeof(T) <= sizeof(Bits) && std::is_trivially_copyable_v<T>);
    Bits bits{};
    std::memcpy(bits.data(), &value, sizeof(T));
    return bits;
}

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
            // Half and bfloat16: float has more than twice their digits plus two, so that rounding
            // to float and then to 16 bits is the same as rounding once.
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

// --- functions that the toolkit does not have, made from atomicCAS
// (atomic_functions_from_cas.cuh)

// The smaller of two floats. A NaN never wins: the word keeps its number, and a NaN in the word
// gives way to whatever comes. Of -0 and +0 the first one stays.
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
// 754. Numbers as usual, -0 below +0, a NaN beyond the infinity of its sign.
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
        constexpr unsigned most = std::numeric_limits<unsigned>::max();
        return old > most - value ? most : old + value;
    }
};

// --- can these steps have happened one after another?

// What one thread did to the word: it found `before` and left `after`.
struct Step {
    Bits before;
    Bits after;
};

// The answer of serial_order(). Where there is no order, `value` is where it fails.
struct SerialOrder {
    bool exists = true;
    Bits value{};
    std::size_t found = 0;  // how often it was found: by threads, or as the last value
    std::size_t stood = 0;  // how often it came to stand in the word: by threads, or as the first
};

// Atomic means: as if the threads had come one at a time, in some order. Nobody knows the order,
// but it leaves a trace: each thread finds what the one before it left. So draw every value as a
// point and every step as an arrow from `before` to `after`. A serial order is a walk from `first`
// to `last` that uses every arrow once, and such a walk exists exactly if
//   - every value is found as often as it came to stand there (two threads that both found 0,
//     where 0 stood once, have lost an update), and
//   - all arrows hang together with `first`.
// (Euler's theorem on trails in directed graphs.) Takes n log n time for n steps.
inline SerialOrder serial_order(const Bits& first, const std::vector<Step>& steps,
                                const Bits& last) {
    std::vector<Bits> values{first, last};
    for (const Step& step : steps) {
        values.push_back(step.before);
        values.push_back(step.after);
    }
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
    const auto point = [&](const Bits& value) {
        return static_cast<std::size_t>(std::lower_bound(values.begin(), values.end(), value) -
                                        values.begin());
    };

    std::vector<std::size_t> found(values.size());
    std::vector<std::size_t> stood(values.size());
    std::vector<std::size_t> parent(values.size());  // trees of points that hang together
    for (std::size_t v = 0; v < values.size(); ++v) {
        parent[v] = v;
    }
    const auto root = [&](std::size_t v) {
        while (parent[v] != v) {
            v = parent[v] = parent[parent[v]];
        }
        return v;
    };
    ++stood[point(first)];
    ++found[point(last)];
    for (const Step& step : steps) {
        const std::size_t before = point(step.before);
        const std::size_t after = point(step.after);
        ++found[before];
        ++stood[after];
        parent[root(before)] = root(after);
    }
    const std::size_t start = root(point(first));
    for (std::size_t v = 0; v < values.size(); ++v) {
        if (found[v] != stood[v] || root(v) != start) {
            return {false, values[v], found[v], stood[v]};
        }
    }
    return {};
}

// --- two threads, each of which reads the word, adds 1, and writes it back

// One order of their four steps, and what it leads to. The word starts at 0.
struct Interleaving {
    std::string steps;         // "r1 r2 w1 w2": thread 1 reads, thread 2 reads, ...
    std::array<int, 2> old{};  // what each thread read
    int x = 0;                 // what stands in the word at the end
};

// All six of them. (The lecture's table of outcomes has two rows in which both threads read 0 and
// the word ends at 2; no order of the steps leads there.)
inline std::vector<Interleaving> lost_update_interleavings() {
    std::vector<Interleaving> all;
    for (unsigned order = 0; order < 16; ++order) {  // bit k: which thread takes the k-th step
        Interleaving run;
        std::array<int, 2> taken{};
        for (unsigned k = 0; k < 4; ++k) {
            const unsigned thread = order >> k & 1;
            const bool reads = taken[thread]++ == 0;
            if (reads) {
                run.old[thread] = run.x;
            } else {
                run.x = run.old[thread] + 1;
            }
            run.steps += k == 0 ? "" : " ";
            run.steps += reads ? "r" : "w";
            run.steps += std::to_string(thread + 1);
        }
        if (taken[0] == 2 && taken[1] == 2) {
            all.push_back(run);
        }
    }
    return all;
}
