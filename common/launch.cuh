// How many blocks to launch.
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <stdexcept>
#include <string>

#include "device.cuh"

namespace common {

// Blocks of `block_size` threads that give each of `n` elements its own thread. At least one: a
// grid of zero blocks is an error, and a block without work is not. Throws where a grid has not
// that many blocks.
inline int blocks_to_cover(std::size_t n, int block_size) {
    const auto threads = static_cast<std::size_t>(block_size);
    const std::size_t blocks = std::max<std::size_t>(1, (n + threads - 1) / threads);
    if (blocks > static_cast<std::size_t>(std::numeric_limits<int>::max())) {
        throw std::length_error(std::to_string(n) + " elements in blocks of " +
                                std::to_string(block_size) +
                                " are more blocks than a grid has (2^31 - 1); expected a larger "
                                "--block or a smaller --n");
    }
    return static_cast<int>(blocks);
}

// Blocks for a grid-stride loop: as many threads as the device's multiprocessors can hold, and no
// more than there are elements. `most_threads`: how many threads of this kernel a multiprocessor
// can hold, if its registers leave room for so many only.
inline int blocks_to_fill_device(std::size_t n, int block_size,
                                 int most_threads = std::numeric_limits<int>::max()) {
    const auto threads = static_cast<std::size_t>(block_size);
    const int can_hold =
        std::min(device_attribute<cudaDevAttrMaxThreadsPerMultiProcessor>(), most_threads);
    const int most = multiprocessor_count() * std::max(1, can_hold / block_size);
    return static_cast<int>(std::clamp<std::size_t>((n + threads - 1) / threads, 1, most));
}

}  // namespace common
