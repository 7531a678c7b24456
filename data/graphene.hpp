// A sheet of polycrystalline graphene, made from a seed: the input of the neighbour list example.
//
// Graphene is a honeycomb of carbon atoms, each bonded to three others 1.42 angstrom away. A real
// sheet is a patchwork of grains: the same honeycomb everywhere, but turned by another angle in
// each grain. Where two grains meet the honeycombs do not fit, and atoms there have fewer bonds.
//
// The same seed gives the same bytes with every compiler. Three things make it so: the random
// numbers are raw bits of std::mt19937_64, which the C++ standard fixes (it does not fix its
// distributions); the angles need only + - * / and sqrt (sin and cos differ between math
// libraries); and the lattice vectors are rounded to integers, far coarser than the last bit in
// which a fused multiply-add may differ. From there on all that decides is integers.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <stdexcept>
#include <tuple>
#include <utility>
#include <vector>

#include "data/sheet.hpp"

namespace graphene {

// Which grain a point belongs to: the one with the nearest seed (Voronoi cells). The sheet is cut
// into tiles that each keep the few grains that can own a point in them: a million atoms in
// hundreds of grains then take little longer than in one.
class Grains {
  public:
    Grains(std::vector<Atom> seeds, Length size)
        : seeds_(std::move(seeds)), across_((size - 1) / tile + 1), size_(size) {
        std::vector<double> distance(seeds_.size());
        for (Length t = 0; t < across_ * across_; ++t) {
            const Length x = t % across_ * tile + tile / 2, y = t / across_ * tile + tile / 2;
            for (std::size_t g = 0; g < seeds_.size(); ++g) {
                distance[g] =
                    std::sqrt(static_cast<double>(coarse_r2(seeds_[g].x - x, seeds_[g].y - y)));
            }
            // A point is at most half a diagonal from its tile's centre, so its owner is at most
            // a diagonal (1.42 edges) farther from the centre than the centre's own.
            const double limit =
                *std::min_element(distance.begin(), distance.end()) + 1.5 * (tile / 1000);
            candidates_.emplace_back();
            for (std::size_t g = 0; g < seeds_.size(); ++g) {
                if (distance[g] <= limit) {
                    candidates_.back().push_back(static_cast<int>(g));
                }
            }
        }
    }

    // The grain that owns a point of the sheet, the first of equals; -1 outside of the sheet.
    int owner(Length x, Length y) const {
        if (x < 0 || y < 0 || x >= size_ || y >= size_) {
            return -1;
        }
        int best = -1;
        Length best_r2 = std::numeric_limits<Length>::max();
        for (int g : candidates_[y / tile * across_ + x / tile]) {
            const Length r2 = coarse_r2(seeds_[g].x - x, seeds_[g].y - y);
            if (r2 < best_r2) {
                best = g;
                best_r2 = r2;
            }
        }
        return best;
    }

    // For each grain the box {x0, y0, x1, y1} of the tiles in which it may own a point.
    std::vector<std::vector<Length>> boxes() const {
        std::vector<std::vector<Length>> boxes(seeds_.size(), {size_, size_, 0, 0});
        for (Length t = 0; t < across_ * across_; ++t) {
            const Length x = t % across_ * tile, y = t / across_ * tile;
            for (int g : candidates_[t]) {
                boxes[g] = {std::min(boxes[g][0], x), std::min(boxes[g][1], y),
                            std::max(boxes[g][2], x + tile), std::max(boxes[g][3], y + tile)};
            }
        }
        return boxes;
    }

    static constexpr Length tile = 16 * angstrom;

