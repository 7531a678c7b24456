// Race mode's suite for hash_table.
#include "hash_table/hash_table_variants.cuh"
#include "tests/partition_check.cuh"
#include "tests/race_suite.cuh"

namespace {

// Four blocks of two warps and about ten keys a bucket, some of them twice. The splices choose
// blocks of 1024 threads with four keys each: they get two of them.
std::unique_ptr<HashProblem> small_table(const Variant<HashProblem>& variant) {
    constexpr unsigned buckets = 20;
    const bool splices = variant.name.rfind("splice", 0) == 0;
    const std::size_t n = splices ? 4 * splice_block_size + 51 : 250;
    const std::vector<unsigned> keys = random_keys(n, 200, 1);
    std::vector<unsigned> queries = shuffled(keys, 2);
    queries.push_back(4711);
    return std::make_unique<HashProblem>(keys, buckets, 64, queries);
}

}  // namespace

// `parts` and `find_parts` work on tiles of thousands of items, so in their cases above there is
// one tile and one part. Here is their step with small tiles: many blocks, and parts that overflow.
TEST(PartitionStep, IsRightAndCleanForEachSeed) {
    const std::vector<unsigned> numbers = random_keys(700, 0, 3);
    race::be_quiet(true);
    for (int seed = 1; seed <= seeds_or(200); ++seed) {
        for (const unsigned room : {300u, 100u}) {
            race::forget();
            race::set_seed(seed);
            EXPECT_EQ((partition_and_check<64, 3>(numbers, 5, room)), room == 100);
            ASSERT_EQ(race::reports(), 0u) << "seed " << seed << race::reports_text();
        }
    }
    race::be_quiet(false);
}

// And here they are with two steps: three regions of two parts each, some of them too full.
TEST(PartsInRegions, AreRightAndCleanForEachSeed) {
    race::be_quiet(true);
    for (const auto& variant : hash_variants()) {
        if (variant.name != "parts" && variant.name != "find_parts") {
            continue;
        }
        for (int seed = 1; seed <= seeds_or(20); ++seed) {
            race::forget();
            race::set_seed(seed);
            const auto problem = small_table(variant);
            problem->shape = {3, 2, 4, 45};
            const Verdict verdict = run_and_check(variant, *problem);
            EXPECT_EQ(verdict.outcome, Outcome::ok) << variant.name << ": " << verdict.detail;
            ASSERT_EQ(race::reports(), 0u) << "seed " << seed << race::reports_text();
        }
    }
    race::be_quiet(false);
}

std::vector<RaceCase> example_cases() {
    return race_cases("hash_table", hash_variants(), small_table);
}
