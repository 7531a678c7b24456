// The letters of a text, and a picture of them as bars.
#pragma once

#include <algorithm>
#include <array>
#include <ostream>
#include <string>
#include <vector>

#include "harness/check.hpp"
#include "histogram/bins.hpp"

constexpr int letters = 26;
constexpr int bins_for_letters = 'z' + 1;

// Occurrences of A ... Z, upper and lower case together, from a histogram of at least
// bins_for_letters bins.
inline std::array<BinCount, letters> letter_counts(const std::vector<BinCount>& counts) {
    std::array<BinCount, letters> of_letter{};
    for (int i = 0; i < letters; ++i) {
        of_letter[i] = counts['A' + i] + counts['a' + i];
    }
    return of_letter;
}

// Writes a line for each letter: its count, its share of all letters, and a bar; the longest bar
// has 50 characters. A letter that occurs has at least one.
inline void print_letters(std::ostream& out, const std::array<BinCount, letters>& counts) {
    constexpr int max_bar = 50;
    BinCount total = 0;
    BinCount max_count = 0;
    for (const BinCount count : counts) {
        total += count;
        max_count = std::max(max_count, count);
    }
    out << harness::format("%llu letters, upper and lower case together\n", total);
    for (int i = 0; i < letters; ++i) {
        const double share = total == 0 ? 0 : static_cast<double>(counts[i]) / total;
        const double part = max_count == 0 ? 0 : static_cast<double>(counts[i]) / max_count;
        const int bar = counts[i] == 0 ? 0 : std::max(1, static_cast<int>(part * max_bar + 0.5));
        out << harness::format("%c %12llu %6.2f %%", 'A' + i, counts[i], 100 * share)
            << (bar > 0 ? "  " + std::string(bar, '#') : "") << '\n';
    }
}
