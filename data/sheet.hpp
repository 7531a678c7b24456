// A sheet of graphene: its atoms, the distances that it promises, and how to find the atoms near an
// atom. graphene.hpp makes one, facts.hpp says what it is like.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

namespace graphene {

// All lengths are whole numbers of micro-angstrom, the last decimal that the file holds: what is
// checked here is exactly what a reader of the file gets.
using Length = std::int64_t;
constexpr Length angstrom = 1000000;

constexpr Length bond = 1420000;       // between nearest carbon atoms
constexpr Length cutoff = 1900000;     // the neighbour list's default: bonds, no second neighbours
constexpr Length too_close = 1200000;  // nearer than this, one of two atoms goes
constexpr int max_bonds = 3;

// No squared distance lies within this fraction of the squared cutoff. Why 1e-3: a float
// coordinate below 8192 is off by at most ulp / 2 = 2^-12 angstrom, so dx and dy are off by up to
// 2^-11 each and the squared distance by up to 2 * sqrt(2) * 2^-11 / 1.9 = 7.3e-4 of itself.
// Float and double, fused or not, then agree on every pair of every sheet made here.
constexpr double cutoff_margin = 1e-3;
constexpr double min_size = 20.0, max_size = 8192.0;  // edge of the sheet, angstrom
constexpr int max_grains = 10000;

struct Options {
    std::uint64_t seed = 1;
    double size = 240.0;   // edge of the square sheet, angstrom, min_size to max_size
    int grains = 8;        // 1 to max_grains
    bool shuffle = false;  // the same atoms, in random order
};

struct Atom {
    Length x, y;
    int grain;
};

struct Sheet {
    Options options;
    std::vector<Atom> atoms;
    // How many atoms each rule took out at the grain boundaries.
    int removed_too_close = 0, removed_many_bonds = 0, removed_at_cutoff = 0;
};

// Exact, for atoms near each other: past 2,000 angstrom the squares do not fit 64 bits.
inline Length squared_distance(const Atom& a, const Atom& b) {
    const Length dx = a.x - b.x, dy = a.y - b.y;
    return dx * dx + dy * dy;
}

// The same for any two points of a sheet, in thousandths of an angstrom.
inline Length coarse_r2(Length dx, Length dy) {
    return dx / 1000 * (dx / 1000) + dy / 1000 * (dy / 1000);
}

inline bool at_cutoff(Length r2) {
    constexpr Length c2 = cutoff * cutoff;
    return std::abs(static_cast<double>(r2 - c2)) <= cutoff_margin * static_cast<double>(c2);
}

// Uniform in [0, 1): the top 53 bits, because std::uniform_real_distribution may differ.
inline double uniform(std::mt19937_64& random) {
    return static_cast<double>(random() >> 11) * 0x1p-53;
}

// Finds the atoms near an atom by looking into 3 x 3 square cells: all within 2.4 angstrom, some
// farther. 2.4 is past the cutoff by as much as a bond is below it (0.48, and a little), so the
// pair whose distance is closest to the cutoff is always among them.
class Cells {
  public:
    explicit Cells(const std::vector<Atom>& atoms) : atoms_(atoms), next_(atoms.size(), -1) {
        Length end = 0;
        for (const Atom& a : atoms) {
            end = std::max({end, a.x, a.y});
        }
        across_ = end / edge + 1;
        first_.assign(static_cast<std::size_t>(across_ * across_), -1);
        for (std::size_t i = atoms.size(); i-- > 0;) {
            int& head = first_[cell(atoms[i].x / edge, atoms[i].y / edge)];
            next_[i] = std::exchange(head, static_cast<int>(i));
        }
    }

    // Calls visit(j, squared distance) for every atom j near atom i, but not for i itself.
    template <class Visit>
    void near(int i, Visit visit) const {
        const Atom& a = atoms_[i];
        const Length cx = a.x / edge, cy = a.y / edge;
        for (Length y = std::max<Length>(cy - 1, 0); y <= std::min(cy + 1, across_ - 1); ++y) {
            for (Length x = std::max<Length>(cx - 1, 0); x <= std::min(cx + 1, across_ - 1); ++x) {
                for (int j = first_[cell(x, y)]; j >= 0; j = next_[j]) {
                    if (j != i) {
                        visit(j, squared_distance(a, atoms_[j]));
                    }
                }
            }
        }
    }

    static constexpr Length edge = 2400000;

  private:
    std::size_t cell(Length cx, Length cy) const {
        return static_cast<std::size_t>(cy * across_ + cx);
    }

    const std::vector<Atom>& atoms_;
    Length across_ = 1;
    std::vector<int> first_, next_;  // a chain of atoms for each cell
};

}  // namespace graphene
