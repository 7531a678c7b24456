// The reference: the histogram of bytes on the CPU, and the letters of a text read off it.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

// How often a value occurs. 64 bits: an array of 4 GiB can hold one value more than 2^32 times.
using BinCount = unsigned long long;

constexpr int byte_values = 256;

// counts[v] = how many of the bytes have the value v, for v = 0 .. bins - 1 (bins = 1 .. 256). A
// byte of value >= bins has no bin and is not counted; bins = 128 counts the ASCII characters of a
// text and nothing else (so does the Numba tutorial, part 4).
inline std::vector<BinCount> histogram_cpu(const std::vector<unsigned char>& bytes, int bins) {
    std::vector<BinCount> counts(bins, 0);
    for (const unsigned char value : bytes) {
        if (value < bins) {
            ++counts[value];
        }
    }
    return counts;
}

constexpr int letters = 26;
constexpr int bins_for_letters = 'z' + 1;

// Occurrences of A..Z, upper and lower case together, from a histogram of at least bins_for_letters
// bins.
inline std::array<BinCount, letters> letter_counts(const std::vector<BinCount>& counts) {
    std::array<BinCount, letters> of_letter{};
    for (int i = 0; i < letters; ++i) {
        of_letter[i] = counts['A' + i] + counts['a' + i];
    }
    return of_letter;
}
