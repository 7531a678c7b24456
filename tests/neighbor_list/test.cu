// Every variant of neighbor_list against the CPU reference, the grids, and the files.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <limits>
#include <memory>
#include <numeric>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "common/scan.cuh"
#include "harness/inputs.hpp"
#include "neighbor_list/input.hpp"
#include "neighbor_list/variants.cuh"
#include "tests/device_test.cuh"

using namespace common;
using namespace harness;

// Atoms that ghost_bins has left to its third kernel, because their bin did not fit in shared
// memory.
template <typename T>
__global__ void count_atoms_without_room(BinTiles<T> tiles, int* d_count) {
    const int n = blockIdx.x * blockDim.x + threadIdx.x;
    if (n < tiles.N) {
        const BinSlot<T>& slot = tiles.d_slots[tiles.first_slot(n / tile_size) + tiles.d_places[n]];
        if (slot.found.marked_count >= 0) {
            atomicAdd(d_count, 1);
        }
    }
}

namespace {

template <typename T>
constexpr T cutoff = static_cast<T>(1.9);

// Words before and after the lists that no kernel may touch: more than the threads that a grid can
// have after the last atom.
constexpr std::size_t guard = 1100;

template <typename T>
struct Input {
    std::string name;
    Atoms<T> atoms;
    int MN;
};

// Places along a line, `step` angstrom apart.
template <typename T>
Atoms<T> line_of_atoms(std::size_t n, double step) {
    Atoms<T> atoms;
    for (std::size_t i = 0; i < n; ++i) {
        atoms.x.push_back(static_cast<T>(step * static_cast<double>(i)));
        atoms.y.push_back(T(-3));
    }
    return atoms;
}

// Random points around `centers` places that lie far apart.
template <typename T>
Atoms<T> clusters(std::size_t n, std::size_t centers, double distance) {
    Atoms<T> atoms = random_atoms<T>(n, 11);
    for (std::size_t i = 0; i < n; ++i) {
        const auto center = static_cast<double>(i % centers);
        atoms.x[i] = static_cast<T>(atoms.x[i] + distance * center);
        atoms.y[i] = static_cast<T>(atoms.y[i] - distance * center);
    }
    return atoms;
}

// The usual kinds: in order and shuffled, with room for every atom's neighbors.
template <typename T>
std::vector<Input<T>> usual_inputs(std::size_t n) {
    std::vector<Input<T>> all;
    all.push_back({"sheet", sheet<T>(n), 10});
    all.push_back({"sheet, shuffled", sheet<T>(n), 10});
    shuffle_atoms(all.back().atoms, 1);
    all.push_back({"random, seed 2", random_atoms<T>(n, 2), 24});
    return all;
}

// And those that a kernel may trip over.
template <typename T>
std::vector<Input<T>> all_inputs(std::size_t n) {
    std::vector<Input<T>> all = usual_inputs<T>(n);
    all.push_back({"random, seed 3", random_atoms<T>(n, 3), 24});
    all.push_back({"random, no room for most", random_atoms<T>(n, 4), 3});
    all.push_back({"room for one", random_atoms<T>(n, 5), 1});
    all.push_back({"a line", line_of_atoms<T>(n, 0.7), 10});
    all.push_back({"no neighbors", line_of_atoms<T>(n, 1.95), 10});
    all.push_back({"two clusters, far apart", clusters<T>(n, 2, 1e6), 24});
    all.push_back({"all at one point", {std::vector<T>(n, T(-7)), std::vector<T>(n, T(8))}, 10});
    Input<T> twice{"every atom twice", random_atoms<T>(n, 6), 32};
    for (std::size_t i = 1; i < n; i += 2) {
        twice.atoms.x[i] = twice.atoms.x[i - 1];
        twice.atoms.y[i] = twice.atoms.y[i - 1];
    }
    all.push_back(std::move(twice));
    // Differences overflow to infinity here, and must not become NaN.
    Input<T> huge{"the ends of the number range", random_atoms<T>(n, 7), 24};
    for (std::size_t i = 0; i < n; i += 3) {
        huge.atoms.x[i] = std::numeric_limits<T>::lowest();
        huge.atoms.y[i] = std::numeric_limits<T>::max();
    }
    for (std::size_t i = 1; i < n; i += 5) {
        huge.atoms.x[i] = std::numeric_limits<T>::max();
    }
    for (std::size_t i = 2; i < n; i += 7) {
        huge.atoms.y[i] = std::numeric_limits<T>::lowest();
    }
    all.push_back(std::move(huge));
    return all;
}

// The least N at which kinds are left out, since all pairs of many atoms take long.
constexpr std::size_t many = 200;
constexpr std::size_t very_many = 4000;

template <typename T>
void check_variant(const VariantCase<NeighborProblem<T>>& test_case,
                   const std::function<void()>& count) {
    const bool thorough = std::getenv("THOROUGH") != nullptr;
    for (const std::size_t n : tested_lengths(test_case.block_size)) {
        if (n > 2 * very_many && !thorough) {
            break;  // all pairs of so many take long; InALargeSheet has more, for the others
        }
        std::vector<Input<T>> inputs = n < many ? all_inputs<T>(n) : usual_inputs<T>(n);
        if (n > very_many) {
            inputs = {inputs[1]};  // the shuffled sheet
        }
        for (const Input<T>& input : inputs) {
            SCOPED_TRACE(input.name + ", n = " + std::to_string(n));
            NeighborProblem<T> problem(input.atoms, cutoff<T>, input.MN, "", guard,
                                       FullList::holds);
            if (!why_skipped(test_case.variant, problem).empty()) {
                continue;
            }
            const Verdict verdict = run_and_check(test_case.variant, problem, test_case.block_size);
            EXPECT_EQ(verdict.outcome, Outcome::ok) << verdict.detail;
            count();
        }
    }
}

using NeighborsFloat = VariantTest<NeighborProblem<float>>;
using NeighborsDouble = VariantTest<NeighborProblem<double>>;
class WrongNeighbors : public VariantTest<NeighborProblem<float>> {};

TEST_P(NeighborsFloat, EqualReference) {
    check_variant<float>(GetParam(), [this] { count_combination(); });
}
INSTANTIATE_TEST_SUITE_P(Float, NeighborsFloat,
                         testing::ValuesIn(right_cases(neighbor_variants<float>())),
                         case_name<NeighborProblem<float>>);

TEST_P(NeighborsDouble, EqualReference) {
    check_variant<double>(GetParam(), [this] { count_combination(); });
}
INSTANTIATE_TEST_SUITE_P(Double, NeighborsDouble,
                         testing::ValuesIn(right_cases(neighbor_variants<double>())),
                         case_name<NeighborProblem<double>>);

// A wrong variant must fail the check that the right ones pass.
TEST_P(WrongNeighbors, FailTheCheck) {
    const Atoms<float> atoms = random_atoms<float>(1009, 1);
    NeighborProblem<float> problem(atoms, cutoff<float>, 24);
    const Verdict verdict = run_and_check(GetParam().variant, problem, GetParam().block_size);
    EXPECT_EQ(verdict.outcome, Outcome::wrong) << verdict.detail;
}
INSTANTIATE_TEST_SUITE_P(Wrong, WrongNeighbors,
                         testing::ValuesIn(cases_of_kind(neighbor_variants<float>(),
                                                         Kind::wrong_result, 128)),
                         case_name<NeighborProblem<float>>);

class Neighbors : public DeviceTest {};

// Calls body(variant) for every right variant of the table.
template <typename T, typename Body>
void for_each_right_variant(Body body) {
    for (const auto& variant : neighbor_variants<T>()) {
        if (is_right(variant.kind)) {
            SCOPED_TRACE(variant.name);
            body(variant);
        }
    }
}

// Does the variant test all pairs? That takes long where the atoms are many.
template <typename T>
bool tests_all_pairs(const Variant<NeighborProblem<T>>& variant) {
    return variant.skip_reason == skip_beyond_all_pairs<T>;
}

// Does this pair tell a fused multiply-add from two roundings, as g++ has it by itself?
template <typename T>
bool tells_fma(T x1, T y1, T x2, T y2) {
    constexpr T c2 = cutoff<T> * cutoff<T>;
    const T dx2 = (x2 - x1) * (x2 - x1);
    const T dy2 = (y2 - y1) * (y2 - y1);
    return within_cutoff(x1, y1, x2, y2, c2) != (dx2 + dy2 < c2);
}

// Pairs whose distance is the cutoff up to a few units in the last place, each pair far from the
// others; among them as many as can be found quickly on which rounding decides.
template <typename T>
Atoms<T> pairs_at_the_cutoff(std::size_t pairs) {
    Generator generator(21);
    Atoms<T> atoms;
    for (std::size_t i = 0; i < pairs; ++i) {
        T x1 = 0, y1 = 0, x2 = 0, y2 = 0;
        for (int attempt = 0; attempt < 64 && !tells_fma(x1, y1, x2, y2); ++attempt) {
            const double angle = 2 * 3.14159265358979 * uniform(generator);
            const T length = cutoff<T> * (1 + std::numeric_limits<T>::epsilon() *
                                                  static_cast<T>(4 * uniform(generator) - 2));
            x1 = static_cast<T>(10.0 * static_cast<double>(i % 32) + uniform(generator));
            y1 = static_cast<T>(10.0 * static_cast<double>(i / 32) + uniform(generator));
            x2 = x1 + length * static_cast<T>(std::cos(angle));
            y2 = y1 + length * static_cast<T>(std::sin(angle));
        }
        atoms.x.insert(atoms.x.end(), {x1, x2});
        atoms.y.insert(atoms.y.end(), {y1, y2});
    }
    return atoms;
}

template <typename T>
void check_pairs_at_the_cutoff(const std::function<void()>& count) {
    const Atoms<T> atoms = pairs_at_the_cutoff<T>(1000);
    std::size_t telling = 0;
    for (std::size_t i = 0; i < atoms.x.size(); i += 2) {
        telling += tells_fma(atoms.x[i], atoms.y[i], atoms.x[i + 1], atoms.y[i + 1]);
    }
    EXPECT_GT(telling, 50u);
    NeighborProblem<T> problem(atoms, cutoff<T>, 2, "", guard);
    const int inside =
        std::accumulate(problem.reference().NN.begin(), problem.reference().NN.end(), 0);
    EXPECT_GT(inside, 300);
    EXPECT_LT(inside, 1700);
    for_each_right_variant<T>([&](const auto& variant) {
        const Verdict verdict = run_and_check(variant, problem);
        EXPECT_EQ(verdict.outcome, Outcome::ok) << verdict.detail;
        count();
    });
}

// The same verdict on every pair, bit for bit, also where rounding decides.
TEST_F(Neighbors, AgreeAtTheCutoff) {
    check_pairs_at_the_cutoff<float>([this] { count_combination(); });
    check_pairs_at_the_cutoff<double>([this] { count_combination(); });
}

// A crowd of 40 with room for 3, at the beginning, in the middle or at the end of the list. A
// kernel that checks the room after the write would write to the lists of others, and those of the
// last atom after the array. (Neighbor-major, a list of 40 would reach N * 40 words.) Counts go
// on; nothing is written outside.
TEST_F(Neighbors, MoreThanThereIsRoomFor) {
    constexpr std::size_t N = 150;
    constexpr std::size_t crowd = 40;
    for_each_right_variant<float>([&](const auto& variant) {
        for (const std::size_t first : {std::size_t{0}, std::size_t{55}, N - crowd}) {
            for (const int block_size : {32, 100, 1024}) {
                Atoms<float> atoms = line_of_atoms<float>(N, 1.5);
                for (std::size_t i = 0; i < crowd; ++i) {
                    atoms.x[first + i] = -50;
                }
                NeighborProblem<float> problem(atoms, cutoff<float>, 3, "", N * crowd,
                                               FullList::holds);
                const Verdict verdict = run_and_check(variant, problem, block_size);
                ASSERT_EQ(verdict.outcome, Outcome::ok) << verdict.detail;
                for (std::size_t i = 0; i < crowd; ++i) {
                    EXPECT_EQ(problem.result().NN[first + i], 39);
                }
                count_combination();
            }
        }
    });
}

template <typename T>
void check_long_lines(const std::function<void()>& count) {
    const bool thorough = std::getenv("THOROUGH") != nullptr;
    for (const std::size_t n : {1270, 2000, 4099}) {
        for (const double step : {0.7, 1.7}) {
            SCOPED_TRACE(format("%zu atoms, %g apart", n, step));
            Atoms<T> atoms = line_of_atoms<T>(n, step);
            shuffle_atoms(atoms, n);
            NeighborProblem<T> problem(atoms, cutoff<T>, 4, "", guard);
            for_each_right_variant<T>([&](const auto& variant) {
                if (tests_all_pairs(variant) && !thorough) {
                    return;  // to them a line is no special place
                }
                const Verdict verdict = run_and_check(variant, problem);
                EXPECT_EQ(verdict.outcome, Outcome::ok) << verdict.detail;
                count();
            });
        }
    }
}

// All atoms in one row of cells: more columns than fused_rows has buckets, and more atoms than it
// keeps in shared memory, each without and with the other.
TEST_F(Neighbors, OnLongLines) {
    check_long_lines<float>([this] { count_combination(); });
    check_long_lines<double>([this] { count_combination(); });
}

// Where a list has no room for all neighbors, every variant fails the check, which says what is
// missing; the lists are right as far as they go.
TEST_F(Neighbors, WithoutRoomFailTheCheck) {
    Atoms<float> atoms = line_of_atoms<float>(60, 1.95);
    for (const std::size_t n : {7, 8, 9, 44}) {
        atoms.x[n] = atoms.x[50];
    }
    for_each_right_variant<float>([&](const auto& variant) {
        NeighborProblem<float> problem(atoms, cutoff<float>, 3, "", guard);
        const Verdict verdict = run_and_check(variant, problem);
        EXPECT_EQ(verdict.outcome, Outcome::wrong);
        EXPECT_EQ(verdict.detail,
                  "atom 7 has 4 neighbors, more than the 3 that there is room for (of 60 atoms 5 "
                  "have too many; --max-neighbors 4 would hold them all)");
        NeighborProblem<float> full(atoms, cutoff<float>, 3, "", guard, FullList::holds);
        EXPECT_EQ(run_and_check(variant, full).outcome, Outcome::ok);
        count_combination();
    });
}

// Runs every right variant that does not test all pairs.
template <typename T>
void check_fast_variants(const Atoms<T>& atoms, int MN, const std::function<void()>& count) {
    NeighborProblem<T> problem(atoms, cutoff<T>, MN, "", guard, FullList::holds);
    for_each_right_variant<T>([&](const auto& variant) {
        if (tests_all_pairs(variant) || !why_skipped(variant, problem).empty()) {
            return;
        }
        const Verdict verdict = run_and_check(variant, problem, 256);
        EXPECT_EQ(verdict.outcome, Outcome::ok) << verdict.detail;
        count();
    });
}

// Lengths around the edges of the tiles in which ghost_bins takes the atoms.
TEST_F(Neighbors, AroundTheEdgesOfTiles) {
    for (const std::size_t n : {tile_size - 1, tile_size, tile_size + 1, 2 * tile_size + 1}) {
        SCOPED_TRACE(n);
        const Atoms<float> atoms = random_atoms<float>(n, n);
        check_fast_variants(atoms, 24, [this] { count_combination(); });
    }
}

// The atoms of the fullest bin, without its ghost atoms.
template <typename T>
unsigned fullest_bin(const Atoms<T>& atoms, const BinGrid<T>& bins) {
    std::vector<unsigned> counts(bins.bins());
    unsigned most = 0;
    for (std::size_t n = 0; n < atoms.x.size(); ++n) {
        const unsigned column = bins.bin_of(bins.grid.column(atoms.x[n]));
        const unsigned row = bins.bin_of(bins.grid.row(atoms.y[n]));
        most = std::max(most, ++counts[row * bins.columns + column]);
    }
    return most;
}

template <typename T>
int atoms_without_room(NeighborProblem<T>& problem) {
    const DeviceArray<int> count(std::vector<int>{0});
    const int grid_size = blocks_to_cover(problem.n(), 256);
    count_atoms_without_room<<<grid_size, 256>>>(problem.tiles(), count.data());
    CHECK_LAUNCH();
    return count.to_host()[0];
}

// Runs ghost_bins on a problem whose bins have been prepared in an unusual way.
template <typename T>
Verdict run_and_check_ghost_bins(NeighborProblem<T>& p) {
    p.poison();
    p.layout = launch_ghost_bins(p.d_x(), p.d_y(), p.cutoff_squared(), p.MN(), p.bins(), p.tiles(),
                                 p.d_NN(), p.d_NL(), 128);
    return p.check(0);
}

// Random points, and one of twelve is drawn to one place, at the corner of four bins or in the
// middle of one: more than a bin has room for.
template <typename T>
void check_crowds(const std::function<void()>& count) {
    constexpr std::size_t n = 11 * bin_capacity<T>;
    for (const bool at_corner : {false, true}) {
        Atoms<T> atoms = random_atoms<T>(n, 12);
        const CellGrid<T> grid = make_cell_grid(bounding_box(atoms.x, atoms.y), cutoff<T>, n);
        const BinGrid<T> bins = make_bin_grid(grid, atoms.x, atoms.y);
        const T center = (at_corner ? T(1) : T(1.5)) * bins.edge / grid.cells_per_unit;
        for (std::size_t i = 0; i < n; i += 12) {
            atoms.x[i] = center + (atoms.x[i] - center) / 30;
            atoms.y[i] = center + (atoms.y[i] - center) / 30;
        }
        if (!at_corner) {
            const NeighborProblem<T> problem(atoms, cutoff<T>, 1);
            EXPECT_GT(fullest_bin(atoms, problem.bins()), bin_capacity<T>);
        }
        check_fast_variants(atoms, 5, count);
    }
}

TEST_F(Neighbors, InCrowdedBins) {
    check_crowds<float>([this] { count_combination(); });
    if (std::getenv("THOROUGH") != nullptr) {
        check_crowds<double>([this] { count_combination(); });
    }
}

// Everything in a few square angstrom: bins of a few cells, in which most atoms have copies.
TEST_F(Neighbors, InSmallBins) {
    Atoms<float> atoms = random_atoms<float>(tile_size + 100, 13);
    const double shrink = 16 / std::sqrt(static_cast<double>(atoms.x.size()) / graphene_density);
    for (std::size_t i = 0; i < atoms.x.size(); ++i) {
        atoms.x[i] = static_cast<float>(atoms.x[i] * shrink);
        atoms.y[i] = static_cast<float>(atoms.y[i] * shrink);
    }
    check_fast_variants(atoms, 5, [this] { count_combination(); });
}

// Copies for which shared memory has no room go straight to their slots.
TEST_F(Neighbors, InBinsWithoutSharedMemory) {
    const Atoms<float> atoms = random_atoms<float>(tile_size + 5000, 14);
    for (const unsigned staged : {0u, 4u, 8000u}) {
        NeighborProblem<float> problem(atoms, cutoff<float>, 24, "", guard);
        problem.reserve_bins();
        problem.tiles().staged = staged;
        const Verdict verdict = run_and_check_ghost_bins(problem);
        EXPECT_EQ(verdict.outcome, Outcome::ok) << verdict.detail;
        count_combination();
    }
}

// The largest input: so many cells that the prefix sums of the tiles take more than one round. The
// quick suite takes the fewest atoms that have as many cells: a sheet that is pulled so far along x
// that of three neighbors one is left.
TEST_F(Neighbors, InALargeSheet) {
    const bool thorough = std::getenv("THOROUGH") != nullptr;
    Atoms<float> atoms = sheet<float>(thorough ? 800003 : 280003);
    for (float& x : atoms.x) {
        x *= thorough ? 1.0f : 2.7f;
    }
    shuffle_atoms(atoms, 9);
    NeighborProblem<float> problem(atoms, cutoff<float>, 4, "", guard);
    EXPECT_GT(problem.grid().cells(), std::size_t{scan_tile} * scan_block_size);
    for_each_right_variant<float>([&](const auto& variant) {
        if (!why_skipped(variant, problem).empty()) {
            return;
        }
        const Verdict verdict = run_and_check(variant, problem, 256);
        EXPECT_EQ(verdict.outcome, Outcome::ok) << verdict.detail;
        count_combination();
    });
}

// So many atoms that in ghost_bins each thread of a block counts the runs of several tiles. Only
// then does one thread read what another has counted.
TEST_F(Neighbors, InMoreTilesThanABlockHasThreads) {
    Atoms<float> atoms = sheet<float>(std::size_t{bin_block_size} * tile_size + 1);
    if (std::getenv("THOROUGH") != nullptr) {  // else in order, which takes half of the time
        shuffle_atoms(atoms, 15);
    }
    NeighborProblem<float> problem(atoms, cutoff<float>, 4, "", guard);
    problem.reserve_bins();
    EXPECT_GT(problem.tiles().tiles(), bin_block_size);
    const Verdict verdict = run_and_check_ghost_bins(problem);
    EXPECT_EQ(verdict.outcome, Outcome::ok) << verdict.detail;
    EXPECT_EQ(atoms_without_room(problem), 0);  // a wrong count sends them all the slow way
    count_combination();
}

// --- special places
// -------------------------------------------------------------------------------

// Every variant on these atoms, with words around the lists that no thread may write. `neighbors`:
// how many entries all lists have together.
template <typename T>
void check_all_variants(const Atoms<T>& atoms, T cutoff_length, int MN, int neighbors,
                        const std::function<void()>& count) {
    NeighborProblem<T> problem(atoms, cutoff_length, MN, "", guard);
    for_each_right_variant<T>([&](const auto& variant) {
        const Verdict verdict = run_and_check(variant, problem);
        EXPECT_EQ(verdict.outcome, Outcome::ok) << verdict.detail;
        const std::vector<int>& counts = problem.result().NN;
        EXPECT_EQ(std::accumulate(counts.begin(), counts.end(), 0), neighbors);
        count();
    });
}

// A lattice of steps 3 and 4 with a cutoff of 5, all exact: four neighbors nearer than the cutoff,
// and four atoms exactly at it, which are none.
TEST_F(Neighbors, ExactlyAtTheCutoffAreNone) {
    constexpr int edge = 12;
    Atoms<float> atoms;
    for (int i = 0; i < edge * edge; ++i) {
        atoms.x.push_back(static_cast<float>(3 * (i % edge)));
        atoms.y.push_back(static_cast<float>(4 * (i / edge)));
    }
    const int bonds = 2 * edge * (edge - 1);
    check_all_variants<float>(atoms, 5, 4, 2 * bonds, [this] { count_combination(); });
    const int diagonals = 2 * (edge - 1) * (edge - 1);
    const float more = std::nextafter(5.0f, 6.0f);
    check_all_variants<float>(atoms, more, 8, 2 * (bonds + diagonals),
                              [this] { count_combination(); });
}

TEST_F(Neighbors, InOneCell) {
    Atoms<float> atoms = random_atoms<float>(100, 31);
    for (std::size_t i = 0; i < atoms.x.size(); ++i) {
        atoms.x[i] *= 0.08f;  // a square of 16 angstrom becomes one of 1.3
        atoms.y[i] *= 0.08f;
    }
    EXPECT_EQ(NeighborProblem<float>(atoms, cutoff<float>, 99).grid().cells(), 1u);
    check_all_variants<float>(atoms, cutoff<float>, 99, 100 * 99, [this] { count_combination(); });
}

TEST_F(Neighbors, InAHugeBox) {
    Atoms<float> atoms;
    for (int i = 0; i < 10; ++i) {  // five pairs, 1.5 angstrom apart
        atoms.x.push_back(static_cast<float>(250000 * (i / 2)) + 1.5f * static_cast<float>(i % 2));
        atoms.y.push_back(static_cast<float>(1000000 - 200000 * (i / 2)));
    }
    check_all_variants<float>(atoms, cutoff<float>, 3, 10, [this] { count_combination(); });
}

// Row by row against all pairs: the reference of so few atoms.
TEST_F(Neighbors, OfAHundredSeedsEqualAllPairs) {
    for (std::uint64_t seed = 1; seed <= 100; ++seed) {
        SCOPED_TRACE(seed);
        const Atoms<double> atoms = random_atoms<double>(20 + 3 * seed, seed);
        NeighborProblem<double> problem(atoms, cutoff<double>, 24, "", guard);
        for_each_right_variant<double>([&](const auto& variant) {
            const Verdict verdict = run_and_check(variant, problem, 64);
            EXPECT_EQ(verdict.outcome, Outcome::ok) << verdict.detail;
            count_combination();
        });
    }
}

// Atoms at one place are all neighbors of each other. Where that would take minutes, the problem
// is refused at once; many atoms that are not crowded are not.
TEST_F(Neighbors, TooCloseTogetherAreRefused) {
    const Atoms<float> crowd{std::vector<float>(50000, 1), std::vector<float>(50000, 2)};
    try {
        const NeighborProblem<float> problem(crowd, cutoff<float>, 10);
        ADD_FAILURE() << "expected a refusal";
    } catch (const std::invalid_argument& error) {
        EXPECT_NE(std::string(error.what()).find("50000 atoms are too close together"),
                  std::string::npos)
            << error.what();
    }
    EXPECT_NO_THROW(NeighborProblem<float>(sheet<float>(50000), cutoff<float>, 3));
    const Atoms<float> few{std::vector<float>(900, 1), std::vector<float>(900, 2)};
    check_all_variants<float>(few, cutoff<float>, 899, 900 * 899, [this] { count_combination(); });
}

// --- the check itself
// -----------------------------------------------------------------------------

// What a variant could leave that is not the answer.
TEST_F(Neighbors, CheckRefusesWrongLists) {
    using P = NeighborProblem<float>;
    const Atoms<float> atoms = sheet<float>(500);
    P p(atoms, cutoff<float>, 10, "", guard);
    const auto variants = neighbor_variants<float>();
    const auto& variant = *std::find_if(variants.begin(), variants.end(),
                                        [](const auto& each) { return each.name == "no_atomic"; });
    const auto outcome_after = [&](const std::function<void()>& change) {
        run_and_check(variant, p);
        change();
        return p.check(0).outcome;
    };
    const auto put = [](int* d_word, int value) {
        CHECK(cudaMemcpy(d_word, &value, sizeof value, cudaMemcpyHostToDevice));
    };
    EXPECT_EQ(outcome_after([] {}), Outcome::ok);
    EXPECT_EQ(outcome_after([&] { p.poison(); }), Outcome::wrong);
    EXPECT_EQ(outcome_after([&] { CHECK(cudaMemset(p.d_NN(), 0, p.n() * sizeof(int))); }),
              Outcome::wrong);
    EXPECT_EQ(outcome_after([&] { put(p.d_NN() + 7, 2); }), Outcome::wrong);
    EXPECT_EQ(outcome_after([&] { put(p.d_NN() + 7, 4); }), Outcome::wrong);
    EXPECT_EQ(outcome_after([&] { put(p.d_NL() + 7, 7); }), Outcome::wrong);
    EXPECT_EQ(outcome_after([&] { put(p.d_NL() + 7, -1); }), Outcome::wrong);
    EXPECT_EQ(outcome_after([&] { p.layout = Layout::atom_major; }), Outcome::wrong);
    EXPECT_EQ(outcome_after([&] { p.layout = Layout::unknown; }), Outcome::wrong);
    EXPECT_EQ(outcome_after([&] { put(p.d_NN() - 1, 0); }), Outcome::wrong);
    EXPECT_EQ(outcome_after([&] { put(p.d_NN() + p.N(), 0); }), Outcome::wrong);
    EXPECT_EQ(outcome_after([&] { put(p.d_NL() - 1, 0); }), Outcome::wrong);
    EXPECT_EQ(outcome_after([&] { put(p.d_NL() + p.N() * p.MN(), 0); }), Outcome::wrong);
    // Of a row with three entries, the fourth and the last.
    const int inner = 100;
    ASSERT_EQ(p.reference().NN[inner], 3);
    EXPECT_EQ(outcome_after([&] { put(p.d_NL() + 3 * p.N() + inner, 0); }), Outcome::wrong);
    EXPECT_EQ(outcome_after([&] { put(p.d_NL() + 9 * p.N() + inner, 0); }), Outcome::wrong);

    // The same for a list with no room for all: any of the neighbors, but none of them twice.
    P full(atoms, cutoff<float>, 2, "", 0, FullList::holds);
    EXPECT_EQ(run_and_check(variant, full).outcome, Outcome::ok);
    ASSERT_EQ(full.result().NN[inner], 3);
    put(full.d_NL() + inner, full.result().row(inner)[1]);
    EXPECT_EQ(full.check(0).outcome, Outcome::wrong);
    put(full.d_NL() + inner, inner);
    EXPECT_EQ(full.check(0).outcome, Outcome::wrong);
    put(full.d_NL() + inner, 499);
    EXPECT_EQ(full.check(0).outcome, Outcome::wrong);
}

// Each launcher's file is in the chapter's folder, under the name that the table gives.
TEST(NeighborTable, NamesFilesThatAreThere) {
    expect_sources_exist("neighbor_list", neighbor_variants<float>());
}

TEST_F(Neighbors, ScanAddsUpWhatStandsBefore) {
    for (const std::size_t n : {1, 31, 256, 2047, 2048, 2049, 4096, 100003, 1100003}) {
        SCOPED_TRACE(n);
        Generator generator(n);
        std::vector<int> counts(n);
        for (int& count : counts) {
            count = static_cast<int>(uniform_below(generator, 5));
        }
        const DeviceArray<int> d_counts(counts);
        DeviceArray<int> d_tile_sums(scan_tiles(n));
        DeviceArray<int> d_starts(n + 1);
        harness::poison(d_starts);
        exclusive_scan(d_counts.data(), n, d_tile_sums.data(), d_starts.data());
        std::vector<int> expected(n + 1);
        for (std::size_t i = 0; i < n; ++i) {
            expected[i + 1] = expected[i] + counts[i];
        }
        EXPECT_TRUE(d_starts.to_host() == expected);
    }
}

// --- the reference, on lists that are known -----------------------------------------------------

template <typename T>
NeighborList list_of(const Atoms<T>& atoms, T cutoff_length, int MN) {
    NeighborList list(atoms.x.size(), MN);
    find_neighbors_cpu(atoms.x.data(), atoms.y.data(), static_cast<int>(atoms.x.size()),
                       cutoff_length * cutoff_length, MN, list.NN.data(), list.NL.data());
    return list;
}

// The same by strips, in less time where the atoms are many.
template <typename T>
NeighborList list_by_strips(const Atoms<T>& atoms, T cutoff_length, int MN) {
    NeighborList list(atoms.x.size(), MN);
    find_neighbors_cpu_strips(atoms.x.data(), atoms.y.data(), static_cast<int>(atoms.x.size()),
                              cutoff_length, MN, list.NN.data(), list.NL.data());
    return list;
}

// Four atoms, each the neighbor of all others: the first example in Fan, section 9.3.
TEST(NeighborsCpu, FourMutualNeighbors) {
    const Atoms<float> atoms{{0, 1, 0, 1}, {0, 0, 1, 1}};
    const NeighborList list = list_of(atoms, 1.9f, 3);
    EXPECT_EQ(list.NN, (std::vector<int>{3, 3, 3, 3}));
    EXPECT_EQ(list.NL, (std::vector<int>{1, 2, 3, 0, 2, 3, 0, 1, 3, 0, 1, 2}));
    EXPECT_EQ(list_of(atoms, 1.2f, 3).NN, (std::vector<int>{2, 2, 2, 2}));
    EXPECT_EQ(list_of(atoms, 0.9f, 3).NN, (std::vector<int>{0, 0, 0, 0}));
    EXPECT_EQ(list_of(atoms, 1.9f, 2).NL, (std::vector<int>{1, 2, 0, 2, 0, 1, 0, 1}));
}

// Strictly less: an atom exactly at the cutoff is no neighbor.
TEST(NeighborsCpu, CutoffItselfIsOutside) {
    const Atoms<double> atoms{{0, 3}, {0, 4}};
    EXPECT_EQ(list_of(atoms, 5.0, 1).NN[0], 0);
    EXPECT_EQ(list_of(atoms, std::nextafter(5.0, 6.0), 1).NN[0], 1);
    EXPECT_FALSE(within_cutoff(0.0, 0.0, 5.0, 0.0, 25.0));
    EXPECT_FALSE(within_cutoff(0.0, 0.0, 0.0, 5.0, 25.0));
}

// What sheet.md says of the sheet: no pair is closer than 1.2, or within a thousandth of the
// squared cutoff. So float and double find the same neighbors.
TEST(NeighborsCpu, SheetOfGrapheneKeepsItsPromises) {
    std::vector<graphene::Atom> atoms = graphene::make_sheet();
    std::sort(atoms.begin(), atoms.end(), [](const auto& a, const auto& b) { return a.x < b.x; });
    constexpr double cutoff_squared = 1.9e6 * 1.9e6;
    double least = cutoff_squared, least_off = cutoff_squared;
    for (std::size_t i = 0; i < atoms.size(); ++i) {
        for (std::size_t j = i + 1; j < atoms.size() && atoms[j].x - atoms[i].x < 2e6; ++j) {
            const graphene::Atom &a = atoms[i], &b = atoms[j];
            const auto r2 = static_cast<double>(graphene::squared(a.x - b.x, a.y - b.y));
            least = std::min(least, r2);
            least_off = std::min(least_off, std::abs(r2 - cutoff_squared));
        }
    }
    EXPECT_GE(least, 1.2e6 * 1.2e6);
    EXPECT_GT(least_off, 1e-3 * cutoff_squared);

    const NeighborList of_floats = list_by_strips(graphene_sheet<float>(), 1.9f, 3);
    const NeighborList of_doubles = list_by_strips(graphene_sheet<double>(), 1.9, 3);
    EXPECT_TRUE(of_floats.NN == of_doubles.NN && of_floats.NL == of_doubles.NL);
    EXPECT_EQ(*std::max_element(of_floats.NN.begin(), of_floats.NN.end()), 3);
}

TEST(NeighborsCpu, EveryInnerAtomOfASheetHasThree) {
    for (const std::size_t n : {1000, 20000}) {
        const Atoms<double> atoms = sheet<double>(n);
        const NeighborList list = list_by_strips(atoms, 1.9, 10);
        EXPECT_EQ(*std::max_element(list.NN.begin(), list.NN.end()), 3);
        const auto with_three = std::count(list.NN.begin(), list.NN.end(), 3);
        EXPECT_GT(with_three, static_cast<std::ptrdiff_t>(n) - 6 * std::sqrt(n));
        const Box<double> box = bounding_box(atoms.x, atoms.y);
        const double density =
            static_cast<double>(n) / ((box.x_max - box.x_min) * (box.y_max - box.y_min));
        EXPECT_NEAR(density, graphene_density, 0.1 * graphene_density);
    }
}

template <typename T>
void expect_strips_find_the_same(const Atoms<T>& atoms) {
    const int N =
        static_cast<int>(atoms.x.size());  // room for all, so that the lists are equal too
    const NeighborList pairs = list_of(atoms, cutoff<T>, N);
    const NeighborList strips = list_by_strips(atoms, cutoff<T>, N);
    EXPECT_EQ(pairs.NN, strips.NN);
    for (std::size_t n = 0; n < atoms.x.size(); ++n) {
        ASSERT_TRUE(std::equal(pairs.row(n), pairs.row(n) + pairs.length(n), strips.row(n))) << n;
    }
}

template <typename T>
void expect_strips_find_the_same() {
    for (const std::size_t n : {0, 1, 2, 33, 199, 1009}) {
        for (const Input<T>& input : all_inputs<T>(n)) {
            SCOPED_TRACE(input.name + ", n = " + std::to_string(n));
            expect_strips_find_the_same(input.atoms);
        }
    }
    expect_strips_find_the_same(pairs_at_the_cutoff<T>(1000));
}

TEST(NeighborsCpu, StripsFindTheSame) {
    expect_strips_find_the_same<float>();
    expect_strips_find_the_same<double>();
}

// --- the grid of cells --------------------------------------------------------------------------

// Neighbors stand in cells side by side, however many columns there are and wherever rounding puts
// the edge between two cells.
template <typename T>
void expect_neighbors_in_cells_side_by_side(T origin, double extent) {
    SCOPED_TRACE(format("origin %g, extent %g", static_cast<double>(origin), extent));
    const Box<T> box{origin, static_cast<T>(origin + extent), origin,
                     static_cast<T>(origin + extent)};
    const CellGrid<T> grid = make_cell_grid(box, cutoff<T>, std::size_t{1} << 28);
    Generator generator(5);
    for (int i = 0; i < 20000; ++i) {
        // An atom near a right edge of its column, and one almost a cutoff to the right of it.
        const double edge = std::floor(uniform(generator) * grid.columns) / grid.cells_per_unit;
        T x1 = static_cast<T>(origin + edge);
        for (int ulps = static_cast<int>(uniform_below(generator, 5)); ulps > 0; --ulps) {
            x1 = std::nextafter(x1, std::numeric_limits<T>::lowest());
        }
        x1 = std::clamp(x1, box.x_min, box.x_max);
        T x2 = std::min(x1 + cutoff<T>, box.x_max);
        while (x2 - x1 >= cutoff<T>) {
            x2 = std::nextafter(x2, std::numeric_limits<T>::lowest());
        }
        ASSERT_LE(grid.column(x2) - grid.column(x1), 1) << x1 << " and " << x2;
        ASSERT_LE(grid.row(x2) - grid.row(x1), 1) << x1 << " and " << x2;
        ASSERT_GE(grid.column(x1), 0);
        ASSERT_LT(grid.column(x2), grid.columns);
    }
}

TEST(CellGrid, NeighborsStandSideBySide) {
    for (const double extent : {2.0, 10.0, 240.0, 5000.0, 100000.0, 1e7}) {
        expect_neighbors_in_cells_side_by_side<float>(0, extent);
        expect_neighbors_in_cells_side_by_side<float>(-12345.678f, extent);
        expect_neighbors_in_cells_side_by_side<double>(0, extent);
        expect_neighbors_in_cells_side_by_side<double>(-12345.678, extent);
    }
}

TEST(CellGrid, IsBoundedHoweverFarTheAtoms) {
    for (const float far : {0.0f, 1.0f, 1e3f, 1e6f, 1e15f, 1e30f, 3e38f}) {
        for (const std::size_t N : {1, 2, 1000, 1000000}) {
            const CellGrid<float> grid = make_cell_grid(Box<float>{-far, far, -far, 0}, 1.9f, N);
            EXPECT_LE(grid.cells(), 3 * N + 1000) << far;
            EXPECT_GE(grid.cells(), 1u);
            EXPECT_LT(grid.cell(far, 0), static_cast<int>(grid.cells()));
        }
    }
    // As fine as the cutoff allows where it may be: 240 / 1.9 = 126.3 columns.
    const CellGrid<double> grid = make_cell_grid(Box<double>{0, 240, 0, 240}, 1.9, 22464);
    EXPECT_EQ(grid.columns, 127);
    EXPECT_EQ(grid.rows, 127);
}

// --- the grid of bins ---------------------------------------------------------------------------

TEST(BinGrid, DividesExactly) {
    for (unsigned edge = 2; edge <= 46; ++edge) {
        const BinGrid<float> bins = bins_of_edge(CellGrid<float>{}, edge);
        for (unsigned cell = 0; cell < 70000; ++cell) {
            ASSERT_EQ(bins.bin_of(cell), cell / edge) << cell << " / " << edge;
        }
    }
}

// Bins are as large as the atoms are dense where they are: a box that is mostly empty, and some
// atoms far from the others, do not make them larger.
TEST(BinGrid, FollowsTheDensityOfTheAtoms) {
    const auto bins_of = [](const Atoms<float>& atoms) {
        const CellGrid<float> grid =
            make_cell_grid(bounding_box(atoms.x, atoms.y), cutoff<float>, atoms.x.size());
        return make_bin_grid(grid, atoms.x, atoms.y);
    };
    const Atoms<float> one = sheet<float>(40000);
    Atoms<float> two = one;
    two.x.insert(two.x.end(), one.x.begin(), one.x.end());
    two.y.insert(two.y.end(), one.y.begin(), one.y.end());
    for (std::size_t i = 0; i < one.x.size(); ++i) {
        two.x[i] += 400;
        two.y[i] += 300;
    }
    Atoms<float> strewn = one;
    for (std::size_t i = 0; i < 100; ++i) {
        strewn.x[400 * i] = -static_cast<float>(3 * i);
    }
    for (const Atoms<float>& atoms : {one, two, strewn}) {
        const BinGrid<float> bins = bins_of(atoms);
        const unsigned most = fullest_bin(atoms, bins);
        EXPECT_LT(most, bin_capacity<float>);
        EXPECT_GT(most, bin_capacity<float> / 2);
        EXPECT_GE(bins.columns * bins.edge, static_cast<unsigned>(bins.grid.columns));
        EXPECT_GE(bins.rows * bins.edge, static_cast<unsigned>(bins.grid.rows));
        EXPECT_GT(bins.edge, 30u);
    }
    EXPECT_EQ(bins_of({}).bins(), 1u);
    EXPECT_GE(bins_of({std::vector<float>(9000, 1), std::vector<float>(9000, 2)}).edge, 2u);
}

// --- files --------------------------------------------------------------------------------------

class NeighborFiles : public testing::Test {
  protected:
    void SetUp() override {
        directory_ = std::filesystem::temp_directory_path() /
                     ("neighbor_files_test-" + std::to_string(::getpid()));
        std::filesystem::create_directories(directory_);
    }
    void TearDown() override { std::filesystem::remove_all(directory_); }

