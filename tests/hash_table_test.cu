// Every variant of hash_table against the CPU reference, and the check itself against planted
// faults.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <set>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "hash_table/hash_table_variants.cuh"
#include "tests/device_test.cuh"
#include "tests/partition_check.cuh"

namespace {

struct Input {
    std::string name;
    std::vector<unsigned> keys;
};

std::vector<Input> inputs(std::size_t n, unsigned buckets) {
    std::vector<Input> all;
    for (const std::uint64_t seed : {1, 2, 3}) {
        all.push_back({"random, seed " + std::to_string(seed), random_keys(n, 0, seed)});
    }
    all.push_back({"1000 different keys", random_keys(n, 1000, 4)});
    std::vector<unsigned> keys(n);
    std::iota(keys.begin(), keys.end(), 0u);
    all.push_back({"sorted from 0", keys});
    std::iota(keys.rbegin(), keys.rend(), 0xffffffffu - static_cast<unsigned>(n) + 1);
    all.push_back({"falling from the largest key", keys});
    // One lock for all. Long inputs of this kind have a test of their own, AllAtOneLock.
    if (n <= 5000) {
        all.push_back({"all equal", std::vector<unsigned>(n, 4711)});
        for (std::size_t i = 0; i < n; ++i) {
            keys[i] = i % 2 == 0 ? 0 : 0xffffffffu;
        }
        all.push_back({"smallest and largest key in turns", keys});
        for (std::size_t i = 0; i < n; ++i) {
            keys[i] = static_cast<unsigned>(i) * buckets;
        }
        all.push_back({"all in one bucket", keys});
    }
    return all;
}

// All keys in another order, and some that were not put in (or hardly any of them).
std::vector<unsigned> queries_for(const std::vector<unsigned>& keys) {
    std::vector<unsigned> queries = shuffled(keys, 5);
    const std::vector<unsigned> others = random_keys(50, 0, 6);
    queries.insert(queries.end(), others.begin(), others.end());
    queries.insert(queries.end(), {0u, 1u, 4711u, 0x7fffffffu, 0x80000000u, 0xffffffffu});
    return queries;
}

// The (key, value) pairs of each bucket, sorted: what two tables with the same content share.
std::vector<std::vector<Slot>> contents(const HostTable& table) {
    std::vector<std::vector<Slot>> all(table.heads.size());
    for (std::size_t bucket = 0; bucket < all.size(); ++bucket) {
        for (unsigned at = table.heads[bucket]; at != end_of_chain; at = table.pool[at].next) {
            all[bucket].push_back(pack(table.pool[at].key, table.pool[at].value));
        }
        std::sort(all[bucket].begin(), all[bucket].end());
    }
    return all;
}

// Why this device cannot run the variant on any input, or empty.
std::string why_not_here(const Variant<HashProblem>& variant) {
    return why_unavailable(variant, HashProblem({1, 2, 3}, 1, 32));
}

class HashTableVariant : public VariantTest<HashProblem> {};

TEST_P(HashTableVariant, EqualsReference) {
    const Variant<HashProblem>& variant = GetParam().variant;
    const std::string reason = why_not_here(variant);
    if (!reason.empty()) {
        GTEST_SKIP() << variant.name << ": " << reason;
    }
    for (const std::size_t n : tested_lengths(GetParam().block_size)) {
        for (const unsigned buckets : {1u, 1000u, 1024u}) {
            if (n > 2000 && buckets != 1000) {
                continue;  // the long inputs take their time
            }
            for (const Input& input : inputs(n, buckets)) {
                SCOPED_TRACE(input.name + ", n = " + std::to_string(n) + ", " +
                             std::to_string(buckets) + " buckets");
                HashProblem problem(input.keys, buckets, GetParam().block_size,
                                    queries_for(input.keys));
                if (!why_unavailable(variant, problem).empty()) {
                    continue;  // Refuses says which input that may be
                }
                const Verdict verdict = run_and_check(variant, problem);
                ASSERT_EQ(verdict.outcome, Outcome::ok) << verdict.detail;
                if (!problem.lengths().empty() && n < 5000) {  // a chained table: compare it whole
                    ASSERT_EQ(contents(problem.host_chains()),
                              contents(build_cpu(input.keys, values_for(n), buckets)));
                }
                count_combination();
            }
        }
    }
}
INSTANTIATE_TEST_SUITE_P(All, HashTableVariant, testing::ValuesIn(right_cases(hash_variants())),
                         case_name<HashProblem>);

class WrongHashTable : public VariantTest<HashProblem> {};

TEST_P(WrongHashTable, FailsTheCheck) {
    HashProblem problem(random_keys(1009, 0, 1), 100, GetParam().block_size);
    const Verdict verdict = run_and_check(GetParam().variant, problem);
    EXPECT_EQ(verdict.outcome, Outcome::wrong) << verdict.detail;
}
INSTANTIATE_TEST_SUITE_P(Wrong, WrongHashTable,
                         testing::ValuesIn(cases_of_kind(hash_variants(), Kind::wrong_result, 128)),
                         case_name<HashProblem>);

class HashTable : public DeviceTest {
  protected:
    // Calls `body` with every right variant that the device can run.
    void for_each_right(const std::function<void(const Variant<HashProblem>&)>& body) {
        for (const auto& variant : hash_variants()) {
            if (is_right(variant.kind) && why_not_here(variant).empty()) {
                SCOPED_TRACE(variant.name);
                body(variant);
            }
        }
    }
};

// Any alignment: keys and values begin 1, 2, 3 elements behind a 16-byte boundary.
TEST_F(HashTable, TakesAnyAlignment) {
    for_each_right([&](const auto& variant) {
        for (const std::size_t shift : {1, 2, 3}) {
            for (const std::size_t n : {0, 1, 2, 3, 4, 5, 8, 127, 1009, 20011}) {
                const std::vector<unsigned> keys = random_keys(n, 0, n);
                HashProblem problem(keys, 100, 128, queries_for(keys), shift);
                const Verdict verdict = run_and_check(variant, problem);
                EXPECT_EQ(verdict.outcome, Outcome::ok)
                    << "shift " << shift << ", n = " << n << ": " << verdict.detail;
                count_combination();
            }
        }
    });
}

// Odd block sizes, down to a single thread.
TEST_F(HashTable, TakesAnyBlockSize) {
    for_each_right([&](const auto& variant) {
        for (const int block_size : {1, 2, 31, 33, 96, 1000, 1023}) {
            const std::vector<unsigned> keys = random_keys(3001, 500, 1);
            HashProblem problem(keys, 77, block_size, queries_for(keys));
            const Verdict verdict = run_and_check(variant, problem);
            EXPECT_EQ(verdict.outcome, Outcome::ok)
                << "block size " << block_size << ": " << verdict.detail;
            count_combination();
        }
    });
}

// From fewer to many more buckets than keys, and around every limit of the variants.
TEST_F(HashTable, TakesAnyNumberOfBuckets) {
    for_each_right([&](const auto& variant) {
        for (const unsigned buckets :
             {1u, 2u, 3u, 31u, 255u, 256u, 257u, 1023u, 1025u, 6143u, 6144u, 6145u, 1000003u}) {
            const std::vector<unsigned> keys = random_keys(5003, 0, buckets);
            HashProblem problem(keys, buckets, 256, queries_for(keys));
            if (why_unavailable(variant, problem).empty()) {
                const Verdict verdict = run_and_check(variant, problem);
                EXPECT_EQ(verdict.outcome, Outcome::ok) << buckets << ": " << verdict.detail;
                count_combination();
            }
        }
    });
}

// The most that threads can get in each other's way: 100003 keys for one bucket of 1000, and one
// key 100003 times.
TEST_F(HashTable, AllAtOneLock) {
    for_each_right([&](const auto& variant) {
        for (const unsigned factor : {1000u, 0u}) {
            std::vector<unsigned> keys(100003);
            for (std::size_t i = 0; i < keys.size(); ++i) {
                keys[i] = 7 + static_cast<unsigned>(i % 20011) * factor;
            }
            HashProblem problem(keys, 1000, 256, keys);
            if (why_unavailable(variant, problem).empty()) {
                const Verdict verdict = run_and_check(variant, problem);
                EXPECT_EQ(verdict.outcome, Outcome::ok) << factor << ": " << verdict.detail;
                count_combination();
            }
        }
    });
}

// The same problem again and again: a run leaves its locks free, depends on nothing that the run
// before left, and the searched tables survive that the outputs are poisoned.
TEST_F(HashTable, EveryRunBeginsAnew) {
    const std::vector<unsigned> keys = random_keys(5003, 2000, 1);
    HashProblem problem(keys, 100, 64, queries_for(keys));
    for (int round = 0; round < 3; ++round) {
        for_each_right([&](const auto& variant) {
            const Verdict verdict = run_and_check(variant, problem);
            EXPECT_EQ(verdict.outcome, Outcome::ok) << verdict.detail;
            std::vector<int> locks(problem.buckets);
            CHECK(cudaMemcpy(locks.data(), problem.d_locks(), locks.size() * sizeof(int),
                             cudaMemcpyDeviceToHost));
            EXPECT_EQ(locks, std::vector<int>(problem.buckets, 0));
            count_combination();
        });
    }
}

// What a variant cannot do it says beforehand, and only then.
TEST_F(HashTable, RefusesWhatItCannotDo) {
    HashProblem many_buckets(random_keys(10, 0, 1), most_buckets_to_splice + 1, 64);
    EXPECT_NE(why_not_splice(many_buckets), "");
    HashProblem enough_buckets(random_keys(10, 0, 1), most_buckets_to_splice, 64);
    EXPECT_EQ(why_not_splice(enough_buckets), "");

    HashProblem all_equal(std::vector<unsigned>(100003, 7), 10, 64);
    EXPECT_NEAR(all_equal.equal_pairs(), 100003.0 * 100002 / 2, 1e6);
    HashProblem different(random_keys(100003, 0, 1), 10, 64);
    EXPECT_NEAR(different.equal_pairs(), 0, 2000);
    EXPECT_EQ(why_not_open(different), "");
    HashProblem most_equal(std::vector<unsigned>(1000003, 7), 10, 64);
    EXPECT_NE(why_not_open(most_equal), "");
    HashProblem none({}, 10, 64);
    EXPECT_EQ(why_not_open(none), "");
}

// A launch with locks has the book's grid for the book's table, and never none or too many blocks.
TEST_F(HashTable, FewThreadsAtALock) {
    EXPECT_LE(blocks_at_locks(26214400, 1024, 256), 60);
    EXPECT_EQ(blocks_at_locks(26214400, 1, 256), 1);
    EXPECT_EQ(blocks_at_locks(0, 1 << 20, 256), 1);
    EXPECT_EQ(blocks_at_locks(26214400, 1u << 30, 256), blocks_to_fill_device(26214400, 256));
    EXPECT_EQ(blocks_at_locks(257, 1u << 30, 256), std::min(2, blocks_to_fill_device(257, 256)));
}

// --- the partition step, and the table in parts -------------------------------------------------

// splice_joined on sub-chains of none to two entries, of more blocks than a warp has lanes.
TEST_F(HashTable, JoinsTheSubChainsOfAnyNumberOfBlocks) {
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
        const DeviceArray<ChainEnds> d_ends(ends);
        const DeviceArray<Entry> d_pool(pool);
        const DeviceArray<unsigned> d_heads(std::vector<unsigned>(buckets, end_of_chain));
        const DeviceArray<int> d_locks(std::vector<int>(buckets, 0));
        const ChainedTable table{d_heads.data(), d_pool.data(), buckets};
        splice_joined<<<blocks_to_cover(buckets * warp_size, 64), 64>>>(d_ends.data(), blocks,
                                                                        table, d_locks.data());
        CHECK_LAUNCH();
        std::vector<unsigned> lengths;
        const Verdict verdict = check_chains(d_heads.to_host(), d_pool.to_host(), keys, lengths);
        EXPECT_TRUE(verdict.holds()) << blocks << " blocks: " << verdict.detail;
    }
}

