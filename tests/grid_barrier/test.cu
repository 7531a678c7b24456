// Every variant of grid_barrier against the CPU reference, to the last bit.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "grid_barrier/draw.hpp"
#include "grid_barrier/flags.cuh"
#include "grid_barrier/variants.cuh"
#include "harness/inputs.hpp"
#include "tests/device_test.cuh"

using namespace common;
using namespace harness;

namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float nan = std::numeric_limits<float>::quiet_NaN();

struct Input {
    std::string name;
    std::vector<float> plate;
};

// Kinds of plates. Random ones, since on a plate of few values a cell that is a step behind may
// look right.
std::vector<Input> inputs(std::size_t n) {
    std::vector<Input> all{{"random", random_reals<float>(n, n)}, {"a hot row", start_plate(n)}};
    std::vector<float> tiny = random_reals<float>(n, n + 1);
    for (float& temperature : tiny) {
        temperature *= 1e-38f;  // results below the smallest normal number
    }
    all.push_back({"tiny", tiny});
    std::vector<float> special = random_reals<float>(n, n + 2);
    for (std::size_t cell = 0; cell < n; cell += 37) {
        special[cell] = cell % 4 == 0 ? infinity : (cell % 4 == 1 ? -infinity : nan);
    }
    all.push_back({"not finite", special});
    return all;
}

// Skips, by name, what the device cannot run.
class Heat : public VariantTest<HeatProblem> {
  protected:
    void SetUp() override {
        VariantTest<HeatProblem>::SetUp();
        if (!IsSkipped() && !HasFatalFailure()) {
            const std::string why = why_skipped(GetParam().variant, HeatProblem({}, 1, 0));
            if (!why.empty()) {
                GTEST_SKIP() << why;
            }
        }
    }
};

TEST_P(Heat, EqualsReference) {
    for (const std::size_t n : tested_lengths(GetParam().block_size)) {
        for (const Input& input : inputs(n)) {
            for (const int steps : {1, 4}) {
                SCOPED_TRACE(input.name + ", n = " + std::to_string(n) + ", " +
                             std::to_string(steps) + " steps");
                HeatProblem problem(input.plate, columns_of(n), steps);
                const Verdict verdict =
                    run_and_check(GetParam().variant, problem, GetParam().block_size);
                EXPECT_EQ(verdict.outcome, Outcome::ok) << verdict.detail;
                count_combination();
            }
        }
    }
}
INSTANTIATE_TEST_SUITE_P(Right, Heat, testing::ValuesIn(right_cases(heat_variants())),
                         case_name<HeatProblem>);

class HottestCell : public VariantTest<HottestProblem> {};

TEST_P(HottestCell, EqualsReference) {
    const auto check = [&](const std::string& name, const std::vector<float>& plate) {
        SCOPED_TRACE(name + ", n = " + std::to_string(plate.size()));
        HottestProblem problem(plate);
        const Verdict verdict = run_and_check(GetParam().variant, problem, GetParam().block_size);
        EXPECT_EQ(verdict.outcome, Outcome::ok) << verdict.detail;
        count_combination();
    };
    for (const std::size_t n : tested_lengths(GetParam().block_size)) {
        for (const Input& input : inputs(n)) {
            check(input.name, input.plate);
        }
        check("many equal", random_integers<float>(n, 3, n));
        check("all equal", std::vector<float>(n, -5.0f));
        check("all -infinity", std::vector<float>(n, -infinity));
        check("no number at all", std::vector<float>(n, nan));
        if (n > 0) {
            std::vector<float> last(n, 0.0f);
            last.back() = 1;
            check("the last one", last);
        }
    }
}
INSTANTIATE_TEST_SUITE_P(Right, HottestCell, testing::ValuesIn(right_cases(hottest_variants())),
                         case_name<HottestProblem>);

class GridBarrier : public DeviceTest {
  protected:
    // Calls body(variant) for every right variant that can run here.
    template <typename Body>
    void for_each_right(Body body) {
        const HeatProblem nothing({}, 1, 0);
        for (const auto& variant : heat_variants()) {
            if (is_right(variant.kind) && why_skipped(variant, nothing).empty()) {
                SCOPED_TRACE(variant.name);
                body(variant);
            }
        }
    }
};

// Rows of one cell, of a few, as long as the plate, and longer; a last row that is not full.
TEST_F(GridBarrier, TakesAnyShapeOfPlate) {
    for_each_right([this](const auto& variant) {
        for (const std::size_t columns : {1, 2, 3, 7, 100, 1009, 5000}) {
            SCOPED_TRACE(std::to_string(columns) + " columns");
            for (const int block_size : {1, 64}) {
                HeatProblem problem(random_reals<float>(1009, 1), columns, 5);
                const Verdict verdict = run_and_check(variant, problem, block_size);
                EXPECT_EQ(verdict.outcome, Outcome::ok) << verdict.detail;
                count_combination();
            }
        }
    });
}

