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
#include <cinttypes>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <random>
#include <stdexcept>
#include <string>
#include <tuple>
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