TEST_F(HashTable, PartitionStep) {
    const auto overflows = partition_and_check<64, 5>;
    for (const std::size_t n : {0, 1, 2, 31, 32, 33, 319, 320, 321, 640, 641, 10007}) {
        for (const unsigned parts : {1u, 2u, 3u, 63u, 64u, 65u, 1000u, most_parts}) {
            if (parts > most_parts_a_step()) {
                continue;  // more than this GPU has shared memory for
            }
            SCOPED_TRACE(std::to_string(n) + " items, " + std::to_string(parts) + " parts");
            const auto even = static_cast<unsigned>(n / parts);
            std::vector<unsigned> numbers(n);
            std::iota(numbers.begin(), numbers.end(), 0u);
            EXPECT_FALSE(overflows(shuffled(numbers, n), parts, even + 1));
            if (n > parts) {  // one place too few in the first part
                EXPECT_TRUE(overflows(numbers, parts, even + (n % parts != 0) - 1));
            }
            overflows(random_keys(n, 0, n + parts), parts, even + even / 2 + 4);
            EXPECT_EQ(overflows(std::vector<unsigned>(n, 4711), parts, even + 10), n > even + 10);
            count_combination();
        }
    }
}

// `count` different keys of one part of the table of n pairs.
std::vector<unsigned> keys_of_part(unsigned part, std::size_t count, std::size_t n) {
    const unsigned parts = part_shape(n).parts();
    std::vector<unsigned> keys;
    for (unsigned key = 0; keys.size() < count; ++key) {
        if (part_of_key(key, parts) == part) {
            keys.push_back(key);
        }
    }
    return keys;
}

