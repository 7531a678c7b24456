// Race mode's suite for grid_barrier.
#include <memory>
#include <string>

#include "grid_barrier/variants.cuh"
#include "harness/inputs.hpp"
#include "tests/race_suite.cuh"

using namespace common;
using namespace harness;

namespace {

std::unique_ptr<HeatProblem> small_heat(const harness::Variant<HeatProblem>& variant) {
    const std::size_t n = variant.smallest_n;
    return std::make_unique<HeatProblem>(random_reals<float>(n, 1), columns_of(n), 20);
}
std::unique_ptr<HottestProblem> small_hottest(const harness::Variant<HottestProblem>& variant) {
    return std::make_unique<HottestProblem>(random_integers<float>(variant.smallest_n, 9, 1));
}

// A variant that never ends is told as such, with each of some seeds, and ends the program. Where
// it waits for blocks that have not started, race mode cannot know that a GPU would not hold them
// either: it is too large for race mode.
class EndlessDeathTest : public testing::TestWithParam<harness::Variant<HeatProblem>> {};
TEST_P(EndlessDeathTest, IsReportedForEachSeed) {
    const harness::Variant<HeatProblem>& variant = GetParam();
    const bool too_large = variant.name == "too_many_blocks";
    const std::string report =
        (too_large ? "TOO LARGE FOR RACE MODE:" : std::string("DEADLOCK in")) +
        " kernel heat_[a-z_]+, launched at .*" + variant.source;
    // Thousands of threads take their time, and so do millions of reads.
    const int seeds = too_large ? 1 : seeds_or(20, 2);
    for (int seed = 1; seed <= seeds; ++seed) {
        EXPECT_EXIT(
            {
                race::set_seed(seed);
                HeatProblem problem(random_reals<float>(variant.smallest_n, 1),
                                    columns_of(variant.smallest_n), 100);
                run_and_check(variant, problem, race_block_size);
            },
            testing::ExitedWithCode(too_large ? 67 : 66), report)
            << "seed " << seed;
    }
}
std::vector<harness::Variant<HeatProblem>> endless_variants() {
    std::vector<harness::Variant<HeatProblem>> endless;
    for (const auto& variant : heat_variants()) {
        if (variant.kind == Kind::deadlock) {
            endless.push_back(variant);
        }
    }
    return endless;
}
INSTANTIATE_TEST_SUITE_P(Race, EndlessDeathTest, testing::ValuesIn(endless_variants()),
                         [](const auto& info) { return info.param.name; });

}  // namespace

std::vector<RaceCase> example_cases() {
    return race_cases("grid_barrier", heat_variants(), small_heat) +
           race_cases("grid_barrier", hottest_variants(), small_hottest);
}
