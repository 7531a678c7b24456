// The checks of hash_table on planted faults, and what they rest on: the CPU reference, the hash
// functions and the keys.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "hash_table/check.hpp"
#include "hash_table/cpu.hpp"

namespace {

using harness::Outcome;
using harness::Verdict;

HostTable cpu_table(const std::vector<unsigned>& keys, const std::vector<unsigned>& values,
                    unsigned buckets) {
    HostTable table{std::vector<unsigned>(buckets), std::vector<Entry>(keys.size())};
    build_cpu(keys, values, table);
    return table;
}

class HashTableCheck : public testing::Test {
  protected:
    static constexpr unsigned buckets = 7;
    const std::vector<unsigned> keys = random_keys(100, 40, 1);
    const HostTable good = cpu_table(keys, values_for(keys.size()), buckets);

    std::string fault_in(const HostTable& table) {
        std::vector<unsigned> lengths;
        const Verdict verdict = check_chains(table.heads, table.pool, keys, lengths);
        return verdict.outcome == Outcome::wrong ? verdict.detail : "";
    }
    // Changes a copy of the good table and expects that the fault is found and named.
    void expect_fault(const std::string& part, const std::function<void(HostTable&)>& change) {
        HostTable table = good;
        change(table);
        EXPECT_NE(fault_in(table).find(part), std::string::npos) << fault_in(table);
    }
    // The first entry of a bucket's chain.
    Entry& first(HostTable& table, unsigned bucket) { return table.pool[table.heads[bucket]]; }
};

TEST_F(HashTableCheck, AcceptsTheReference) {
    EXPECT_EQ(fault_in(good), "");
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
        table = cpu_table(random_keys(100, 40, 2), values_for(100), buckets);
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
    EXPECT_EQ(judge({{0, make_slot(1, 0)}, {1, make_slot(1, 1)}}), "");
    EXPECT_EQ(judge({{0, make_slot(1, 1)}, {1, make_slot(1, 0)}}), "");
    EXPECT_NE(judge({{0, make_slot(1, 0)}, {2, make_slot(1, 1)}}).find("an empty slot"),
              std::string::npos);
    EXPECT_NE(judge({{1, make_slot(1, 0)}, {2, make_slot(1, 1)}}).find("an empty slot"),
              std::string::npos);
    EXPECT_NE(judge({{0, make_slot(1, 0)}, {4, make_slot(1, 1)}}).find("an empty slot"),
              std::string::npos);
    EXPECT_NE(judge({{0, make_slot(1, 0)}, {1, make_slot(1, 0)}}).find("a second time"),
              std::string::npos);
    EXPECT_NE(judge({{0, make_slot(1, 0)}}).find("1 of 2 keys are missing"), std::string::npos);
    EXPECT_NE(judge({{0, make_slot(2, 0)}, {1, make_slot(1, 1)}}).find("another key"),
              std::string::npos);
    EXPECT_NE(judge({{0, make_slot(1, 2)}, {1, make_slot(1, 1)}}).find("no key"),
              std::string::npos);
    EXPECT_EQ(check_slots(std::vector<Slot>(5, make_slot(1, 0)), two).outcome, Outcome::wrong);
    EXPECT_EQ(check_slots({}, two).outcome, Outcome::wrong);
    EXPECT_EQ(check_slots({empty_slot}, {}).outcome, Outcome::ok);
}

TEST_F(HashTableCheck, FindsFaultsInPartitions) {
    // Two keys, the second of them twice, in two partitions of one bucket each.
    std::vector<unsigned> put_in;
    for (unsigned key = 0; put_in.size() < 2; ++key) {
        if (partition_of(key, 2) == put_in.size()) {
            put_in.push_back(key);
        }
    }
    put_in.push_back(put_in[1]);  // values 2, 1, 0
    const PartitionedTable table{nullptr, nullptr, nullptr, 2, 1};
    using Array = std::vector<unsigned>;
    const unsigned a = put_in[0];
    const unsigned b = put_in[1];
    const auto judge = [&](const Array& keys, const Array& values, const Array& offsets) {
        const Verdict verdict = check_partitions(keys, values, offsets, table, put_in);
        return verdict.outcome == Outcome::wrong ? verdict.detail : "";
    };
    const auto holds = [](const std::string& text, const char* part) {
        return text.find(part) != std::string::npos;
    };
    EXPECT_EQ(judge({a, b, b}, {2, 1, 0}, {0, 1, 1, 3}), "");
    EXPECT_EQ(judge({b, b, a}, {0, 1, 2}, {2, 3, 0, 2}), "");  // the partitions in another order
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

TEST(HashTableCpu, KnownTable) {
    const HostTable table = cpu_table({10, 21, 31, 10}, {3, 2, 1, 0}, 10);
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
    for (const std::size_t n : {std::size_t{1}, std::size_t{1000}, max_keys}) {
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
    EXPECT_EQ(partition_of(0xffffffffu, 1000), 0x81f16f39ull * 1000 >> 32);
    EXPECT_EQ(partition_of(0xffffffffu, 1), 0u);
    const PartitionedTable table{nullptr, nullptr, nullptr, 1, 8192};
    EXPECT_EQ(bucket_in_partition(0xffffffffu, table), 0x81f16f39u >> 19);
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

TEST(HashTableCpu, FindsTheLastPairThatCame) {
    const HostTable table = cpu_table({10, 21, 31, 10}, {3, 2, 1, 0}, 10);
    std::vector<unsigned> found(5);
    find_cpu({10, 21, 31, 20, 9}, table, found);
    EXPECT_EQ(found, (std::vector<unsigned>{0, 2, 1, no_value, no_value}));
}

}  // namespace