// What a hash should not let happen, and the keys can: parts that are full to the last place, that
// fit no block's shared memory, that are empty; queries that all want the same part.
TEST_F(HashTable, PartsOfAnySize) {
    const unsigned capacity = part_shape(1).capacity;
    const std::size_t n = 3 * std::size_t{capacity};
    const unsigned parts = part_shape(n).parts();
    ASSERT_GT(parts, 3u);
    const std::vector<unsigned> even = random_keys(n, 0, 1);
    std::vector<std::pair<std::string, std::vector<unsigned>>> all;
    for (const unsigned size : {capacity - 1, capacity, capacity + 1}) {
        std::vector<unsigned> keys = keys_of_part(parts - 1, size, n);
        const std::vector<unsigned> others = keys_of_part(1, (n - size) / 2, n);
        keys.insert(keys.end(), others.begin(), others.end());
        const std::vector<unsigned> rest = keys_of_part(0, n - keys.size(), n);
        keys.insert(keys.end(), rest.begin(), rest.end());
        all.emplace_back(std::to_string(size) + " in the last part", shuffled(keys, size));
    }
    all.emplace_back("all in one part", keys_of_part(2, n, n));
    all.emplace_back("all equal", std::vector<unsigned>(n, 0xffffffffu));
    std::vector<unsigned> half = even;
    std::fill(half.begin() + static_cast<long>(n / 2), half.end(), even[0]);
    all.emplace_back("half of them equal", half);
    all.emplace_back("two in turns", random_keys(n, 2, 5));
    for (const auto& variant : hash_variants()) {
        if (variant.name != "parts" && variant.name != "find_parts") {
            continue;
        }
        for (const auto& [name, keys] : all) {
            SCOPED_TRACE(variant.name + ", " + name);
            HashProblem problem(keys, 1000, 256, is_search(variant) ? even : keys);
            const Verdict verdict = run_and_check(variant, problem);
            EXPECT_EQ(verdict.outcome, Outcome::ok) << verdict.detail;
            if (is_search(variant)) {
                HashProblem turned(even, 1000, 256, keys);
                EXPECT_EQ(run_and_check(variant, turned).outcome, Outcome::ok);
                HashProblem itself(keys, 1000, 256, shuffled(keys, 1));
                EXPECT_EQ(run_and_check(variant, itself).outcome, Outcome::ok);
            }
            count_combination();
        }
    }
}

