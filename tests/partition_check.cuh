// The partition step (common/partition.cuh) on numbers whose part is their remainder: what the
// tests of hash_table and race mode's suite look at.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <vector>

#include "common/device_array.cuh"
#include "common/partition.cuh"
#include "hash_table/hash_table_types.cuh"

namespace {

// Numbers whose part is the number modulo `parts`.
struct NumberSource {
    using Key = unsigned;
    using Item = Slot;
    const unsigned* d_numbers;
    unsigned parts;

    __device__ Key key(std::size_t i) const { return d_numbers[i]; }
    __device__ Item item(Key key, std::size_t i) const {
        return pack(key, static_cast<unsigned>(i));
    }
    __device__ unsigned part_of_key(Key key) const { return key % parts; }
    __device__ unsigned part_of(Item item) const { return part_of_key(key_in(item)); }
};

// Partitions the numbers, and checks that each stands in its part, once, where d_places says, and
// that it comes back to where it was. Returns whether a part overflowed its room.
template <int block_size, int per_thread>
bool partition_and_check(const std::vector<unsigned>& numbers, unsigned parts, unsigned room) {
    const std::size_t n = numbers.size();
    const std::size_t places = std::max<std::size_t>(n, std::size_t{parts} * room);
    const DeviceArray<unsigned> d_numbers(numbers);
    const DeviceArray<unsigned> d_words(2 * std::size_t{parts} + 1 + n);
    const DeviceArray<Slot> d_items(places);
    const DeviceArray<Slot> d_back(n);
    unsigned* d_sizes = d_words.data() + parts;
    const Partition partition{
        n, parts, room, d_words.data(), d_sizes, d_sizes + parts, d_sizes + parts + 1};
    partition_items<block_size, per_thread>(NumberSource{d_numbers.data(), parts}, partition,
                                            d_items.data(), nullptr);
    restore_order<32, 3>
        <<<blocks_to_cover(n, 96), 32>>>(partition.d_places, n, d_items.data(), d_back.data());
    CHECK_LAUNCH();

    const std::vector<unsigned> words = d_words.to_host();
    const unsigned overflow = words[2 * parts];
    std::vector<unsigned> sizes(parts);
    for (const unsigned number : numbers) {
        ++sizes[number % parts];
    }
    unsigned start = 0;
    for (unsigned part = 0; part < parts; ++part) {
        EXPECT_EQ(words[part], overflow != 0 ? start : part * room) << "part " << part;
        EXPECT_EQ(words[parts + part], sizes[part]) << "part " << part;
        start += sizes[part];
    }
    std::vector<bool> taken(places);
    for (std::size_t i = 0; i < n; ++i) {
        const unsigned place = words[2 * parts + 1 + i];
        const unsigned part = numbers[i] % parts;
        if (place - words[part] >= sizes[part] || taken[place]) {
            ADD_FAILURE() << "item " << i << " went to place " << place;
            break;
        }
        taken[place] = true;
    }
    std::vector<Slot> expected(n);
    for (std::size_t i = 0; i < n; ++i) {
        expected[i] = pack(numbers[i], static_cast<unsigned>(i));
    }
    EXPECT_EQ(d_back.to_host(), expected);
    EXPECT_EQ(overflow, *std::max_element(sizes.begin(), sizes.end()) > room ? 1u : 0u);
    return overflow != 0;
}

}  // namespace
