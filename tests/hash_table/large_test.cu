// The kernels of hash_table on more keys than an int can number: see large_array.cuh. Without these
// tests are
//   - the kernels of the partitioned table that work on one partition: they need the whole result
//     of the partitioning;
//   - linear probing on a GPU: all keys but a few are 0 here, which it takes hours to put in, and
//     the locks on a GPU, for the same reason;
//   - the clusters of blocks, which the CPU device does not have.
#include <gtest/gtest.h>

#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include "hash_table/variants.cuh"
#include "tests/large_array.cuh"

using common::DeviceArray;

namespace {

#ifdef CPU_DEVICE

// The most keys but one, so that they are no whole number of fours, and a grid that gives a thread
// only four of them. The keys with numbers of their own are those of the first and the last block.
constexpr std::size_t n = max_keys - 1;
constexpr int grid_size = 1 << 22;
constexpr int block_size = 256;
constexpr unsigned buckets = 1024;
constexpr unsigned own_keys = 200;  // 100 first, 100 last

// Position of own key number k.
constexpr std::size_t position_of_own(unsigned k) {
    return k < own_keys / 2 ? k : n - own_keys + k;
}
// They have a bucket each; all other keys are 0.
constexpr unsigned own_key(unsigned k) {
    return 7 * buckets + 1 + k;
}
constexpr unsigned own_value(unsigned k) {
    return 5000 + k;
}

class LargeTable : public LargeTest {
  protected:
    LargeTable() : keys(n), values(n) {}

    void SetUp() override {
        LargeTest::SetUp();
        SKIP_WITHOUT(keys);
        SKIP_WITHOUT(values);
        for (unsigned k = 0; k < own_keys; ++k) {
            keys.put(position_of_own(k), {own_key(k)});
            values.put(position_of_own(k), {own_value(k)});
        }
    }

    // The chain of each own key's bucket must be that key's entry alone.
    void expect_own_keys_in_chains(const ChainedTable& table, const LargeArray<Entry>& pool) {
        std::vector<unsigned> heads(buckets);
        CHECK(cudaMemcpy(heads.data(), table.d_heads, buckets * sizeof(unsigned),
                         cudaMemcpyDeviceToHost));
        for (unsigned k = 0; k < own_keys; ++k) {
            const std::size_t position = position_of_own(k);
            ASSERT_EQ(heads[bucket_of(own_key(k), buckets)], position);
            const Entry entry = pool.get(position, 1)[0];
            ASSERT_EQ(entry.key, own_key(k)) << "entry " << position;
            ASSERT_EQ(entry.value, own_value(k)) << "entry " << position;
            ASSERT_EQ(entry.next, end_of_chain) << "entry " << position;
        }
    }