// The cut of the table: every part has room for what is to be expected in it, and no number grows
// out of its limits.
TEST_F(HashTable, PartShape) {
    for (const std::size_t n :
         {std::size_t{0}, std::size_t{1}, std::size_t{20000}, std::size_t{26214400},
          std::size_t{100000000}, std::size_t{1000000000}, most_keys}) {
        const PartShape shape = part_shape(n);
        EXPECT_GE(shape.regions, 1u);
        EXPECT_GE(shape.parts_a_region, 1u);
        EXPECT_LE(shape.regions, most_parts_a_step());
        EXPECT_LE(shape.parts_a_region,
                  shape.regions == 1 ? most_parts_a_step() : most_parts_a_region);
        EXPECT_LT(shape.capacity, 65536u);  // offsets in a part that fits have 16 bits
        EXPECT_LE(n / shape.parts(), shape.capacity - shape.capacity / 20);
        // A region may get all n pairs, if most keys are equal.
        for (const std::size_t items : {n, n / shape.regions}) {
            for (const unsigned parts : {1u, shape.regions, shape.parts_a_region}) {
                const std::size_t room = room_a_part(items, parts);
                EXPECT_LE(parts * room, std::size_t{most_room});
                EXPECT_GE(room + 32, std::min<std::size_t>(items, most_room) / parts);
            }
        }
        for (const unsigned key : random_keys(1000, 0, 1)) {  // each part lies in its region
            EXPECT_EQ(part_of_key(key, shape.parts()) / shape.parts_a_region,
                      part_of_key(key, shape.regions));
        }
    }
}

// A table with so many parts that two steps make them, in small: regions of random keys, of none,
// and regions, parts and rooms that are too small for what comes.
TEST_F(HashTable, PartsInRegions) {
    const std::size_t n = 5003;
    std::vector<std::pair<std::string, std::vector<unsigned>>> all;
    all.emplace_back("random", random_keys(n, 0, 1));
    all.emplace_back("all equal", std::vector<unsigned>(n, 0xffffffffu));
    all.emplace_back("two in turns", random_keys(n, 2, 5));
    all.emplace_back("one", std::vector<unsigned>{7});
    for (const auto& variant : hash_variants()) {
        if (variant.name != "parts" && variant.name != "find_parts") {
            continue;
        }
        for (const PartShape& shape :
             {PartShape{2, 1, 64, 4000}, PartShape{2, 3, 8, 1000}, PartShape{7, 5, 8, 200},
              PartShape{7, 5, 8, 100}, PartShape{64, 9, 2, 20}}) {
            for (const auto& [name, keys] : all) {
                SCOPED_TRACE(variant.name + ", " + std::to_string(shape.regions) + " regions, " +
                             name);
                HashProblem problem(keys, 1000, 256, queries_for(keys));
                problem.shape = shape;
                const Verdict verdict = run_and_check(variant, problem);
                EXPECT_EQ(verdict.outcome, Outcome::ok) << verdict.detail;
                EXPECT_EQ(run_and_check(variant, problem).outcome, Outcome::ok);
                count_combination();
            }
        }
    }
}

// What runs side by side has neither a stream nor memory in common.
TEST_F(HashTable, TracksShareNothing) {
    HashProblem problem({1, 2, 3}, 10, 32);
    EXPECT_EQ(problem.track().stream(), nullptr);
    std::set<cudaStream_t> streams{problem.track().stream()};
    std::set<void*> memories{problem.track().d_scratch(64)};
    for (unsigned region = 0; region < 3 * region_tracks; ++region) {
        streams.insert(problem.region_track(region).stream());
        memories.insert(problem.region_track(region).d_scratch(64));
        EXPECT_EQ(streams.size(), 1 + std::min(region + 1, region_tracks));
        EXPECT_EQ(memories.size(), streams.size());
    }
}

// And side by side they are, on a GPU: regions whose kernels last longer than it takes to queue
// them. What two of them had in common, one would spoil for the other.
TEST_F(HashTable, RegionsSideBySide) {
    const std::size_t n = on_cpu_device ? 40'000 : 16'000'000;
    const std::vector<unsigned> keys = random_keys(n, 0, 1);
    for (const auto& variant : hash_variants()) {
        if (variant.name != "parts" && variant.name != "find_parts") {
            continue;
        }
        HashProblem problem(keys, 1000, 256, queries_for(keys));
        problem.shape = part_shape(n);
        problem.shape.parts_a_region = problem.shape.parts() / 20 + 1;
        problem.shape.regions = 20;
        for (int run = 0; run < 2; ++run) {
            const Verdict verdict = run_and_check(variant, problem);
            EXPECT_EQ(verdict.outcome, Outcome::ok) << variant.name << ": " << verdict.detail;
        }
        count_combination();
    }
}

// Keys that all begin their search in the last slots: the search goes on at slot 0.
TEST_F(HashTable, OpenAddressingGoesRoundTheEnd) {
    constexpr std::size_t n = 40;
    constexpr std::size_t slots = n + n / 4 + 1;
    std::vector<unsigned> keys;
    std::vector<unsigned> absent;
    for (unsigned key = 0; keys.size() < n || absent.size() < n; ++key) {
        if (home_slot(key, slots) >= slots - 2) {
            (keys.size() < n ? keys : absent).push_back(key);
        }
    }
    std::vector<unsigned> queries = keys;
    queries.insert(queries.end(), absent.begin(), absent.end());
    HashProblem problem(keys, 10, 32, queries);
    ASSERT_EQ(problem.slots(), slots);
    for (const auto& variant : hash_variants()) {
        if (variant.name == "open_addressing" || variant.name == "find_open") {
            const Verdict verdict = run_and_check(variant, problem);
            EXPECT_EQ(verdict.outcome, Outcome::ok) << verdict.detail;
            count_combination();
        }
    }
    const std::vector<unsigned> found = problem.host_found();
    EXPECT_EQ(std::count(found.begin(), found.end(), no_value), static_cast<long>(n));
}

