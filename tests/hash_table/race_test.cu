// Race mode's suite for hash_table.
#include <algorithm>
#include <memory>
#include <vector>

#include "hash_table/variants.cuh"
#include "tests/hash_table/partition_check.cuh"
#include "tests/race_suite.cuh"

using namespace common;
using namespace harness;

namespace {

// About ten keys per bucket with 250 keys, some of them twice.
constexpr unsigned buckets = 20;

std::unique_ptr<BuildProblem> small_build(const harness::Variant<BuildProblem>& variant) {
    auto problem = std::make_unique<BuildProblem>(random_keys(variant.smallest_n, 200, 1), buckets);
    problem->plan = small_partition_plan;
    return problem;
}

std::unique_ptr<FindProblem> small_find(const harness::Variant<FindProblem>& variant) {
    const std::vector<unsigned> keys = random_keys(variant.smallest_n, 200, 1);
    std::vector<unsigned> queries = shuffled(keys, 2);
    queries.push_back(4711);
    auto problem = std::make_unique<FindProblem>(keys, queries);
    problem->plan = small_partition_plan;
    return problem;
}

}  // namespace

// The partitioned table has tiles of 1024 items or more. Here is its partitioning with small tiles:
// many blocks, and partitions that overflow.
TEST(Partitioning, IsRightAndCleanForEachSeed) {
    const std::vector<unsigned> numbers = random_keys(700, 0, 3);
    race::be_quiet(true);
    for (int seed = 1; seed <= seeds_or(200); ++seed) {
        for (const unsigned capacity : {300u, 100u}) {
            race::forget();
            race::set_seed(seed);
            EXPECT_EQ((partition_and_check<64, 3>(numbers, 5, capacity)), capacity == 100);
            ASSERT_EQ(race::reports(), 0u) << "seed " << seed << race::reports_text();
        }
    }
    race::be_quiet(false);
}

std::vector<RaceCase> example_cases() {
    std::vector<harness::Variant<FindProblem>> finds = find_variants();
#ifndef THOROUGH  // it partitions as the variant `partitioned` does, and that takes long
    finds.erase(std::remove_if(finds.begin(), finds.end(),
                               [](const auto& one) { return one.name == "find_partitioned"; }),
                finds.end());
#endif
    return race_cases("hash_table", build_variants(), small_build) +
           race_cases("hash_table", finds, small_find);
}
