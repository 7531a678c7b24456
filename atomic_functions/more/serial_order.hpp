// Can the steps of many threads have happened one after the other? Only then they were atomic.
// checks.md beside the chapter's README.md explains the idea, with a picture.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <vector>

// A value's bits, whatever its type: up to 16 bytes, the rest 0.
using Bits = std::array<std::uint64_t, 2>;

template <typename T>
Bits as_bits(const T& value) {
    static_assert(sizeof(T) <= sizeof(Bits) && std::is_trivially_copyable_v<T>);
    Bits bits{};
    std::memcpy(bits.data(), &value, sizeof(T));
    return bits;
}

// What one thread did to the word: it found `before` and left `after`.
struct Step {
    Bits before;
    Bits after;
};

// The answer of serial_order(). Where there is no order, `value` is a value that shows it.
struct SerialOrder {
    bool exists = true;
    Bits value{};
    std::size_t read = 0;  // how often it was read: by threads, or as the last value
    std::size_t held = 0;  // how often the word came to hold it: by threads, or as the first value
};

// Is there an order in which each thread reads what the one before it left, from `first` to `last`?
//
// Draw every value as a point, and every step as an arrow from `before` to `after`. Such an order
// is a walk from `first` to `last` that uses every arrow once. It exists exactly if
//   - every value is read as often as the word came to hold it, and
//   - every arrow can be reached from `first`
// (Euler's theorem on walks in directed graphs). Takes n log n time for n steps.
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

    std::vector<std::size_t> read(values.size());
    std::vector<std::size_t> held(values.size());
    std::vector<std::size_t> parent(values.size());  // trees of connected points
    for (std::size_t v = 0; v < values.size(); ++v) {
        parent[v] = v;
    }
    const auto root = [&](std::size_t v) {
        while (parent[v] != v) {
            v = parent[v] = parent[parent[v]];
        }
        return v;
    };
    ++held[point(first)];
    ++read[point(last)];
    for (const Step& step : steps) {
        const std::size_t before = point(step.before);
        const std::size_t after = point(step.after);
        ++read[before];
        ++held[after];
        parent[root(before)] = root(after);
    }
    const std::size_t start = root(point(first));
    for (std::size_t v = 0; v < values.size(); ++v) {
        if (read[v] != held[v] || root(v) != start) {
            return {false, values[v], read[v], held[v]};
        }
    }
    return {};
}