// No key is reserved as the mark of an empty slot or of the end of a chain.
TEST_F(HashTable, FindsSmallestAndLargestKeyOnlyIfPutIn) {
    const std::vector<unsigned> queries{0, 0xffffffffu, 5};
    for (const auto& variant : hash_variants()) {
        if (is_search(variant)) {
            SCOPED_TRACE(variant.name);
            HashProblem with({0xffffffffu, 5, 0}, 10, 32, queries);
            EXPECT_EQ(run_and_check(variant, with).outcome, Outcome::ok);
            EXPECT_EQ(with.host_found(), (std::vector<unsigned>{0, 2, 1}));
            HashProblem without({5}, 10, 32, queries);
            EXPECT_EQ(run_and_check(variant, without).outcome, Outcome::ok);
            EXPECT_EQ(without.host_found(), (std::vector<unsigned>{no_value, no_value, 0}));
            count_combination();
        }
    }
}

// Wrong variants end, and the check of whatever they leave ends, too.
TEST_F(HashTable, WrongVariantsEnd) {
    for (const auto& variant : hash_variants()) {
        if (!is_right(variant.kind)) {
            SCOPED_TRACE(variant.name);
            HashProblem problem(random_keys(20011, 0, 1), 7, 128);
            EXPECT_NE(run_and_check(variant, problem).detail, "");
            count_combination();
        }
    }
}

// A variant that makes nothing fails even where there was nothing to do.
TEST_F(HashTable, NothingMadeIsWrong) {
    HashProblem problem({}, 1, 32);
    EXPECT_EQ(problem.check().outcome, Outcome::wrong);
    const Variant<HashProblem> idle{"idle", "", Kind::right, [](HashProblem&) {}};
    run_splice(problem);
    EXPECT_EQ(problem.check().outcome, Outcome::ok);
    EXPECT_EQ(run_and_check(idle, problem).outcome, Outcome::wrong);
}

TEST_F(HashTable, ByHandEqualsReference) {
    for (const std::size_t n : {0, 1, 1009}) {
        const std::vector<unsigned> keys = random_keys(n, 300, 1);
        const HostTable table = build_by_hand(keys, values_for(n), 100, 128);
        std::vector<unsigned> lengths;
        const Verdict verdict = check_chains(table.heads, table.pool, keys, lengths);
        EXPECT_EQ(verdict.outcome, Outcome::ok) << verdict.detail;
        EXPECT_EQ(contents(table), contents(build_cpu(keys, values_for(n), 100)));
    }
}

// CUDA by Example copies its lock by value into the array that the kernel gets, and the copy's
// destructor frees the lock's word. What our kernels are given owns nothing, so copies are
// harmless; what owns memory cannot be copied.
TEST_F(HashTable, KernelArgumentsOwnNothing) {
    static_assert(std::is_trivially_copyable_v<ChainedTable>);
    static_assert(std::is_trivially_destructible_v<ChainedTable>);
    static_assert(std::is_trivially_copyable_v<SpliceUnderLock>);
    static_assert(std::is_trivially_destructible_v<SpliceUnderLock>);
    static_assert(!std::is_copy_constructible_v<DeviceArray<int>>);
    static_assert(!std::is_copy_constructible_v<ChainedStorage>);

    HashProblem problem(random_keys(1009, 0, 1), 100, 128);
    run_each_thread(problem);
    {
        const ChainedTable copy = problem.chains();
        const SpliceUnderLock another{problem.d_locks()};
        static_cast<void>(copy);
        static_cast<void>(another);
    }
    EXPECT_EQ(problem.check().outcome, Outcome::ok);
    run_splice(problem);
    EXPECT_EQ(problem.check().outcome, Outcome::ok);
}

// CUDA by Example checks that the entries are in the right buckets and as many as were put in. With
// values that were never filled, that is so: such a check sees nothing.
TEST_F(HashTable, CountingAloneMissesWrongValues) {
    const std::vector<unsigned> keys = random_keys(1009, 0, 1);
    HashProblem problem(keys, 100, 128);
    run_values_never_copied(problem);
    const HostTable table = problem.host_chains();
    std::size_t count = 0;
    for (unsigned bucket = 0; bucket < 100; ++bucket) {
        for (unsigned at = table.heads[bucket]; at != end_of_chain; at = table.pool[at].next) {
            ++count;
            EXPECT_EQ(bucket_of(table.pool[at].key, 100), bucket);
        }
    }
    EXPECT_EQ(count, keys.size());
    EXPECT_EQ(problem.check().outcome, Outcome::wrong);
}

// The book's index is an int, which ends at 2^31 - 1.
TEST(HashTableTypes, IndicesHave64Bits) {
    static_assert(std::is_same_v<decltype(first_index()), std::size_t>);
    static_assert(std::is_same_v<decltype(index_step()), std::size_t>);
    static_assert(std::is_same_v<decltype(HashProblem::n), std::size_t>);
    static_assert(sizeof(std::size_t) == 8);
    EXPECT_EQ(home_slot(0xffffffffu, std::size_t{1} << 33) >> 33, 0u);
}