    LargeArray<unsigned> keys;
    LargeArray<unsigned> values;
};

struct Launcher {
    std::string name;
    std::function<void(const ChainedTable&)> insert;
};

// A kernel that inserts block chains, in a grid that gives each thread one group of four keys.
template <bool coalesced, typename Append>
void insert_chains(const unsigned* d_keys, const unsigned* d_values, const ChainedTable& table,
                   Append append) {
    const std::size_t smem = chains_bytes(buckets, coalesced);
    common::allow_shared_memory(insert_block_chains<coalesced, Append>, smem);
    insert_block_chains<coalesced>
        <<<1 << 20, chains_block_size, smem>>>(d_keys, d_values, n, table, append);
}

TEST_F(LargeTable, ChainsBeyondAnInt) {
    const unsigned* const d_keys = keys.data();
    const unsigned* const d_values = values.data();
    const DeviceArray<unsigned> heads(buckets);
    const DeviceArray<int> locks(std::vector<int>(buckets, 0));
    int* const d_locks = locks.data();
    const auto by = [&](auto* kernel) {
        return [=](const ChainedTable& table) {
            kernel<<<grid_size, block_size>>>(d_keys, d_values, n, table, d_locks);
        };
    };
    const std::vector<Launcher> launchers{
        {"lock_per_bucket", by(insert_lock_per_bucket)},
        {"lock_without_turns", by(insert_lock_without_turns)},
        {"classic_lock", by(insert_classic_lock)},
        {"lock_free_push",
         [&](const ChainedTable& table) {
             insert_lock_free_push<<<grid_size, block_size>>>(d_keys, d_values, n, table);
         }},
        {"block_chains_lock",
         [&](const ChainedTable& table) {
             insert_chains<false>(d_keys, d_values, table, AppendUnderLock{d_locks});
         }},
        {"block_chains_locked_head",
         [&](const ChainedTable& table) {
             insert_chains<false>(d_keys, d_values, table, AppendToLockedHead{});
         }},
        {"block_chains_lock_free",
         [&](const ChainedTable& table) {
             insert_chains<false>(d_keys, d_values, table, AppendByExchange{});
         }},
        {"block_chains_coalesced", [&](const ChainedTable& table) {
             insert_chains<true>(d_keys, d_values, table, AppendToLockedHead{});
         }}};
    const FirstAndLastBlocks only;
    for (const Launcher& launcher : launchers) {
        SCOPED_TRACE(launcher.name);
        const LargeArray<Entry> pool(n);
        SKIP_WITHOUT(pool);
        const ChainedTable table{heads.data(), pool.data(), buckets};
        CHECK(cudaMemset(table.d_heads, 0xff, buckets * sizeof(unsigned)));
        launcher.insert(table);
        CHECK_LAUNCH();
        expect_own_keys_in_chains(table, pool);
        count_combination();
    }
}

// block_chains_merged_first, before the chains of all blocks are merged.
TEST_F(LargeTable, BlockChainsBeyondAnInt) {
    constexpr int blocks = 1 << 20;
    const LargeArray<Entry> pool(n);
    SKIP_WITHOUT(pool);
    const LargeArray<ChainEnds> ends(std::size_t{blocks} * buckets);
    SKIP_WITHOUT(ends);
    const std::size_t smem = chains_bytes(buckets, true);
    common::allow_shared_memory(link_block_chains, smem);
    const FirstAndLastBlocks only;
    link_block_chains<<<blocks, chains_block_size, smem>>>(
        keys.data(), values.data(), n, ChainedTable{nullptr, pool.data(), buckets}, ends.data());
    CHECK_LAUNCH();
    // The first block also takes the keys after the last group of four.
    for (unsigned k = 0; k < own_keys; ++k) {
        const std::size_t position = position_of_own(k);
        const bool by_first_block = position < n / 2 || position >= n / 4 * 4;
        const std::size_t block = by_first_block ? 0 : blocks - 1;
        const ChainEnds own = ends.get(block * buckets + bucket_of(own_key(k), buckets), 1)[0];
        ASSERT_EQ(own.first, position);
        ASSERT_EQ(own.last, position);
        ASSERT_EQ(pool.get(position, 1)[0].key, own_key(k));
        count_combination();
    }
}

TEST_F(LargeTable, SlotsBeyondAnInt) {
    const std::size_t slots = slots_for(n);
    LargeArray<Slot> table(slots);
    SKIP_WITHOUT(table);
    // Empty slots where the search of a key begins. (To fill all would take 40 GB.)
    constexpr std::size_t filled = 4096;
    const auto fill_from_home_of = [&](unsigned key) {
        const std::size_t home = home_slot(key, slots);
        table.put(home, std::vector<Slot>(std::min(filled, slots - home), empty_slot));
    };
    fill_from_home_of(0);
    for (unsigned k = 0; k < own_keys; ++k) {
        fill_from_home_of(own_key(k));
    }
    const FirstAndLastBlocks only;
    insert_linear_probing<<<grid_size, block_size>>>(keys.data(), values.data(), n, table.data(),
                                                     slots);
    CHECK_LAUNCH();
    __extension__ using Wide = unsigned __int128;
    for (unsigned k = 0; k < own_keys; ++k) {
        const std::size_t home = home_slot(own_key(k), slots);
        EXPECT_EQ(home, static_cast<std::size_t>((Wide{mix_bits(own_key(k))} * slots) >> 32));
        ASSERT_EQ(table.get(home, 1)[0], make_slot(own_key(k), own_value(k)));
        count_combination();
    }
}

// The searches, for more queries than 32 bits can number: so many that a thread has five.
TEST_F(LargeTable, QueriesBeyondAnInt) {
    constexpr std::size_t n_queries = (std::size_t{5} << 30) - 7;
    LargeArray<unsigned> queries(n_queries);
    SKIP_WITHOUT(queries);
    std::vector<unsigned> own(own_keys);
    std::vector<unsigned> own_values(own_keys);
    for (unsigned k = 0; k < own_keys; ++k) {
        own[k] = own_key(k);
        own_values[k] = own_value(k);
    }
    queries.put(0, own);
    queries.put(n_queries - own_keys, own);
    const DeviceArray<unsigned> d_own(own);
    const DeviceArray<unsigned> d_own_values(own_values);
    const ChainedStorage chains(own_keys, buckets);
    launch_lock_free_push(d_own.data(), d_own_values.data(), own_keys, chains.table(), 64);
    const DeviceArray<Slot> slots(slots_for(own_keys));
    launch_linear_probing(d_own.data(), d_own_values.data(), own_keys, slots.data(), slots.size(),
                          64);
    const FirstAndLastBlocks only;
    const auto expect_found = [&](const std::string& name, auto search) {
        SCOPED_TRACE(name);
        const LargeArray<unsigned> found(n_queries);
        SKIP_WITHOUT(found);
        search(found.data());
        CHECK_LAUNCH();
        EXPECT_EQ(found.get(0, own_keys), own_values);
        EXPECT_EQ(found.get(n_queries - own_keys, own_keys), own_values);
        EXPECT_EQ(found.get(own_keys, 1)[0], no_value);  // key 0 was not put in
        count_combination();
    };
    expect_found("find_in_chains", [&](unsigned* d_found) {
        find_in_chains<<<grid_size, block_size>>>(queries.data(), n_queries, chains.table(),
                                                  d_found);
    });
    expect_found("find_in_slots", [&](unsigned* d_found) {
        find_in_slots<<<grid_size, block_size>>>(queries.data(), n_queries, slots.data(),
                                                 slots.size(), d_found);
    });
}

// The first pass of the partitioned table. The items of the first and of the last tile are in their
// places, and the positions say where.
TEST_F(LargeTable, PartitioningBeyondAnInt) {
    constexpr unsigned partitions = 1000;
    constexpr unsigned capacity = 40000;  // two tiles have fewer items
    const LargeArray<Slot> items(std::size_t{partitions} * capacity);
    SKIP_WITHOUT(items);
    const LargeArray<unsigned> positions(n);
    SKIP_WITHOUT(positions);
    const DeviceArray<unsigned> starts(partitions);
    const DeviceArray<unsigned> sizes(partitions);
    const DeviceArray<unsigned> overflow(1);
    const FirstAndLastBlocks only;
    common::partition_items<1024, 16>(
        PairSource{keys.data(), values.data(), partitions},
        common::Partitioning{n, partitions, capacity, starts.data(), sizes.data(), overflow.data(),
                             positions.data()},
        items.data(), nullptr);
    ASSERT_EQ(overflow.to_host()[0], 0u);
    constexpr unsigned tile = 1024 * 16;
    const std::vector<unsigned> h_sizes = sizes.to_host();
    EXPECT_EQ(std::accumulate(h_sizes.begin(), h_sizes.end(), 0u), tile + n % tile);
    for (unsigned k = 0; k < own_keys; ++k) {
        const unsigned position = positions.get(position_of_own(k), 1)[0];
        ASSERT_EQ(position / capacity, partition_of(own_key(k), partitions));
        ASSERT_EQ(items.get(position, 1)[0], make_slot(own_key(k), own_value(k)));
        count_combination();
    }
}

// The last pass of its search.
TEST_F(LargeTable, RestoredOrderBeyondAnInt) {
    LargeArray<unsigned> positions(n);
    SKIP_WITHOUT(positions);
    const LargeArray<unsigned> found(n + 1000);  // the rest must stay 0
    SKIP_WITHOUT(found);
    std::vector<unsigned> results(1 + own_keys, no_value);
    for (unsigned k = 0; k < own_keys; ++k) {
        positions.put(position_of_own(k), {1 + k});
        results[1 + k] = own_value(k);
    }
    const DeviceArray<unsigned> d_results(results);
    const FirstAndLastBlocks only;
    common::launch_restore_order(positions.data(), n, d_results.data(), found.data(), nullptr);
    for (unsigned k = 0; k < own_keys; ++k) {
        ASSERT_EQ(found.get(position_of_own(k), 1)[0], own_value(k));
        count_combination();
    }
    EXPECT_EQ(found.get(n, 1000), std::vector<unsigned>(1000, 0));
}

#else

// The book's index is an int, which ends at 2^31 - 1. Here are 2^31 + 5 keys: 44 GB on the device.
using LargeTable = LargeTest;

TEST_F(LargeTable, BeyondAnInt) {
    constexpr std::size_t n = (std::size_t{1} << 31) + 5;
    const LargeArray<unsigned> keys(n);
    SKIP_WITHOUT(keys);
    const LargeArray<unsigned> values(n);
    SKIP_WITHOUT(values);
    const LargeArray<Entry> pool(n);
    SKIP_WITHOUT(pool);
    const DeviceArray<unsigned> heads(1 << 20);
    CHECK(cudaMemset(keys.data(), 1, n * sizeof(unsigned)));
    CHECK(cudaMemset(values.data(), 2, n * sizeof(unsigned)));
    launch_lock_free_push(keys.data(), values.data(), n,
                          ChainedTable{heads.data(), pool.data(), 1 << 20}, 256);
    for (const Entry& entry : pool.get(n - 10, 10)) {
        EXPECT_EQ(entry.key, 0x01010101u);
        EXPECT_EQ(entry.value, 0x02020202u);
        EXPECT_TRUE(entry.next == end_of_chain || entry.next < n);
    }
}

#endif

}  // namespace
