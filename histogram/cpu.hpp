// The histogram on one core of the CPU: the reference.
#pragma once

#include <vector>

#include "bins.hpp"

// counts[v] = how many of the bytes have the value v, for v = 0 ... bins - 1 (bins = 1 ... 256). A
// byte of value >= bins has no bin and is not counted. With 128 bins, the ASCII characters of a
// text are counted and nothing else (as in the Numba tutorial, part 4).
[[gnu::noinline]] inline std::vector<BinCount> histogram_cpu(
    const std::vector<unsigned char>& bytes, int bins) {
    std::vector<BinCount> counts(bins, 0);
    for (const unsigned char value : bytes) {
        if (value < bins) {
            ++counts[value];
        }
    }
    return counts;
}
