// How many blocks to launch.
#pragma once

#include <algorithm>
#include <cstddef>

#include "common/device.cuh"

// Blocks of `block_size` threads that give each of `n` elements its own thread. At least one: a
// grid of zero blocks is an error, and a block without work is not.
inline int blocks_to_cover(std::size_t n, int block_size) {
    const auto threads = static_cast<std::size_t>(block_size);
    return static_cast<int>(std::max<std::size_t>(1, (n + threads - 1) / threads));
}

// Blocks for a grid-stride loop: as many threads as the device keeps resident, and no more than
// there are elements. 2048 threads a multiprocessor is the most that any GPU holds.
inline int blocks_to_fill_device(std::size_t n, int block_size) {
    const int resident = multiprocessor_count() * std::max(1, 2048 / block_size);
    return std::min(blocks_to_cover(n, block_size), resident);
}
