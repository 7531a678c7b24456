// Radix partitioning for scripts/mutate, in race mode, with tiles so small that there are many: see
// probe.cuh. As a test it ends with 1 if a check fails, and race mode makes it 66 if it reports.
#include <gtest/gtest.h>

#include <vector>

#include "cpu_device/race.h"
#include "hash_table/keys.hpp"
#include "tests/hash_table/partition_check.cuh"

TEST(Partitioning, Probe) {
    const std::vector<unsigned> numbers = random_keys(700, 0, 3);
    for (const unsigned seed : {1, 2}) {
        for (const unsigned capacity : {300u, 100u}) {
            cpu_device::race::set_seed(seed);
            EXPECT_EQ((partition_and_check<64, 3>(numbers, 5, capacity)), capacity == 100);
            EXPECT_EQ((partition_and_check<32, 9>(numbers, 5, capacity)), capacity == 100);
        }
    }
}
