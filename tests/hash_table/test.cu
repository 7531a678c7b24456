// Every variant of hash_table against the CPU reference.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <type_traits>
#include <unordered_map>
#include <vector>

#include "hash_table/variants.cuh"
#include "tests/device_test.cuh"
#include "tests/hash_table/inputs.hpp"

using namespace common;
using namespace harness;

namespace {

using harness::Kind;
using harness::Outcome;
using harness::Variant;
using harness::Verdict;

// The (key, value) pairs of each bucket, sorted: what two tables with the same content share.
std::vector<std::vector<Slot>> contents(const HostTable& table) {
    std::vector<std::vector<Slot>> all(table.heads.size());
    for (std::size_t bucket = 0; bucket < all.size(); ++bucket) {
        for (unsigned at = table.heads[bucket]; at != end_of_chain; at = table.pool[at].next) {
            all[bucket].push_back(make_slot(table.pool[at].key, table.pool[at].value));
        }
        std::sort(all[bucket].begin(), all[bucket].end());
    }
    return all;
}

HostTable cpu_table(const std::vector<unsigned>& keys, unsigned buckets) {
    HostTable table{std::vector<unsigned>(buckets), std::vector<Entry>(keys.size())};
    build_cpu(keys, values_for(keys.size()), table);
    return table;
}

// Runs the variant and expects that its check holds. False: this input is refused.
template <typename P>
bool expect_right(const Variant<P>& variant, P& problem, int block_size = 0) {
    if (!why_skipped(variant, problem).empty()) {
        return false;
    }
    const Verdict verdict = run_and_check(variant, problem, block_size);
    EXPECT_EQ(verdict.outcome, Outcome::ok) << verdict.detail;
    return true;
}

// Calls body(variant) with every right variant of the table.
template <typename P, typename Body>
void for_each_right(const std::vector<Variant<P>>& table, Body body) {
    for (const Variant<P>& variant : table) {
        if (is_right(variant.kind)) {
            SCOPED_TRACE(variant.name);
            body(variant);
        }
    }
}

class Build : public VariantTest<BuildProblem> {};
class Find : public VariantTest<FindProblem> {};

TEST_P(Build, EqualsReference) {
    const auto& [variant, block_size] = GetParam();
    const std::string reason = why_skipped(variant, BuildProblem({1, 2, 3}, 1));
    if (!reason.empty()) {
        GTEST_SKIP() << variant.name << ": " << reason;
    }
    for (const std::size_t n : tested_lengths(block_size)) {
        for (const unsigned buckets : {1u, 1000u, 1024u}) {
            if (n > 2000 && buckets != 1000) {
                continue;  // long inputs take long
            }
            for (const KeyInput& input : key_inputs(n, buckets)) {
                SCOPED_TRACE(input.name + ", n = " + std::to_string(n) + ", " +
                             std::to_string(buckets) + " buckets");
                BuildProblem problem(input.keys, buckets);
                if (!expect_right(variant, problem, block_size)) {
                    continue;  // RefusesWhatItCannotDo says which input that may be
                }
                ASSERT_FALSE(HasFailure());
                if (!problem.lengths().empty() && n < 5000) {  // a chained table: compare it whole
                    ASSERT_EQ(contents(problem.host_chains()),
                              contents(cpu_table(input.keys, buckets)));
                }
                count_combination();
            }
        }
    }
}
INSTANTIATE_TEST_SUITE_P(All, Build, testing::ValuesIn(right_cases(build_variants())),
                         case_name<BuildProblem>);

TEST_P(Find, EqualsReference) {
    const auto& [variant, block_size] = GetParam();
    for (const std::size_t n : tested_lengths(block_size)) {
        for (const KeyInput& input : key_inputs(n, 1000)) {
            SCOPED_TRACE(input.name + ", n = " + std::to_string(n));
            FindProblem problem(input.keys, queries_for(input.keys));
            if (expect_right(variant, problem, block_size)) {
                ASSERT_FALSE(HasFailure());
                count_combination();
            }
        }
    }
}
INSTANTIATE_TEST_SUITE_P(All, Find, testing::ValuesIn(right_cases(find_variants())),
                         case_name<FindProblem>);

class WrongBuild : public VariantTest<BuildProblem> {};

// CUDA by Example checks that the entries are in the right buckets and as many as were put in. With
// values that were never filled that holds, so such a check finds nothing; ours does.
TEST_P(WrongBuild, FailsTheCheckAndPassesTheOneOfTheBook) {
    const std::vector<unsigned> keys = random_keys(1009, 0, 1);
    BuildProblem problem(keys, 100);
    const Verdict verdict = run_and_check(GetParam().variant, problem, GetParam().block_size);
    EXPECT_EQ(verdict.outcome, Outcome::wrong) << verdict.detail;
    std::size_t count = 0;
    const HostTable table = problem.host_chains();
    for (unsigned bucket = 0; bucket < 100; ++bucket) {
        for (unsigned at = table.heads[bucket]; at != end_of_chain; at = table.pool[at].next) {
            ++count;
            EXPECT_EQ(bucket_of(table.pool[at].key, 100), bucket);
        }
    }
    EXPECT_EQ(count, keys.size());
}
INSTANTIATE_TEST_SUITE_P(Wrong, WrongBuild,
                         testing::ValuesIn(cases_of_kind(build_variants(), Kind::wrong_result,
                                                         128)),
                         case_name<BuildProblem>);

class HashTable : public DeviceTest {};

// Any alignment: keys and values begin 1, 2, 3 elements after a 16-byte boundary.
TEST_F(HashTable, TakesAnyAlignment) {
    for (const std::size_t shift : {1, 2, 3}) {
        for (const std::size_t n : {0, 1, 2, 3, 4, 5, 8, 127, 1009, 20011}) {
            SCOPED_TRACE("shift " + std::to_string(shift) + ", n = " + std::to_string(n));
            const std::vector<unsigned> keys = random_keys(n, 0, n);
            for_each_right(build_variants(), [&](const auto& variant) {
                BuildProblem problem(keys, 100, "", shift);
                expect_right(variant, problem, 128);
                count_combination();
            });
            for_each_right(find_variants(), [&](const auto& variant) {
                FindProblem problem(keys, queries_for(keys), "", shift);
                expect_right(variant, problem, 128);
                count_combination();
            });
        }
    }
}

// Odd block sizes, down to a single thread.
TEST_F(HashTable, TakesAnyBlockSize) {
    const std::vector<unsigned> keys = random_keys(3001, 500, 1);
    for (const int block_size : {1, 2, 31, 33, 96, 1000, 1023}) {
        SCOPED_TRACE("block size " + std::to_string(block_size));
        for_each_right(build_variants(), [&](const auto& variant) {
            if (!variant.block_is_fixed) {
                BuildProblem problem(keys, 77);
                expect_right(variant, problem, block_size);
                count_combination();
            }
        });
        for_each_right(find_variants(), [&](const auto& variant) {
            if (!variant.block_is_fixed) {
                FindProblem problem(keys, queries_for(keys));
                expect_right(variant, problem, block_size);
                count_combination();
            }
        });
    }
}

// From fewer to many more buckets than keys, and around every limit of the variants.
TEST_F(HashTable, TakesAnyNumberOfBuckets) {
    for (const unsigned buckets :
         {1u, 2u, 3u, 31u, 255u, 256u, 257u, 1023u, 1025u, 6143u, 6144u, 6145u, 1000003u}) {
        SCOPED_TRACE(std::to_string(buckets) + " buckets");
        for_each_right(build_variants(), [&](const auto& variant) {
            BuildProblem problem(random_keys(5003, 0, buckets), buckets);
            if (expect_right(variant, problem)) {
                count_combination();
            }
        });
    }
}

// Load factors (keys per bucket) from 0.1 to 64: builds, and searches in the chains.
TEST_F(HashTable, TakesAnyLoadFactor) {
    constexpr std::size_t n = 2000;
    const std::vector<unsigned> keys = random_keys(n, 0, 1);
    const std::vector<unsigned> queries = queries_for(keys);
    const InputPairs pairs(keys, 0);
    const common::DeviceArray<unsigned> d_queries(queries);
    const common::DeviceArray<unsigned> d_found(queries.size());
    for (const double load : {0.1, 0.25, 0.5, 0.8, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0}) {
        const auto buckets = static_cast<unsigned>(n / load);
        SCOPED_TRACE("load factor " + std::to_string(load));
        for_each_right(build_variants(), [&](const auto& variant) {
            BuildProblem problem(keys, buckets);
            if (expect_right(variant, problem)) {
                count_combination();
            }
        });
        const ChainedStorage chains(n, buckets);
        launch_lock_free_push(pairs.d_keys(), pairs.d_values(), n, chains.table(), 64);
        launch_find_in_chains(d_queries.data(), queries.size(), chains.table(), d_found.data(), 64);
        const Verdict found = check_found(d_found.to_host(), queries, keys);
        EXPECT_EQ(found.outcome, Outcome::ok) << found.detail;
    }
}

// The same for slots, of which at most all but one may be full.
TEST_F(HashTable, FillsSlotsUpToTheLastButOne) {
    const std::vector<unsigned> keys = random_keys(997, 900, 1);
    const std::vector<unsigned> queries = queries_for(keys);
    const InputPairs pairs(keys, 0);
    const common::DeviceArray<unsigned> d_queries(queries);
    const common::DeviceArray<unsigned> d_found(queries.size());
    for (const std::size_t slots : {998u, 1050u, 1247u, 2000u, 9970u}) {
        SCOPED_TRACE(std::to_string(slots) + " slots");
        const common::DeviceArray<Slot> d_slots(slots);
        launch_linear_probing(pairs.d_keys(), pairs.d_values(), pairs.n(), d_slots.data(), slots,
                              64);
        const Verdict built = check_slots(d_slots.to_host(), keys);
        EXPECT_EQ(built.outcome, Outcome::ok) << built.detail;
        launch_find_in_slots(d_queries.data(), queries.size(), d_slots.data(), slots,
                             d_found.data(), 64);
        const Verdict found = check_found(d_found.to_host(), queries, keys);
        EXPECT_EQ(found.outcome, Outcome::ok) << found.detail;
        count_combination();
    }
}

// Against std::unordered_multimap, with 100 seeds: each has another number of keys, of different
// keys, of buckets and of threads per block.
TEST_F(HashTable, EqualsTheStandardMultimap) {
    for (unsigned seed = 1; seed <= 100; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        harness::Generator generator(seed);
        const auto below = [&](unsigned limit) {
            return static_cast<unsigned>(harness::uniform_below(generator, limit));
        };
        std::vector<unsigned> keys = random_keys(1 + below(500), 1 + below(300), seed);
        keys.insert(keys.end(), {0u, 0xffffffffu, 0u});
        const unsigned buckets = 1 + below(300);
        const int block_size = static_cast<int>(1 + below(256));
        const std::vector<unsigned> values = values_for(keys.size());
        std::unordered_multimap<unsigned, unsigned> expected;
        for (std::size_t i = 0; i < keys.size(); ++i) {
            expected.emplace(keys[i], values[i]);
        }
        for_each_right(build_variants(), [&](const auto& variant) {
            BuildProblem problem(keys, buckets);
            if (!expect_right(variant, problem, block_size) || problem.lengths().empty()) {
                return;  // skipped, or no chained table: the searches below look into those
            }
            std::unordered_multimap<unsigned, unsigned> actual;
            const HostTable table = problem.host_chains();
            for (const unsigned head : table.heads) {
                for (unsigned at = head; at != end_of_chain; at = table.pool[at].next) {
                    actual.emplace(table.pool[at].key, table.pool[at].value);
                }
            }
            EXPECT_TRUE(actual == expected);
            count_combination();
        });
        const std::vector<unsigned> queries = queries_for(keys);
        for_each_right(find_variants(), [&](const auto& variant) {
            FindProblem problem(keys, queries);
            expect_right(variant, problem, block_size);
            const std::vector<unsigned> found = problem.host_found();
            for (std::size_t q = 0; q < queries.size(); ++q) {
                const auto [first, last] = expected.equal_range(queries[q]);
                const bool right = first == last ? found[q] == no_value
                                                 : std::any_of(first, last, [&](const auto& pair) {
                                                       return pair.second == found[q];
                                                   });
                EXPECT_TRUE(right) << "key " << queries[q] << ": " << found[q];
            }
            count_combination();
        });
    }
}

// The most that threads can get in each other's way: 100003 keys for one bucket of 1000, and one
// key 100003 times.
TEST_F(HashTable, AllAtOneLock) {
    for (const unsigned factor : {1000u, 0u}) {
        SCOPED_TRACE("factor " + std::to_string(factor));
        std::vector<unsigned> keys(100003);
        for (std::size_t i = 0; i < keys.size(); ++i) {
            keys[i] = 7 + static_cast<unsigned>(i % 20011) * factor;
        }
        for_each_right(build_variants(), [&](const auto& variant) {
            BuildProblem problem(keys, 1000);
            if (expect_right(variant, problem)) {
                count_combination();
            }
        });
        for_each_right(find_variants(), [&](const auto& variant) {
            FindProblem problem(keys, keys);
            if (expect_right(variant, problem)) {
                count_combination();
            }
        });
    }
}

// The same problem again and again: a run leaves its locks free, depends on nothing that the run
// before it left, and the searched tables survive that the outputs are poisoned.
TEST_F(HashTable, EveryRunBeginsAnew) {
    const std::vector<unsigned> keys = random_keys(5003, 2000, 1);
    BuildProblem build(keys, 100);
    FindProblem find(keys, queries_for(keys));
    for (int round = 0; round < 3; ++round) {
        for_each_right(build_variants(), [&](const auto& variant) {
            expect_right(variant, build, 64);
            EXPECT_EQ(build.host_locks(), std::vector<int>(build.buckets(), 0));
            count_combination();
        });
        for_each_right(find_variants(), [&](const auto& variant) {
            expect_right(variant, find, 64);
            count_combination();
        });
    }
}

// Keys that all begin their search in the last slots: the search goes on at slot 0.
TEST_F(HashTable, LinearProbingGoesRoundTheEnd) {
    constexpr std::size_t n = 40;
    const std::size_t slots = slots_for(n);
    std::vector<unsigned> keys;
    std::vector<unsigned> queries;
    for (unsigned key = 0; keys.size() < n || queries.size() < n; ++key) {
        if (home_slot(key, slots) >= slots - 2) {
            (keys.size() < n ? keys : queries).push_back(key);
        }
    }
    queries.insert(queries.end(), keys.begin(), keys.end());
    for_each_right(build_variants(), [&](const auto& variant) {
        BuildProblem problem(keys, 10);
        expect_right(variant, problem);
        count_combination();
    });
    for_each_right(find_variants(), [&](const auto& variant) {
        FindProblem problem(keys, queries);
        expect_right(variant, problem);
        const std::vector<unsigned> found = problem.host_found();
        EXPECT_EQ(std::count(found.begin(), found.end(), no_value), static_cast<long>(n));
        count_combination();
    });
}

// No key is reserved as the mark of an empty slot or of the end of a chain.
TEST_F(HashTable, FindsSmallestAndLargestKeyOnlyIfPutIn) {
    const std::vector<unsigned> queries{0, 0xffffffffu, 5};
    for_each_right(find_variants(), [&](const auto& variant) {
        FindProblem with({0xffffffffu, 5, 0}, queries);
        expect_right(variant, with);
        EXPECT_EQ(with.host_found(), (std::vector<unsigned>{0, 2, 1}));
        FindProblem without({5}, queries);
        expect_right(variant, without);
        EXPECT_EQ(without.host_found(), (std::vector<unsigned>{no_value, no_value, 0}));
        count_combination();
    });
}

// A variant that builds nothing fails, even where there is nothing to put in, and after a right
// one.
TEST_F(HashTable, NothingBuiltIsWrong) {
    BuildProblem problem({}, 1);
    EXPECT_EQ(problem.check(0).outcome, Outcome::wrong);
    for_each_right(build_variants(), [&](const auto& variant) { expect_right(variant, problem); });
    const Variant<BuildProblem> idle{"idle", "", Kind::right, [](BuildProblem&) {}};
    EXPECT_EQ(run_and_check(idle, problem).outcome, Outcome::wrong);
    EXPECT_TRUE(problem.lengths().empty());
}

// What a variant cannot do it says beforehand, and only then.
TEST_F(HashTable, RefusesWhatItCannotDo) {
    constexpr unsigned max_buckets = 48 * 1024 / 8;
    const BuildProblem many_buckets(random_keys(10, 0, 1), max_buckets + 1);
    EXPECT_NE(skip_reason_block_chains<false>(many_buckets), "");
    const BuildProblem enough_buckets(random_keys(10, 0, 1), max_buckets);
    EXPECT_EQ(skip_reason_block_chains<false>(enough_buckets), "");

    EXPECT_NEAR(expected_extra_probes(std::vector<unsigned>(100003, 7)), 100003.0 * 100002 / 2,
                1e6);
    EXPECT_NEAR(expected_extra_probes(random_keys(100003, 0, 1)), 0, 2000);
    EXPECT_EQ(skip_reason_linear_probing(InputPairs(random_keys(100003, 0, 1), 0)), "");
    EXPECT_NE(skip_reason_linear_probing(InputPairs(std::vector<unsigned>(1000003, 7), 0)), "");
    EXPECT_EQ(skip_reason_linear_probing(InputPairs({}, 0)), "");
}

// A launch with locks has the book's grid for the book's table, and never none or too many blocks.
TEST_F(HashTable, FewThreadsPerLock) {
    const auto resident = [](std::size_t n) { return common::blocks_to_fill_device(n, 256); };
    EXPECT_LE(blocks_for_locks(26214400, 1024, 256), 60);
    EXPECT_EQ(blocks_for_locks(26214400, 1, 256), 1);
    EXPECT_EQ(blocks_for_locks(0, 1 << 20, 256), 1);
    EXPECT_EQ(blocks_for_locks(26214400, 1u << 30, 256), resident(26214400));
    EXPECT_EQ(blocks_for_locks(257, 1u << 30, 256), std::min(2, resident(257)));
}

// append_merged_chains on block chains of none to two entries, of more blocks than a warp has
// lanes.
TEST_F(HashTable, MergesTheChainsOfAnyNumberOfBlocks) {
    constexpr unsigned buckets = 3;
    for (const unsigned blocks : {1u, 2u, 31u, 32u, 33u, 70u}) {
        std::vector<unsigned> keys;
        std::vector<Entry> pool;
        std::vector<ChainEnds> ends;
        for (unsigned block = 0; block < blocks; ++block) {
            for (unsigned bucket = 0; bucket < buckets; ++bucket) {
                ChainEnds chain{end_of_chain, end_of_chain};
                for (unsigned i = 0; i < (block + bucket) % 3; ++i) {
                    const auto entry = static_cast<unsigned>(pool.size());
                    keys.push_back(buckets * entry + bucket);
                    pool.push_back({keys.back(), 0, chain.first});
                    chain = {entry, i == 0 ? entry : chain.last};
                }
                ends.push_back(chain);
            }
        }
        const std::vector<unsigned> values = values_for(keys.size());
        for (std::size_t i = 0; i < pool.size(); ++i) {
            pool[i].value = values[i];
        }
        const common::DeviceArray<ChainEnds> d_ends(ends);
        const common::DeviceArray<Entry> d_pool(pool);
        const common::DeviceArray<unsigned> d_heads(std::vector<unsigned>(buckets, end_of_chain));
        const common::DeviceArray<int> d_locks(std::vector<int>(buckets, 0));
        const ChainedTable table{d_heads.data(), d_pool.data(), buckets};
        append_merged_chains<<<common::blocks_to_cover(buckets * common::warp_size, 64), 64>>>(
            d_ends.data(), blocks, table, d_locks.data());
        CHECK_LAUNCH();
        std::vector<unsigned> lengths;
        const Verdict verdict = check_chains(d_heads.to_host(), d_pool.to_host(), keys, lengths);
        EXPECT_TRUE(verdict.holds()) << blocks << " blocks: " << verdict.detail;
    }
}

// CUDA by Example copies its lock by value into the array that the kernel gets, and the copy's
// destructor frees the lock's word. What our kernels are given owns nothing; what owns memory
// cannot be copied.
static_assert(std::is_trivially_copyable_v<ChainedTable>);
static_assert(std::is_trivially_destructible_v<ChainedTable>);
static_assert(std::is_trivially_copyable_v<AppendUnderLock>);
static_assert(std::is_trivially_destructible_v<AppendUnderLock>);
static_assert(!std::is_copy_constructible_v<ChainedStorage>);

// Each launcher's file is in the chapter's folder, under the name that the table gives.
TEST(HashTableVariants, NameFilesThatAreThere) {
    expect_sources_exist("hash_table", build_variants());
    expect_sources_exist("hash_table", find_variants());
}

}  // namespace
