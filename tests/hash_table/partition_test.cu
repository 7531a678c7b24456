// Radix partitioning, and the partitioned table: sizes that a good hash makes unlikely, and tables
// that are cut in two passes.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "hash_table/variants.cuh"
#include "tests/device_test.cuh"
#include "tests/hash_table/inputs.hpp"
#include "tests/hash_table/partition_check.cuh"

using namespace common;
using namespace harness;

namespace {

using harness::Outcome;
using harness::Variant;
using harness::Verdict;

// The variant of that file.
template <typename P>
Variant<P> variant_from(const std::vector<Variant<P>>& table, const std::string& file) {
    return *std::find_if(table.begin(), table.end(),
                         [&](const Variant<P>& variant) { return variant.source == file; });
}

class Partitioned : public DeviceTest {
  protected:
    const Variant<BuildProblem> build = variant_from(build_variants(), "fast/partitioned.cuh");
    const Variant<FindProblem> find = variant_from(find_variants(), "fast/find_partitioned.cuh");

    template <typename P>
    void expect_right(const Variant<P>& variant, P& problem) {
        const Verdict verdict = run_and_check(variant, problem);
        EXPECT_EQ(verdict.outcome, Outcome::ok) << variant.name << ": " << verdict.detail;
        count_combination();
    }
};

TEST_F(Partitioned, OneStep) {
    const auto overflows = partition_and_check<64, 5>;
    for (const std::size_t n : {0, 1, 2, 31, 32, 33, 319, 320, 321, 640, 641, 10007}) {
        for (const unsigned partitions :
             {1u, 2u, 3u, 63u, 64u, 65u, 1000u, common::max_partitions}) {
            if (partitions > max_partitions_per_pass()) {
                continue;  // more than this GPU has shared memory for
            }
            SCOPED_TRACE(std::to_string(n) + " items, " + std::to_string(partitions) +
                         " partitions");
            const auto even = static_cast<unsigned>(n / partitions);
            std::vector<unsigned> numbers(n);
            std::iota(numbers.begin(), numbers.end(), 0u);
            EXPECT_FALSE(overflows(shuffled(numbers, n), partitions, even + 1));
            if (n > partitions) {  // one place too few in the first partition
                EXPECT_TRUE(overflows(numbers, partitions, even + (n % partitions != 0) - 1));
            }
            overflows(random_keys(n, 0, n + partitions), partitions, even + even / 2 + 4);
            EXPECT_EQ(overflows(std::vector<unsigned>(n, 4711), partitions, even + 10),
                      n > even + 10);
            count_combination();
        }
    }
}

// `count` different keys of one partition of the table of n pairs.
std::vector<unsigned> keys_of_partition(unsigned p, std::size_t count, std::size_t n) {
    const unsigned partitions = partition_plan(n).partitions();
    std::vector<unsigned> keys;
    for (unsigned key = 0; keys.size() < count; ++key) {
        if (partition_of(key, partitions) == p) {
            keys.push_back(key);
        }
    }
    return keys;
}

// What a hash should not let happen, and the keys can: partitions that are full to the last place,
// that fit no block's shared memory, that are empty; queries that all want the same partition.
TEST_F(Partitioned, PartitionsOfAnySize) {
    const unsigned capacity = partition_plan(1).capacity;
    const std::size_t n = 3 * std::size_t{capacity};
    const unsigned partitions = partition_plan(n).partitions();
    ASSERT_GT(partitions, 3u);
    const std::vector<unsigned> even = random_keys(n, 0, 1);
    std::vector<KeyInput> all;
    for (const unsigned size : {capacity - 1, capacity, capacity + 1}) {
        std::vector<unsigned> keys = keys_of_partition(partitions - 1, size, n);
        const std::vector<unsigned> others = keys_of_partition(1, (n - size) / 2, n);
        keys.insert(keys.end(), others.begin(), others.end());
        const std::vector<unsigned> rest = keys_of_partition(0, n - keys.size(), n);
        keys.insert(keys.end(), rest.begin(), rest.end());
        all.push_back({std::to_string(size) + " in the last partition", shuffled(keys, size)});
    }
    all.push_back({"all in one partition", keys_of_partition(2, n, n)});
    all.push_back({"all equal", std::vector<unsigned>(n, 0xffffffffu)});
    std::vector<unsigned> half = even;
    std::fill(half.begin() + static_cast<long>(n / 2), half.end(), even[0]);
    all.push_back({"half of them equal", half});
    all.push_back({"two in turns", random_keys(n, 2, 5)});
    for (const auto& [name, keys] : all) {
        SCOPED_TRACE(name);
        BuildProblem built(keys, 1000);
        expect_right(build, built);
        FindProblem with_even_queries(keys, even);
        expect_right(find, with_even_queries);
        FindProblem in_even_table(even, keys);
        expect_right(find, in_even_table);
        FindProblem itself(keys, shuffled(keys, 1));
        expect_right(find, itself);
    }
}

// Every partition has room for what is to be expected in it, and no number exceeds its limit.
TEST_F(Partitioned, Plan) {
    for (const std::size_t n :
         {std::size_t{0}, std::size_t{1}, std::size_t{20000}, std::size_t{26214400},
          std::size_t{100000000}, std::size_t{1000000000}, max_keys}) {
        const PartitionPlan plan = partition_plan(n);
        EXPECT_GE(plan.coarse_partitions, 1u);
        EXPECT_GE(plan.partitions_per_coarse, 1u);
        EXPECT_LE(plan.coarse_partitions, max_partitions_per_pass());
        EXPECT_LE(plan.partitions_per_coarse, plan.coarse_partitions == 1
                                                  ? max_partitions_per_pass()
                                                  : max_partitions_per_coarse);
        EXPECT_LT(plan.capacity, 65536u);  // offsets in a partition that fits have 16 bits
        EXPECT_LE(n / plan.partitions(), plan.capacity - plan.capacity / 20);
        // A coarse partition may get all n pairs, if most keys are equal.
        for (const std::size_t items : {n, n / plan.coarse_partitions}) {
            for (const unsigned partitions :
                 {1u, plan.coarse_partitions, plan.partitions_per_coarse}) {
                const std::size_t capacity = capacity_per_partition(items, partitions);
                EXPECT_LE(partitions * capacity, std::size_t{common::max_capacity});
                EXPECT_GE(capacity + 32,
                          std::min<std::size_t>(items, common::max_capacity) / partitions);
            }
        }
        for (const unsigned key : random_keys(1000, 0, 1)) {
            EXPECT_EQ(partition_of(key, plan.partitions()) / plan.partitions_per_coarse,
                      partition_of(key, plan.coarse_partitions));
        }
    }
}

// Two passes, in small: coarse partitions of random keys, of none; and coarse partitions, final
// ones and capacities that are too small for what comes.
TEST_F(Partitioned, InTwoPasses) {
    const std::size_t n = 5003;
    const std::vector<KeyInput> all{{"random", random_keys(n, 0, 1)},
                                    {"all equal", std::vector<unsigned>(n, 0xffffffffu)},
                                    {"two in turns", random_keys(n, 2, 5)},
                                    {"one", {7}}};
    for (const PartitionPlan& plan :
         {PartitionPlan{2, 1, 64, 4000}, PartitionPlan{2, 3, 8, 1000}, PartitionPlan{7, 5, 8, 200},
          PartitionPlan{7, 5, 8, 100}, PartitionPlan{64, 9, 2, 20}}) {
        for (const auto& [name, keys] : all) {
            SCOPED_TRACE(std::to_string(plan.coarse_partitions) + " coarse partitions, " + name);
            BuildProblem built(keys, 1000);
            FindProblem searched(keys, queries_for(keys));
            built.plan = searched.plan = plan;
            for (int run = 0; run < 2; ++run) {
                expect_right(build, built);
                expect_right(find, searched);
            }
        }
    }
}

// Work that runs at the same time has neither a stream nor memory in common.
TEST_F(Partitioned, WorkspacesShareNothing) {
    Workspaces workspaces;
    EXPECT_EQ(workspaces.whole().stream(), nullptr);
    std::set<cudaStream_t> streams{workspaces.whole().stream()};
    std::set<void*> memories{workspaces.whole().reserve(64)};
    for (unsigned coarse = 0; coarse < 3 * Workspaces::concurrent_streams; ++coarse) {
        streams.insert(workspaces.of_coarse(coarse).stream());
        memories.insert(workspaces.of_coarse(coarse).reserve(64));
        EXPECT_EQ(streams.size(), 1 + std::min(coarse + 1, Workspaces::concurrent_streams));
        EXPECT_EQ(memories.size(), streams.size());
    }
}

// On a GPU the coarse partitions are worked on at the same time: their kernels last longer than it
// takes to launch them. What two of them had in common, one would spoil for the other.
TEST_F(Partitioned, CoarsePartitionsAtTheSameTime) {
    const std::size_t n = common::on_cpu_device ? 40'000 : 16'000'000;
    const std::vector<unsigned> keys = random_keys(n, 0, 1);
    PartitionPlan plan = partition_plan(n);
    plan.partitions_per_coarse = plan.partitions() / 20 + 1;
    plan.coarse_partitions = 20;
    BuildProblem built(keys, 1000);
    FindProblem searched(keys, queries_for(keys));
    built.plan = searched.plan = plan;
    for (int run = 0; run < 2; ++run) {
        expect_right(build, built);
        expect_right(find, searched);
    }
}

}  // namespace
