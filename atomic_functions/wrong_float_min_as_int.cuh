// Wrong on purpose: the minimum of floats by atomicMin on their bits as int. It is right as long as
// all numbers are positive, which is how it passes a test: the bits of negative floats grow as the
// floats fall. more/float_bits.cuh has the half that is missing here.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

#include "common/error.cuh"
#include "common/launch.cuh"

// d_values: n numbers. d_x: one word with a start value. d_olds: n words, each thread's old value.
__global__ void float_min_as_int(const float* d_values, std::size_t n, float* d_x, float* d_olds) {
    const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (i < n) {
        auto* bits = reinterpret_cast<int*>(d_x);
        const int value = __float_as_int(d_values[i]);
        d_olds[i] = __int_as_float(atomicMin(bits, value));  // wrong: float_min_as_int
    }
}

inline void launch_float_min_as_int(const float* d_values, std::size_t n, float* d_x, float* d_olds,
                                    int block_size) {
    const int grid_size = common::blocks_to_cover(n, block_size);
    float_min_as_int<<<grid_size, block_size>>>(d_values, n, d_x, d_olds);
    CHECK_LAUNCH();
}
