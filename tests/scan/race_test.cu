// Race mode's suite for scan.
#include <memory>
#include <string>

#include "harness/inputs.hpp"
#include "scan/variants.cuh"
#include "tests/race_suite.cuh"

using namespace common;
using namespace harness;

namespace {

template <typename T>
std::unique_ptr<ScanProblem<T>> small_scan(const harness::Variant<ScanProblem<T>>& variant) {
    std::vector<T> x(variant.smallest_n);
    Generator generator(1);
    for (T& term : x) {
        term = static_cast<T>(uniform_below(generator, 10));
    }
    return std::make_unique<ScanProblem<T>>(std::move(x));
}

// A block waits for one that has not started. Race mode cannot know that a GPU would not hold so
// many blocks either: it says that the launch is too large for it, and who waits for what.
TEST(BlockIndexDeathTest, IsReportedForEachSeed) {
    for (const auto& variant : scan_variants<unsigned>()) {
        if (variant.kind != Kind::deadlock) {
            continue;
        }
        for (int seed = 1; seed <= seeds_or(4, 2); ++seed) {
            EXPECT_EXIT(
                {
                    race::set_seed(seed);
                    run_and_check(variant, *small_scan<unsigned>(variant), race_block_size);
                },
                testing::ExitedWithCode(67),
                "TOO LARGE FOR RACE MODE: kernel scan_block_index.*, launched at .*" +
                    variant.source)
                << "seed " << seed;
        }
    }
}

}  // namespace

std::vector<RaceCase> example_cases() {
    return race_cases("scan", scan_variants<unsigned>(), small_scan<unsigned>, "uint32") +
           race_cases("scan", scan_variants<float>(), small_scan<float>, "float");
}
