// Radix partitioning (common/partition.cuh) on numbers whose partition is their remainder: for the
// tests, race mode's suite and scripts/mutate.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <vector>

#include "common/device_array.cuh"
#include "common/partition.cuh"
#include "hash_table/slots.cuh"

// Numbers whose partition is the number modulo `partitions`.
struct NumberSource {
    using Key = unsigned;
    using Item = Slot;
    const unsigned* d_numbers;
    unsigned partitions;

    __device__ Key key(std::size_t i) const { return d_numbers[i]; }
    __device__ Item item(Key key, std::size_t i) const {
        return make_slot(key, static_cast<unsigned>(i));
    }
    __device__ unsigned partition_of_key(Key key) const { return key % partitions; }
    __device__ unsigned partition_of(Item item) const { return partition_of_key(key_of(item)); }
};

// Partitions the numbers, and checks that each is in its partition, once, where d_positions says,
// and that it comes back to where it was. Returns whether a partition exceeded its capacity.
template <int block_size, int per_thread>
bool partition_and_check(const std::vector<unsigned>& numbers, unsigned partitions,
                         unsigned capacity) {
    const std::size_t n = numbers.size();
    const std::size_t room = std::max<std::size_t>(n, std::size_t{partitions} * capacity);
    const common::DeviceArray<unsigned> d_numbers(numbers);
    const common::DeviceArray<unsigned> d_starts(partitions);
    const common::DeviceArray<unsigned> d_sizes(partitions);
    const common::DeviceArray<unsigned> d_overflow(1);
    const common::DeviceArray<unsigned> d_positions(n);
    const common::DeviceArray<Slot> d_items(room);
    const common::DeviceArray<Slot> d_back(n);
    const common::Partitioning partitioning{n,
                                            partitions,
                                            capacity,
                                            d_starts.data(),
                                            d_sizes.data(),
                                            d_overflow.data(),
                                            d_positions.data()};
    common::partition_items<block_size, per_thread>(NumberSource{d_numbers.data(), partitions},
                                                    partitioning, d_items.data(), nullptr);
    common::restore_order<32, 3><<<common::blocks_to_cover(n, 96), 32>>>(
        d_positions.data(), n, d_items.data(), d_back.data());
    CHECK_LAUNCH();

    const std::vector<unsigned> starts = d_starts.to_host();
    const unsigned overflow = d_overflow.to_host()[0];
    std::vector<unsigned> sizes(partitions);
    for (const unsigned number : numbers) {
        ++sizes[number % partitions];
    }
    EXPECT_EQ(d_sizes.to_host(), sizes);
    unsigned start = 0;
    for (unsigned p = 0; p < partitions; ++p) {
        EXPECT_EQ(starts[p], overflow != 0 ? start : p * capacity) << "partition " << p;
        start += sizes[p];
    }
    const std::vector<unsigned> positions = d_positions.to_host();
    std::vector<bool> taken(room);
    for (std::size_t i = 0; i < n; ++i) {
        const unsigned p = numbers[i] % partitions;
        if (positions[i] - starts[p] >= sizes[p] || taken[positions[i]]) {
            ADD_FAILURE() << "item " << i << " went to position " << positions[i];
            break;
        }
        taken[positions[i]] = true;
    }
    std::vector<Slot> expected(n);
    for (std::size_t i = 0; i < n; ++i) {
        expected[i] = make_slot(numbers[i], static_cast<unsigned>(i));
    }
    EXPECT_EQ(d_back.to_host(), expected);
    EXPECT_EQ(overflow, *std::max_element(sizes.begin(), sizes.end()) > capacity ? 1u : 0u);
    return overflow != 0;
}