#ifdef __CUDACC__
// And it counts: 2^31 + 5 keys. 43 GB on the device, so only where that is.
class ManyKeys : public DeviceTest {
  protected:
    static constexpr std::size_t n = (std::size_t{1} << 31) + 5;
    void SetUp() override {
        DeviceTest::SetUp();
        if (IsSkipped() || HasFatalFailure()) {
            return;
        }
        std::size_t free_bytes = 0;
        std::size_t total_bytes = 0;
        CHECK(cudaMemGetInfo(&free_bytes, &total_bytes));
        if (free_bytes < n * (2 * sizeof(unsigned) + sizeof(Entry)) + (1u << 30)) {
            GTEST_SKIP() << "needs 44 GB of free device memory";
        }
    }
};
TEST_F(ManyKeys, BeyondAnInt) {
    DeviceArray<unsigned> d_keys(n);
    DeviceArray<unsigned> d_values(n);
    ChainedStorage storage(n, 1 << 20);
    d_keys.fill_bytes(1);
    d_values.fill_bytes(2);
    storage.heads.fill_bytes(0xff);
    storage.pool.poison();
    insert_lock_free_push<<<blocks_to_fill_device(n, 256), 256>>>(d_keys.data(), d_values.data(), n,
                                                                  storage.view());
    CHECK_LAUNCH();
    std::vector<Entry> last(10);
    CHECK(cudaMemcpy(last.data(), storage.pool.data() + n - last.size(),
                     last.size() * sizeof(Entry), cudaMemcpyDeviceToHost));
    for (const Entry& entry : last) {
        EXPECT_EQ(entry.key, 0x01010101u);
        EXPECT_EQ(entry.value, 0x02020202u);
        EXPECT_TRUE(entry.next == end_of_chain || entry.next < n);
    }
}
#endif

// --- the check itself, on planted faults --------------------------------------------------------

class HashTableCheck : public testing::Test {
  protected:
    static constexpr unsigned buckets = 7;
    const std::vector<unsigned> keys = random_keys(100, 40, 1);
    const HostTable good = build_cpu(keys, values_for(keys.size()), buckets);

    std::string fault(const HostTable& table) {
        std::vector<unsigned> lengths;
        const Verdict verdict = check_chains(table.heads, table.pool, keys, lengths);
        return verdict.outcome == Outcome::wrong ? verdict.detail : "";
    }
    // Changes a copy of the good table and expects that the fault is found and named.
    void expect_fault(const std::string& part, const std::function<void(HostTable&)>& change) {
        HostTable table = good;
        change(table);
        EXPECT_NE(fault(table).find(part), std::string::npos) << fault(table);
    }
    // The first entry of a bucket's chain.
    Entry& first(HostTable& table, unsigned bucket) { return table.pool[table.heads[bucket]]; }
};

TEST_F(HashTableCheck, AcceptsTheReference) {
    EXPECT_EQ(fault(good), "");
    std::vector<unsigned> lengths;
    check_chains(good.heads, good.pool, keys, lengths);
    std::vector<unsigned> expected(buckets);
    for (const unsigned key : keys) {
        ++expected[key % buckets];
    }
    EXPECT_EQ(lengths, expected);
}

TEST_F(HashTableCheck, FindsFaultsInChains) {
    const auto at = [](unsigned bucket) { return "bucket " + std::to_string(bucket) + ", entry"; };
    // A circle: the chain's second entry leads back to the first.
    expect_fault(at(3),
                 [&](HostTable& table) { table.pool[first(table, 3).next].next = table.heads[3]; });
    expect_fault("comes a second time",
                 [&](HostTable& table) { first(table, 3).next = table.heads[3]; });
    // Two buckets share a chain.
    expect_fault("the key belongs to another bucket",
                 [&](HostTable& table) { table.heads[2] = table.heads[5]; });
    expect_fault("1 of 100 keys are missing",
                 [&](HostTable& table) { table.heads[4] = first(table, 4).next; });
    expect_fault("keys are missing", [&](HostTable& table) { table.heads[0] = end_of_chain; });
    expect_fault("keys are missing",
                 [&](HostTable& table) { first(table, 1).next = end_of_chain; });
    expect_fault("there are 100", [&](HostTable& table) { table.heads[6] = 100; });
    expect_fault("there are 100", [&](HostTable& table) { first(table, 6).next = 0xfffffffeu; });
    expect_fault("another key", [&](HostTable& table) { first(table, 2).key += buckets; });
    expect_fault("another bucket", [&](HostTable& table) { first(table, 2).key += 1; });
    expect_fault("no key was put in with this value",
                 [&](HostTable& table) { first(table, 2).value = 100; });
    expect_fault("no key was put in with this value",
                 [&](HostTable& table) { first(table, 2).value = no_value; });
    // As many entries as there should be, all in their buckets: one lost, another one twice.
    expect_fault("comes a second time", [&](HostTable& table) {
        first(table, 5) = {table.pool[first(table, 5).next].key,
                           table.pool[first(table, 5).next].value, first(table, 5).next};
    });
    // Two values change places.
    expect_fault("another key", [&](HostTable& table) {
        std::swap(first(table, 0).value, first(table, 1).value);
    });
    // Nothing was written at all.
    expect_fault("the chain goes on at entry 2071690107", [&](HostTable& table) {
        table.heads.assign(buckets, 0x7b7b7b7bu);
        table.pool.assign(100, {0x7b7b7b7bu, 0x7b7b7b7bu, 0x7b7b7b7bu});
    });
    // Stale: the right table for other keys.
    expect_fault("key", [&](HostTable& table) {
        table = build_cpu(random_keys(100, 40, 2), values_for(100), buckets);
    });
}

