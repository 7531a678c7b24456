// How many blocks to launch where blocks wait for each other. All of them must be resident at one
// time: a block that waits keeps its place, and a block that has no place never comes.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <stdexcept>
#include <string>

#include "../common/device.cuh"
#include "../common/error.cuh"
#include "../common/launch.cuh"

// How many blocks of `block_size` threads of this kernel the device holds at one time.
template <typename Kernel>
int max_resident_blocks(Kernel* kernel, int block_size) {
    int per_multiprocessor = 0;
    CHECK(
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_multiprocessor, kernel, block_size, 0));
    return per_multiprocessor * common::multiprocessor_count();
}

// `wanted` blocks; where that is 0, as many as n cells need, but no more than fit. Throws where the
// wanted ones do not fit.
template <typename Kernel>
int resident_blocks(Kernel* kernel, std::size_t n, int block_size, int wanted) {
    const int fitting = max_resident_blocks(kernel, block_size);
    if (wanted > fitting) {
        throw std::length_error(
            std::to_string(wanted) + " blocks of " + std::to_string(block_size) +
            " threads wait for each other, and " + std::to_string(fitting) +
            " of them fit on this device; expected a smaller --grid or --block");
    }
    const int needed = common::blocks_to_cover(n, block_size);
    return wanted > 0 ? wanted : needed < fitting ? needed : fitting;
}