TEST_F(GridBarrier, TakesAnyNumberOfSteps) {
    for_each_right([this](const auto& variant) {
        for (const int steps : {0, 1, 2, 3, 1000, 1001}) {
            SCOPED_TRACE(std::to_string(steps) + " steps");
            HeatProblem problem(random_reals<float>(300, 1), 20, steps);
            const Verdict verdict = run_and_check(variant, problem, 32);
            EXPECT_EQ(verdict.outcome, Outcome::ok) << verdict.detail;
            count_combination();
        }
    });
}

// One block; some; as many groups of a tree as one; as many blocks as fit, most of them without a
// cell.
TEST_F(GridBarrier, TakesAnyNumberOfBlocksThatFit) {
    const int most = std::min(
        {max_resident_blocks(heat_counter, 64), max_resident_blocks(heat_sense_reversal, 64),
         max_resident_blocks(heat_counter_tree, 64), max_resident_blocks(heat_neighbor_flags, 64)});
    ASSERT_GT(most, 17);
    for_each_right([&](const auto& variant) {
        for (const int blocks : {1, 2, 3, 15, 16, 17, most}) {
            SCOPED_TRACE(std::to_string(blocks) + " blocks");
            HeatProblem problem(random_reals<float>(1009, 1), 32, 5);
            problem.grid_size = blocks;
            const Verdict verdict = run_and_check(variant, problem, 64);
            EXPECT_EQ(verdict.outcome, Outcome::ok) << verdict.detail;
            count_combination();
        }
    });
}

TEST(GridBarrierReport, HoldsTheWrongRowsOfTheSecondTableToo) {
    Report report;
    Report found;
    report.rows.resize(1);
    found.rows.resize(2);
    found.rows[0].kind = "cpu";
    found.rows[1].verdict = {Outcome::wrong, "planted"};
    add_second_table(report, found);
    ASSERT_EQ(report.rows.size(), 3u);
    EXPECT_EQ(report.rows[1].name, "hottest_on_cpu");
    EXPECT_FALSE(all_hold(report));
}

TEST_F(GridBarrier, LaunchesNoMoreBlocksThanFit) {
    const int fitting = max_resident_blocks(heat_counter, 64);
    EXPECT_EQ(resident_blocks(heat_counter, 0, 64, 0), 1);
    EXPECT_EQ(resident_blocks(heat_counter, 129, 64, 0), 3);
    EXPECT_EQ(resident_blocks(heat_counter, std::size_t{1} << 33, 64, 0), fitting);
    EXPECT_EQ(resident_blocks(heat_counter, 129, 64, fitting), fitting);
    EXPECT_THROW(resident_blocks(heat_counter, 129, 64, fitting + 1), std::length_error);

    // A cooperative launch itself refuses them too.
    Plate plate{};
    int steps = 1;
    unsigned* d_arrived = nullptr;
    void* arguments[] = {&plate, &steps, &d_arrived};
    EXPECT_EQ(cudaLaunchCooperativeKernel(heat_counter, dim3(fitting + 1), dim3(64), arguments),
              cudaErrorCooperativeLaunchTooLarge);
    EXPECT_EQ(cudaGetLastError(), cudaErrorCooperativeLaunchTooLarge);

    HeatProblem problem(random_reals<float>(300, 1), 20, 1);
    problem.grid_size = fitting + 1;
    for (const auto& variant : heat_variants()) {
        if (variant.name == "counter") {
            EXPECT_THROW(run_and_check(variant, problem, 64), std::length_error);
        }
    }
}

// A critical section may have more blocks than fit: those that have started end without the others.
TEST_F(GridBarrier, ACriticalSectionTakesMoreBlocksThanFit) {
    const std::size_t n = 32 * (std::size_t{100} + max_resident_blocks(hottest_grid_section, 32));
    for (const auto& variant : hottest_variants()) {
        if (is_right(variant.kind)) {
            SCOPED_TRACE(variant.name);
            HottestProblem problem(random_reals<float>(n, 1));
            const Verdict verdict = run_and_check(variant, problem, 32);
            EXPECT_EQ(verdict.outcome, Outcome::ok) << verdict.detail;
            count_combination();
        }
    }
}

// Each thread writes the round into its word, and after the barrier looks at the word of a thread
// of the next block.
__global__ void count_rounds(unsigned* d_rounds, unsigned rounds, unsigned start,
                             unsigned* d_arrived, unsigned* d_wrong) {
    const unsigned threads = gridDim.x * blockDim.x;
    const unsigned own = blockIdx.x * blockDim.x + threadIdx.x;
    for (unsigned round = 1; round <= rounds; ++round) {
        d_rounds[own] = round;
        counter_barrier(d_arrived, start + (2 * round - 1) * gridDim.x);
        if (d_rounds[(own + blockDim.x) % threads] != round) {
            atomicAdd(d_wrong, 1u);
        }
        counter_barrier(d_arrived, start + 2 * round * gridDim.x);
    }
}