TEST_F(HashTableCheck, FindsFaultsInSlots) {
    const std::vector<unsigned> two{1, 1};
    const std::size_t home = home_slot(1, 5);
    const auto judge = [&](std::vector<std::pair<std::size_t, Slot>> filled) {
        std::vector<Slot> slots(5, empty_slot);
        for (const auto& [steps, slot] : filled) {
            slots[(home + steps) % 5] = slot;
        }
        const Verdict verdict = check_slots(slots, two);
        return verdict.outcome == Outcome::wrong ? verdict.detail : "";
    };
    EXPECT_EQ(judge({{0, pack(1, 0)}, {1, pack(1, 1)}}), "");
    EXPECT_EQ(judge({{0, pack(1, 1)}, {1, pack(1, 0)}}), "");
    EXPECT_NE(judge({{0, pack(1, 0)}, {2, pack(1, 1)}}).find("an empty slot"), std::string::npos);
    EXPECT_NE(judge({{1, pack(1, 0)}, {2, pack(1, 1)}}).find("an empty slot"), std::string::npos);
    EXPECT_NE(judge({{0, pack(1, 0)}, {4, pack(1, 1)}}).find("an empty slot"), std::string::npos);
    EXPECT_NE(judge({{0, pack(1, 0)}, {1, pack(1, 0)}}).find("a second time"), std::string::npos);
    EXPECT_NE(judge({{0, pack(1, 0)}}).find("1 of 2 keys are missing"), std::string::npos);
    EXPECT_NE(judge({{0, pack(2, 0)}, {1, pack(1, 1)}}).find("another key"), std::string::npos);
    EXPECT_NE(judge({{0, pack(1, 2)}, {1, pack(1, 1)}}).find("no key"), std::string::npos);
    EXPECT_EQ(check_slots(std::vector<Slot>(5, pack(1, 0)), two).outcome, Outcome::wrong);
    EXPECT_EQ(check_slots({}, two).outcome, Outcome::wrong);
    EXPECT_EQ(check_slots({empty_slot}, {}).outcome, Outcome::ok);
}

TEST_F(HashTableCheck, FindsFaultsInParts) {
    // Two keys, the second of them twice, in two parts of one bucket each.
    std::vector<unsigned> put_in;
    for (unsigned key = 0; put_in.size() < 2; ++key) {
        if (part_of_key(key, 2) == put_in.size()) {
            put_in.push_back(key);
        }
    }
    put_in.push_back(put_in[1]);  // values 2, 1, 0
    const PartTable table{nullptr, nullptr, nullptr, 2, 1};
    using Array = std::vector<unsigned>;
    const unsigned a = put_in[0];
    const unsigned b = put_in[1];
    const auto judge = [&](const Array& keys, const Array& values, const Array& offsets) {
        const Verdict verdict = check_parts(keys, values, offsets, table, put_in);
        return verdict.outcome == Outcome::wrong ? verdict.detail : "";
    };
    const auto holds = [](const std::string& text, const char* part) {
        return text.find(part) != std::string::npos;
    };
    EXPECT_EQ(judge({a, b, b}, {2, 1, 0}, {0, 1, 1, 3}), "");
    EXPECT_EQ(judge({b, b, a}, {0, 1, 2}, {2, 3, 0, 2}), "");  // the parts in another order
    EXPECT_PRED2(holds, judge({a, b, b}, {2, 1, 0}, {0, 1, 1, 2}), "1 of 3 keys are missing");
    EXPECT_PRED2(holds, judge({a, b, b}, {2, 1, 0}, {1, 1, 1, 3}), "1 of 3 keys are missing");
    EXPECT_PRED2(holds, judge({a, b, b}, {2, 1, 0}, {0, 2, 2, 3}), "another bucket");
    EXPECT_PRED2(holds, judge({a, b, b}, {2, 1, 0}, {0, 1, 0, 3}), "another bucket");
    EXPECT_PRED2(holds, judge({a, b, b}, {2, 1, 1}, {0, 1, 1, 3}), "a second time");
    EXPECT_PRED2(holds, judge({a, b, b}, {1, 2, 0}, {0, 1, 1, 3}), "another key");
    EXPECT_PRED2(holds, judge({a, b, b}, {2, 1, 3}, {0, 1, 1, 3}), "no key");
    EXPECT_PRED2(holds, judge({a, b, b}, {2, 1, 0}, {0, 1, 1, 4}), "there are 3 pairs");
    EXPECT_PRED2(holds, judge({a, b, b}, {2, 1, 0}, {0, 1, 3, 1}), "there are 3 pairs");
    EXPECT_PRED2(holds, judge({a, b, b}, {2, 1, 0}, Array(4, 0x7b7b7b7bu)), "there are 3 pairs");
}

