// What a histogram of bytes counts in, and how many blocks count it.
#pragma once

#include <cstddef>

// How often a value occurs. 64 bits: an array of 4 GiB can hold one value more than 2^32 times.
using BinCount = unsigned long long;

constexpr int byte_values = 256;

// The largest number of bytes that a block may count on average where its counters have 32 bits. A
// block may get one round of its threads' loads more than that, at most 1024 * 16 + 30 bytes: still
// far from 2^32.
constexpr std::size_t max_bytes_per_block = std::size_t{1} << 31;

// `grid_size` blocks, or more where n bytes would give a block more than it can count.
inline int blocks_for_counters(std::size_t n, int grid_size) {
    const auto needed = static_cast<int>((n + max_bytes_per_block - 1) / max_bytes_per_block);
    return needed > grid_size ? needed : grid_size;
}