// After 2^32 arrivals the counter begins at 0 again, in the middle of a round too.
TEST_F(GridBarrier, TheCounterMayWrapAround) {
    for (const unsigned start : {0u, 0x7fffffe5u, 0xffffffe5u}) {
        DeviceArray<unsigned> rounds(std::size_t{7} * 64);
        DeviceArray<unsigned> arrived(std::vector<unsigned>{start});
        DeviceArray<unsigned> wrong(std::vector<unsigned>{0});
        unsigned* d_rounds = rounds.data();
        unsigned count = 10;
        unsigned first = start;
        unsigned* d_arrived = arrived.data();
        unsigned* d_wrong = wrong.data();
        void* arguments[] = {&d_rounds, &count, &first, &d_arrived, &d_wrong};
        CHECK(cudaLaunchCooperativeKernel(count_rounds, dim3(7), dim3(64), arguments));
        EXPECT_EQ(wrong.to_host()[0], 0u);
        EXPECT_EQ(arrived.to_host()[0], start + 140);
    }
}

TEST(GridBarrierTable, NamesFilesThatAreThere) {
    expect_sources_exist("grid_barrier", heat_variants());
    expect_sources_exist("grid_barrier", hottest_variants());
}

// The reference itself.
TEST(GridBarrierCpu, ACellBecomesTheMeanOfItsNeighbors) {
    const std::vector<float> before{0, 1, 0, 4, 9, 8, 0, 3, 0};
    const std::vector<float> after{0, 1, 0, 4, 4, 8, 0, 3, 0};
    EXPECT_EQ(heat_cpu(before, 3, 0), before);
    EXPECT_EQ(heat_cpu(before, 3, 1), after);
    EXPECT_EQ(heat_cpu(before, 3, 2), after);
    EXPECT_EQ(heat_cpu({}, 1, 3), std::vector<float>{});
}
TEST(GridBarrierCpu, AnEvenSlopeStaysAsItIs) {
    std::vector<float> slope;
    for (int row = 0; row < 8; ++row) {
        for (int column = 0; column < 5; ++column) {
            slope.push_back(static_cast<float>(3 * row - 2 * column));
        }
    }
    EXPECT_EQ(heat_cpu(slope, 5, 100), slope);
}
// Ten cells in rows of four: only 5 has four neighbors; 6 has none below it.
TEST(GridBarrierCpu, OnlyCellsWithFourNeighborsAreInner) {
    for (std::size_t cell = 0; cell < 10; ++cell) {
        EXPECT_EQ(is_inner(cell, 10, 4), cell == 5) << cell;
        EXPECT_FALSE(is_inner(cell, 10, 1)) << cell;
        EXPECT_FALSE(is_inner(cell, 10, 2)) << cell;
        EXPECT_FALSE(is_inner(cell, 10, 100)) << cell;
    }
}
TEST(GridBarrierCpu, TheFirstRowIsHot) {
    EXPECT_EQ(start_plate(0), std::vector<float>{});
    EXPECT_EQ(start_plate(5), (std::vector<float>{100, 100, 100, 0, 0}));
    EXPECT_EQ(columns_of(0), 1u);
    EXPECT_EQ(columns_of(1024), 32u);
    EXPECT_EQ(columns_of(1025), 33u);
}
TEST(GridBarrierCpu, HottestCell) {
    EXPECT_EQ(hottest_cpu({3, 7, nan, 7, 1}).cell, 1u);
    EXPECT_EQ(hottest_cpu({-infinity}).cell, 0u);
    EXPECT_EQ(hottest_cpu({nan}).cell, hottest_of_none.cell);
}

TEST(GridBarrierPicture, IsTheHotterTheDarker) {
    EXPECT_EQ(drawn({}, 1), "");
    EXPECT_EQ(drawn({5, 5}, 2), "|  |\n");
    EXPECT_EQ(drawn({0, 10, 5, nan, 1.5f, -0.0f}, 3), "| @=|\n|?. |\n");
    // 48 columns on 24 characters, 24 rows on 12 lines: every second cell is shown.
    std::vector<float> plate(48 * 24, 0.0f);
    plate[48 * 3 + 7] = 1;
    std::string expected;
    for (int y = 0; y < 12; ++y) {
        std::string line(24, ' ');
        if (y == 1) {
            line[3] = '@';
        }
        expected += "|" + line + "|\n";
    }
    EXPECT_EQ(drawn(plate, 48), expected);
}

}  // namespace
