// The letters of a text as bars.
#pragma once

#include <algorithm>
#include <array>
#include <ostream>
#include <string>

#include "common/check.hpp"
#include "histogram/histogram_cpu.hpp"

// Writes a line for each letter: its count, its share of all letters, and a bar; the longest bar
// has 50 characters. A letter that occurs has at least one.
inline void print_letters(std::ostream& out, const std::array<BinCount, letters>& counts) {
    constexpr int longest = 50;
    BinCount total = 0;
    BinCount most = 0;
    for (const BinCount count : counts) {
        total += count;
        most = std::max(most, count);
    }
    out << format("%llu letters, upper and lower case together\n", total);
    for (int i = 0; i < letters; ++i) {
        const double share = total == 0 ? 0 : static_cast<double>(counts[i]) / total;
        const double part = most == 0 ? 0 : static_cast<double>(counts[i]) / most;
        const int bar = counts[i] == 0 ? 0 : std::max(1, static_cast<int>(part * longest + 0.5));
        out << format("%c %12llu %6.2f %%", 'A' + i, counts[i], 100 * share)
            << (bar > 0 ? "  " + std::string(bar, '#') : "") << '\n';
    }
}