  private:
    std::vector<Atom> seeds_;
    Length across_, size_;
    std::vector<std::vector<int>> candidates_;
};

// Appends the atoms of one grain: a honeycomb with an atom on the grain's seed, turned by an angle
// between 0 and 60 degrees (after 60 degrees a honeycomb repeats itself).
inline void add_grain(const Atom& seed, double half_tangent, const Grains& grains,
                      const std::vector<Length>& box, std::vector<Atom>* atoms) {
    // cos and sin from t = tan(angle / 2).
    const double t = half_tangent;
    const double c = (1 - t * t) / (1 + t * t), s = 2 * t / (1 + t * t);
    // Two lattice vectors 60 degrees apart, sqrt(3) bonds long, in 1e-9 angstrom: rounding them to
    // integers strains the lattice by 1e-9 and leaves no floating point in the positions.
    const double a = 1000.0 * bond * std::sqrt(3.0), h = 0.5 * std::sqrt(3.0);
    const Length ux = std::llround(a * c), uy = std::llround(a * s);
    const Length vx = std::llround(a * (0.5 * c - h * s)), vy = std::llround(a * (h * c + 0.5 * s));
    // Each cell of the lattice holds two atoms: one at its corner, one in the middle of its first
    // triangle, a bond away.
    const Length px = (ux + vx) / 3, py = (uy + vy) / 3;

    // The box in lattice coordinates (i, j): extremes at its corners; one more for the rounding.
    const double det = static_cast<double>(ux) * vy - static_cast<double>(uy) * vx;
    double i0 = 0, i1 = 0, j0 = 0, j1 = 0;
    for (int corner = 0; corner < 4; ++corner) {
        const double x = 1000.0 * (box[corner % 2 * 2] - seed.x);
        const double y = 1000.0 * (box[corner / 2 * 2 + 1] - seed.y);
        const double i = (x * vy - y * vx) / det, j = (y * ux - x * uy) / det;
        i0 = std::min(i0, i), i1 = std::max(i1, i);
        j0 = std::min(j0, j), j1 = std::max(j1, j);
    }
    for (Length j = std::llround(j0) - 2; j <= std::llround(j1) + 2; ++j) {
        for (Length i = std::llround(i0) - 2; i <= std::llround(i1) + 2; ++i) {
            for (int k = 0; k < 2; ++k) {
                const Length x = seed.x + (i * ux + j * vx + k * px) / 1000;
                const Length y = seed.y + (i * uy + j * vy + k * py) / 1000;
                if (grains.owner(x, y) == seed.grain) {
                    atoms->push_back({x, y, seed.grain});
                }
            }
        }
    }
}

// Takes atoms out until the three promises hold: no two closer than 1.2 angstrom, no atom with
// more than three bonds, no pair at the cutoff. One pass for each is enough: taking an atom out
// never brings others closer nor adds a bond, so what a pass has settled stays settled.
inline void thin(Sheet* sheet) {
    const Cells cells(sheet->atoms);
    const int n = static_cast<int>(sheet->atoms.size());
    std::vector<char> gone(n, 0);
    for (int i = 0; i < n; ++i) {
        cells.near(i, [&](int j, Length r2) {
            if (j > i && !gone[i] && !gone[j] && r2 < too_close * too_close) {
                gone[j] = 1;
                ++sheet->removed_too_close;
            }
        });
    }
    for (int i = 0; i < n; ++i) {
        int bonds = 0;
        cells.near(i, [&](int j, Length r2) { bonds += !gone[j] && r2 < cutoff * cutoff; });
        if (!gone[i] && bonds > max_bonds) {
            gone[i] = 1;
            ++sheet->removed_many_bonds;
        }
    }
    for (int i = 0; i < n; ++i) {
        bool undecided = false;
        cells.near(i, [&](int j, Length r2) { undecided |= !gone[j] && at_cutoff(r2); });
        if (!gone[i] && undecided) {
            gone[i] = 1;
            ++sheet->removed_at_cutoff;
        }
    }
    std::vector<Atom> kept;
    for (int i = 0; i < n; ++i) {
        if (!gone[i]) {
            kept.push_back(sheet->atoms[i]);
        }
    }
    sheet->atoms = std::move(kept);
}

// Makes the sheet: options.size x options.size angstrom, a corner at the origin. Atoms stand in
// strips 2.4 angstrom high, left to right, the lowest strip first, unless they are shuffled.
// Throws std::invalid_argument where an option is out of its range. A million atoms take a second.
inline Sheet make_sheet(const Options& options) {
    if (!(options.size >= min_size && options.size <= max_size)) {
        throw std::invalid_argument("size must be 20 to 8192 angstrom");
    }
    if (options.grains < 1 || options.grains > max_grains) {
        throw std::invalid_argument("grains must be 1 to 10000");
    }
    const Length size = std::llround(options.size * angstrom);
    std::mt19937_64 random(options.seed);
    // Each seed is the one of ten random points that is farthest from the seeds before it: grains
    // of about one size, yet irregular. The angles step through their range by the golden ratio,
    // which keeps any number of them apart (eight of them by more than 4 degrees).
    std::vector<Atom> seeds;
    for (int g = 0; g < options.grains; ++g) {
        Atom best{0, 0, g};
        Length best_r2 = -1;
        for (int candidate = 0; candidate < 10; ++candidate) {
            const double x = uniform(random), y = uniform(random);
            const Atom a{static_cast<Length>(x * size), static_cast<Length>(y * size), g};
            Length r2 = std::numeric_limits<Length>::max();
            for (const Atom& s : seeds) {
                r2 = std::min(r2, coarse_r2(a.x - s.x, a.y - s.y));
            }
            if (r2 > best_r2) {
                best = a;
                best_r2 = r2;
            }
        }
        seeds.push_back(best);
    }
    double turn = uniform(random);

    Sheet sheet;
    sheet.options = options;
    const Grains grains(seeds, size);
    const std::vector<std::vector<Length>> boxes = grains.boxes();
    for (int g = 0; g < options.grains; ++g) {
        // tan(0) to tan(30 degrees) evenly is not quite evenly in angle; any spread will do here.
        add_grain(seeds[g], turn / std::sqrt(3.0), grains, boxes[g], &sheet.atoms);
        turn += 0.6180339887498949;
        turn -= std::floor(turn);
    }
    std::sort(sheet.atoms.begin(), sheet.atoms.end(), [](const Atom& a, const Atom& b) {
        const Length strip_a = a.y / Cells::edge, strip_b = b.y / Cells::edge;
        return std::tie(strip_a, a.x, a.y, a.grain) < std::tie(strip_b, b.x, b.y, b.grain);
    });
    thin(&sheet);
    if (options.shuffle) {
        // Fisher and Yates; std::shuffle is free to draw its numbers in its own way.
        for (std::size_t i = sheet.atoms.size(); i > 1; --i) {
            std::swap(sheet.atoms[i - 1], sheet.atoms[random() % i]);
        }
    }
    return sheet;
}

}  // namespace graphene
