// How many blocks to launch.
#pragma once

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
    const std::size_t blocks = n > 0 ? (n + threads - 1) / threads : 1;
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
    const int holds = device_attribute<cudaDevAttrMaxThreadsPerMultiProcessor>();
    const int can_hold = holds < most_threads ? holds : most_threads;
    const int per_multiprocessor = can_hold < block_size ? 1 : can_hold / block_size;
    const auto most = static_cast<std::size_t>(multiprocessor_count() * per_multiprocessor);
    const std::size_t blocks = n > 0 ? (n - 1) / static_cast<std::size_t>(block_size) + 1 : 1;
    return static_cast<int>(blocks < most ? blocks : most);
}

}  // namespace common
