// The atoms of a sheet of polycrystalline graphene, 240 x 240 angstrom: what the chapter reads
// where no file is given. sheet.md describes it.
//
// It is the same sheet with every compiler, to the last digit. Three things make it so: the random
// numbers are raw bits of std::mt19937_64, which the C++ standard fixes (it does not fix its
// distributions); the angles need only + - * / and sqrt (sin and cos differ between math
// libraries); and the lattice vectors are rounded to integers, far coarser than the last bit in
// which a fused multiply-add may differ. From there on all that decides is integers.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <tuple>
#include <vector>

namespace graphene {

using Length = std::int64_t;  // in micro-angstrom
constexpr Length angstrom = 1000000;
constexpr Length size = 240 * angstrom;   // edge of the square sheet
constexpr Length bond = 1420000;          // between nearest carbon atoms
constexpr Length cutoff = 1900000;        // the program's: bonds, no second neighbors
constexpr Length too_close = 1200000;     // nearer than this, one of two atoms goes
constexpr Length strip_height = 2400000;  // of the order of the atoms
constexpr int max_bonds = 3;
constexpr int grains = 8;
// No squared distance of two atoms lies within this fraction of the squared cutoff. A float
// coordinate below 240 is off by at most 2^-17 angstrom, and the squared distance then by less
// than a tenth of it: float and double, fused or not, find the same neighbors.
constexpr double cutoff_margin = 1e-3;

struct Atom {
    Length x, y;
    int grain;
};

inline Length squared(Length dx, Length dy) {
    return dx * dx + dy * dy;
}

// Which grain a point of the sheet belongs to: the one with the nearest seed (a Voronoi cell), the
// first of equals. -1 outside of the sheet. Distances are in whole thousandths of an angstrom.
inline int owner(const std::vector<Atom>& seeds, Length x, Length y) {
    int best = -1;
    Length nearest = std::numeric_limits<Length>::max();
    for (const Atom& seed : seeds) {
        const Length distance = squared((seed.x - x) / 1000, (seed.y - y) / 1000);
        if (distance < nearest) {
            best = seed.grain;
            nearest = distance;
        }
    }
    return x < 0 || y < 0 || x >= size || y >= size ? -1 : best;
}

// Appends the atoms of one grain: a honeycomb with an atom on the grain's seed, turned by twice the
// angle with this tangent.
inline void add_grain(const Atom& seed, double tangent, const std::vector<Atom>& seeds,
                      std::vector<Atom>& atoms) {
    const double t = tangent;
    const double c = (1 - t * t) / (1 + t * t), s = 2 * t / (1 + t * t);
    // Two lattice vectors 60 degrees apart, sqrt(3) bonds long, in 1e-9 angstrom: rounding them to
    // integers strains the lattice by 1e-9 and leaves no floating point in the positions.
    const double a = 1000.0 * bond * std::sqrt(3.0), h = 0.5 * std::sqrt(3.0);
    const Length ux = std::llround(a * c), uy = std::llround(a * s);
    const Length vx = std::llround(a * (0.5 * c - h * s)), vy = std::llround(a * (h * c + 0.5 * s));
    // Each cell of the lattice has two atoms: one at its corner, one in the middle of its first
    // triangle, a bond away.
    const Length px = (ux + vx) / 3, py = (uy + vy) / 3;
    // No point is farther from the seed than a diagonal, which is less than 1.5 edges; and the rows
    // of the lattice are 1.5 bonds apart.
    const Length reach = size / bond + 1;
    for (Length j = -reach; j <= reach; ++j) {
        for (Length i = -reach; i <= reach; ++i) {
            for (int k = 0; k < 2; ++k) {
                const Length x = seed.x + (i * ux + j * vx + k * px) / 1000;
                const Length y = seed.y + (i * uy + j * vy + k * py) / 1000;
                if (owner(seeds, x, y) == seed.grain) {
                    atoms.push_back({x, y, seed.grain});
                }
            }
        }
    }
}

// Sorts the atoms into strips, the lowest first, each from left to right.
inline void sort_into_strips(std::vector<Atom>& atoms) {
    std::sort(atoms.begin(), atoms.end(), [](const Atom& a, const Atom& b) {
        const Length strip_a = a.y / strip_height, strip_b = b.y / strip_height;
        return std::tie(strip_a, a.x, a.y, a.grain) < std::tie(strip_b, b.x, b.y, b.grain);
    });
}

// Of sorted atoms, calls visit(j, squared distance) for every atom j near atom i, but not for i
// itself: those within a strip's height, and some that are farther.
template <class Visit>
void near(const std::vector<Atom>& atoms, std::size_t i, Visit visit) {
    const Atom& a = atoms[i];
    for (Length strip = a.y / strip_height - 1; strip <= a.y / strip_height + 1; ++strip) {
        const auto first = std::partition_point(atoms.begin(), atoms.end(), [&](const Atom& b) {
            const Length strip_b = b.y / strip_height;
            return strip_b < strip || (strip_b == strip && b.x < a.x - strip_height);
        });
        for (auto b = first;
             b != atoms.end() && b->y / strip_height == strip && b->x <= a.x + strip_height; ++b) {
            const auto j = static_cast<std::size_t>(b - atoms.begin());
            if (j != i) {
                visit(j, squared(a.x - b->x, a.y - b->y));
            }
        }
    }
}

// Takes atoms out until the three promises hold: no two closer than 1.2 angstrom, no atom with
// more than three bonds, no pair at the cutoff. One pass for each is enough: to take an atom out
// never brings others closer and never adds a bond, so what a pass has settled stays settled.
inline void thin(std::vector<Atom>& atoms) {
    std::vector<char> gone(atoms.size(), 0);
    for (std::size_t i = 0; i < atoms.size(); ++i) {
        near(atoms, i, [&](std::size_t j, Length r2) {
            gone[j] |= j > i && !gone[i] && r2 < too_close * too_close;
        });
    }
    for (std::size_t i = 0; i < atoms.size(); ++i) {
        int bonds = 0;
        near(atoms, i,
             [&](std::size_t j, Length r2) { bonds += !gone[j] && r2 < cutoff * cutoff; });
        gone[i] |= bonds > max_bonds;
    }
    for (std::size_t i = 0; i < atoms.size(); ++i) {
        near(atoms, i, [&](std::size_t j, Length r2) {
            const double off = static_cast<double>(r2 - cutoff * cutoff);
            gone[i] |= !gone[j] && std::abs(off) <= cutoff_margin * cutoff * cutoff;
        });
    }
    std::size_t kept = 0;
    for (std::size_t i = 0; i < atoms.size(); ++i) {
        if (!gone[i]) {
            atoms[kept++] = atoms[i];
        }
    }
    atoms.resize(kept);
}

// Uniform in [0, 1): the top 53 bits.
inline double uniform(std::mt19937_64& random) {
    return static_cast<double>(random() >> 11) * 0x1p-53;
}

// The atoms of the sheet, a corner at the origin. Takes about 0.1 s.
inline std::vector<Atom> make_sheet() {
    std::mt19937_64 random(1);
    // Each seed is the one of ten random points that is farthest from the seeds before it: grains
    // of about one size, yet irregular.
    std::vector<Atom> seeds;
    for (int grain = 0; grain < grains; ++grain) {
        Atom best{0, 0, grain};
        Length farthest = -1;
        for (int candidate = 0; candidate < 10; ++candidate) {
            const auto x = static_cast<Length>(uniform(random) * size);
            const auto y = static_cast<Length>(uniform(random) * size);
            Length distance = std::numeric_limits<Length>::max();
            for (const Atom& seed : seeds) {
                distance = std::min(distance, squared((x - seed.x) / 1000, (y - seed.y) / 1000));
            }
            if (distance > farthest) {
                best = {x, y, grain};
                farthest = distance;
            }
        }
        seeds.push_back(best);
    }
    // The angles, of 0 to 60 degrees (then a honeycomb repeats itself), step by the golden ratio:
    // no two of the eight are closer than 4 degrees.
    std::vector<Atom> atoms;
    double turn = uniform(random);
    for (const Atom& seed : seeds) {
        add_grain(seed, turn / std::sqrt(3.0), seeds, atoms);
        turn += 0.6180339887498949;
        turn -= std::floor(turn);
    }
    sort_into_strips(atoms);
    thin(atoms);
    return atoms;
}

}  // namespace graphene