    std::string path(const std::string& name) const { return (directory_ / name).string(); }

    Atoms<float> read(const std::string& text) const {
        std::ofstream(path("xy.txt")) << text;
        return read_atoms<float>(path("xy.txt"));
    }
    // What follows the path in the error that this text gives.
    std::string error_of(const std::string& text) const {
        try {
            read(text);
        } catch (const FileError& error) {
            return std::string(error.what()).substr(path("xy.txt").size());
        }
        return "no error";
    }

  private:
    std::filesystem::path directory_;
};

TEST_F(NeighborFiles, AreReadInEveryNotation) {
    const Atoms<float> atoms = read("\n1 2\r\n \t \n+1.0\t-2e-1\n   3.  .5   \n\n1e2 0");
    EXPECT_EQ(atoms.x, (std::vector<float>{1, 1, 3, 100}));
    EXPECT_EQ(atoms.y, (std::vector<float>{2, -0.2f, 0.5f, 0}));
    EXPECT_TRUE(read("").x.empty());
    EXPECT_TRUE(read("\n\n").x.empty());
}

TEST_F(NeighborFiles, AreRefusedByLine) {
    const std::string expected = "; expected 2 finite numbers per line";
    EXPECT_EQ(error_of("1 2\n3\n"), ":2: 1 number" + expected);
    EXPECT_EQ(error_of("1 2 3\n"), ":1: 3 numbers" + expected);
    EXPECT_EQ(error_of("1 2\n\n\nx 3\n"),
              ":4: 'x' is not a number of the expected kind" + expected);
    EXPECT_EQ(error_of("1,2\n"), ":1: '1,2' is not a number of the expected kind" + expected);
    EXPECT_EQ(error_of("1 nan\n"), ":1: 'nan' is not finite" + expected);
    EXPECT_EQ(error_of("1 2\n-inf 1"), ":2: '-inf' is not finite" + expected);
    EXPECT_EQ(error_of("1e39 2\n"), ":1: '1e39' is out of range" + expected);
    EXPECT_THROW(read_atoms<double>(path("missing.txt")), FileError);
}

TEST_F(NeighborFiles, AreWrittenWithSingleBlanks) {
    NeighborList list(3, 4);
    list.NN = {2, 0, 1};
    list.row(0)[0] = 1;
    list.row(0)[1] = 2;
    list.row(2)[0] = 0;
    std::ostringstream text;
    write_list(text, list);
    write_list(text, NeighborList(0, 4));
    EXPECT_EQ(text.str(), "2 1 2 NaN NaN\n0 NaN NaN NaN NaN\n1 0 NaN NaN NaN\n");
}

class NeighborFilesOnDevice : public NeighborFiles {
  protected:
    void SetUp() override {
        skip_without_device();
        NeighborFiles::SetUp();
    }
};

// A file that is not in the repository: a triangular lattice with its own spacing, turned and
// shaken, in random order and in every notation of numbers. Every variant writes the same bytes, in
// whatever layout and order it has found them.
TEST_F(NeighborFilesOnDevice, UnseenEqualReference) {
    constexpr std::size_t N = 8064;
    constexpr double spacing = 1.57;
    std::mt19937_64 generator(std::random_device{}());  // another file on every run
    const double shake = 0.3;
    std::vector<std::string> lines;
    for (std::size_t i = 0; i < N; ++i) {
        const double u = spacing * (static_cast<double>(i % 144) + 0.5 * (i / 144 % 2 == 1));
        const double v = spacing * std::sqrt(0.75) * static_cast<double>(i / 144);
        const double x = 0.8 * u - 0.6 * v - 31 + shake * (uniform(generator) - 0.5);
        const double y = 0.6 * u + 0.8 * v - 17 + shake * (uniform(generator) - 0.5);
        const char* const notations[] = {"%.6f %.6f\n", "%+.4e\t%.9g\n", "  %.17g   %.3f \r\n",
                                         "%g %+g\n\n"};
        lines.push_back(format(notations[i % 4], x, y));
    }
    std::shuffle(lines.begin(), lines.end(), generator);
    std::ofstream file(path("xy.txt"));
    for (const std::string& line : lines) {
        file << line;
    }
    file.close();

    const Atoms<float> atoms = read_atoms<float>(path("xy.txt"));
    ASSERT_EQ(atoms.x.size(), N);
    std::string first_text;
    NeighborProblem<float> problem(atoms, cutoff<float>, 10);
    for_each_right_variant<float>([&](const auto& variant) {
        const Verdict verdict = run_and_check(variant, problem);
        EXPECT_EQ(verdict.outcome, Outcome::ok) << verdict.detail;
        EXPECT_GT(*std::max_element(problem.result().NN.begin(), problem.result().NN.end()), 4);
        std::ostringstream text;
        problem.write(text);
        if (first_text.empty()) {
            first_text = text.str();
            EXPECT_EQ(std::count(first_text.begin(), first_text.end(), '\n'), std::ptrdiff_t{N});
        }
        EXPECT_TRUE(text.str() == first_text);
    });
}

}  // namespace