TEST_F(HashTableCheck, FindsFaultsInSortedPairs) {
    const std::vector<unsigned> put_in{9, 3, 9};  // with the values 2, 1, 0
    using Array = std::vector<unsigned>;
    EXPECT_EQ(check_sorted(Array{3, 9, 9}, Array{1, 0, 2}, put_in).outcome, Outcome::ok);
    EXPECT_EQ(check_sorted(Array{3, 9, 9}, Array{1, 2, 0}, put_in).outcome, Outcome::ok);
    EXPECT_EQ(check_sorted(Array{9, 3, 9}, Array{2, 1, 0}, put_in).outcome, Outcome::wrong);
    EXPECT_EQ(check_sorted(Array{3, 9, 9}, Array{0, 1, 2}, put_in).outcome, Outcome::wrong);
    EXPECT_EQ(check_sorted(Array{3, 9, 9}, Array{1, 2, 2}, put_in).outcome, Outcome::wrong);
    EXPECT_EQ(check_sorted(Array{3, 9}, Array{1, 2}, put_in).outcome, Outcome::wrong);
}

TEST_F(HashTableCheck, FindsFaultsInAnswers) {
    const std::vector<unsigned> put_in{9, 3, 9};
    const std::vector<unsigned> queries{3, 9, 4};
    using Array = std::vector<unsigned>;
    const auto judge = [&](const Array& found) {
        return check_found(found, queries, put_in).outcome;
    };
    EXPECT_EQ(judge({1, 0, no_value}), Outcome::ok);
    EXPECT_EQ(judge({1, 2, no_value}), Outcome::ok);
    EXPECT_EQ(judge({2, 0, no_value}), Outcome::wrong);
    EXPECT_EQ(judge({no_value, 0, no_value}), Outcome::wrong);
    EXPECT_EQ(judge({1, no_value, no_value}), Outcome::wrong);
    EXPECT_EQ(judge({1, 0, 0}), Outcome::wrong);
    EXPECT_EQ(judge({3, 0, no_value}), Outcome::wrong);
    EXPECT_EQ(judge({0x7b7b7b7bu, 0x7b7b7b7bu, 0x7b7b7b7bu}), Outcome::wrong);
}

// --- the reference itself -----------------------------------------------------------------------

TEST(HashTableCpu, KnownTable) {
    const HostTable table = build_cpu({10, 21, 31, 10}, {3, 2, 1, 0}, 10);
    std::vector<unsigned> heads(10, end_of_chain);
    heads[0] = 3;
    heads[1] = 2;
    EXPECT_EQ(table.heads, heads);
    EXPECT_EQ(table.pool[0].next, end_of_chain);
    EXPECT_EQ(table.pool[1].next, end_of_chain);
    EXPECT_EQ(table.pool[2].next, 1u);
    EXPECT_EQ(table.pool[3].next, 0u);
    EXPECT_EQ(table.pool[2].key, 31u);
    EXPECT_EQ(table.pool[2].value, 1u);
}

TEST(HashTableCpu, ValuesLeadBackToTheirKeys) {
    for (const std::size_t n : {std::size_t{1}, std::size_t{1000}, most_keys}) {
        for (const std::size_t position : {std::size_t{0}, n / 3, n - 1}) {
            EXPECT_EQ(position_of(value_at(position, n), n), position);
            EXPECT_NE(value_at(position, n), no_value);
        }
    }
}

TEST(HashTableCpu, KnownHashes) {
    EXPECT_EQ(bucket_of(1234567, 1024), 1234567u % 1024);
    EXPECT_EQ(bucket_of(0xffffffffu, 1000), 295u);
    EXPECT_EQ(mix_bits(0), 0u);
    EXPECT_EQ(mix_bits(1), 0x514e28b7u);
    EXPECT_EQ(mix_bits(0xffffffffu), 0x81f16f39u);
    EXPECT_EQ(part_of_key(0xffffffffu, 1000), 0x81f16f39ull * 1000 >> 32);
    EXPECT_EQ(part_of_key(0xffffffffu, 1), 0u);
    const PartTable table{nullptr, nullptr, nullptr, 1, 8192};
    EXPECT_EQ(bucket_in_part(0xffffffffu, table), 0x81f16f39u >> 19);
    // Keys in a row are spread evenly: in each tenth of the slots a tenth of them.
    std::vector<int> tenths(10);
    for (unsigned key = 0; key < 10000; ++key) {
        ++tenths[home_slot(key, 10)];
    }
    for (const int count : tenths) {
        EXPECT_NEAR(count, 1000, 150);
    }
}

TEST(HashTableCpu, RandomKeys) {
    const auto different = [](std::vector<unsigned> keys) {
        std::sort(keys.begin(), keys.end());
        return std::unique(keys.begin(), keys.end()) - keys.begin();
    };
    EXPECT_EQ(random_keys(1000, 0, 1), random_keys(1000, 0, 1));
    EXPECT_NE(random_keys(1000, 0, 1), random_keys(1000, 0, 2));
    EXPECT_GT(different(random_keys(1000, 0, 1)), 995);
    EXPECT_EQ(different(random_keys(1000, 10, 1)), 10);
    EXPECT_EQ(different(random_keys(1000, 1, 1)), 1);
    EXPECT_EQ(random_keys(0, 5, 1).size(), 0u);
    std::vector<unsigned> keys = random_keys(1000, 300, 1);
    std::vector<unsigned> other = shuffled(keys, 2);
    EXPECT_NE(keys, other);
    std::sort(keys.begin(), keys.end());
    std::sort(other.begin(), other.end());
    EXPECT_EQ(keys, other);
}

}  // namespace
