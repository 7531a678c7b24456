// What a sheet of graphene is like, counted from its positions, and its text.
#pragma once

#include <algorithm>
#include <cinttypes>
#include <cmath>
#include <cstdio>
#include <limits>
#include <string>
#include <vector>

#include "data/sheet.hpp"

namespace graphene {

// What a sheet is like, counted anew from the positions alone.
struct Facts {
    std::size_t atoms = 0;
    std::vector<int> with_bonds;   // [k]: how many atoms have k neighbours within the cutoff
    double closest_pair = 0;       // angstrom
    double closest_to_cutoff = 0;  // the least |r - 1.9| of all pairs, angstrom
    std::vector<std::string> not_holding;  // the promises that do not hold, in words; hoped empty
};

inline Facts examine(const Sheet& sheet) {
    Facts facts;
    facts.atoms = sheet.atoms.size();
    facts.with_bonds.assign(max_bonds + 1, 0);
    const Cells cells(sheet.atoms);
    const double cutoff_a = static_cast<double>(cutoff) / angstrom;
    facts.closest_pair = facts.closest_to_cutoff = std::numeric_limits<double>::infinity();
    int many_bonds = 0, undecided = 0, close = 0;
    for (int i = 0; i < static_cast<int>(sheet.atoms.size()); ++i) {
        std::size_t bonds = 0;
        cells.near(i, [&](int j, Length r2) {
            const double r = std::sqrt(static_cast<double>(r2)) / angstrom;
            facts.closest_pair = std::min(facts.closest_pair, r);
            facts.closest_to_cutoff = std::min(facts.closest_to_cutoff, std::abs(r - cutoff_a));
            bonds += r2 < cutoff * cutoff;
            undecided += i < j && at_cutoff(r2);
            close += i < j && r2 < too_close * too_close;
        });
        if (bonds >= facts.with_bonds.size()) {
            facts.with_bonds.resize(bonds + 1, 0);
        }
        ++facts.with_bonds[bonds];
        many_bonds += bonds > max_bonds;
    }
    auto promise = [&](bool holds, const std::string& words) {
        if (!holds) {
            facts.not_holding.push_back(words);
        }
    };
    promise(close == 0, std::to_string(close) + " pairs closer than 1.2 angstrom, expected none");
    promise(many_bonds == 0,
            std::to_string(many_bonds) + " atoms with more than 3 neighbours, expected none");
    promise(undecided == 0, std::to_string(undecided) + " pairs at the cutoff, expected none");
    // A perfect sheet of 240 x 240 angstrom has 21,990 atoms.
    const double area = sheet.options.size * sheet.options.size / (240.0 * 240.0);
    const double least = 20000 * area, most = 25000 * area;
    promise(facts.atoms >= least && facts.atoms <= most,
            std::to_string(facts.atoms) + " atoms, expected " + std::to_string(std::lround(least)) +
                " to " + std::to_string(std::lround(most)) + " (too many grains for the size?)");
    return facts;
}

// The facts as text, a line each.
inline std::string describe(const Sheet& sheet, const Facts& facts) {
    char line[200];
    std::snprintf(line, sizeof line, "%zu atoms in %d grains, %g x %g angstrom, seed %" PRIu64 "\n",
                  facts.atoms, sheet.options.grains, sheet.options.size, sheet.options.size,
                  sheet.options.seed);
    std::string text = line;
    for (std::size_t k = 0; k < facts.with_bonds.size(); ++k) {
        std::snprintf(line, sizeof line, "%zu neighbours within 1.9: %d atoms\n", k,
                      facts.with_bonds[k]);
        text += line;
    }
    std::snprintf(line, sizeof line,
                  "closest pair %.6f angstrom; closest to the cutoff: |r - 1.9| = %.6f\n"
                  "removed: %d too close, %d with more than 3 neighbours, %d at the cutoff\n",
                  facts.closest_pair, facts.closest_to_cutoff, sheet.removed_too_close,
                  sheet.removed_many_bonds, sheet.removed_at_cutoff);
    return text + line;
}

// The file's content: a line "x y" for each atom, in angstrom with six decimals.
inline std::string to_text(const std::vector<Atom>& atoms) {
    std::string text;
    char line[64];
    for (const Atom& a : atoms) {
        const int length = std::snprintf(
            line, sizeof line, "%" PRId64 ".%06" PRId64 " %" PRId64 ".%06" PRId64 "\n",
            a.x / angstrom, a.x % angstrom, a.y / angstrom, a.y % angstrom);
        text.append(line, static_cast<std::size_t>(length));
    }
    return text;
}

}  // namespace graphene
