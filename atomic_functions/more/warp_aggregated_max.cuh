// One float_max_bits per warp: aggregation of a function that is no sum.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

#include "atomic_functions/more/float_bits.cuh"
#include "common/block_reduce.cuh"
#include "common/error.cuh"
#include "common/launch.cuh"

// Floats as signed integers in the same order, so that max() can compare them: the bits, and if the
// float is negative, all of them but the sign inverted. Doing so twice gives the bits back. (The
// order is that of total_order() in functions_cpu.hpp.)
__device__ inline int ordered_key(int bits) {
    return bits >= 0 ? bits : bits ^ 0x7fffffff;
}
__device__ inline float float_of_key(int key) {
    return __int_as_float(ordered_key(key));
}

// float_max_bits makes an atomic per thread. Here the last lane of each warp brings the warp's
// largest value. (The lanes with i < n are the first ones, so the last of them has the number of
// those that take part, less one.) Each lane's old value is as if the lanes had come one after the
// other: the larger of the word's value and of all values of the lanes before it. `largest`, a
// running maximum, is made by shuffles that look twice as far back in each step.
//
// d_x: one word with a start value. d_values: n numbers. d_olds: n words, each thread's old value.
__global__ void max_warp_aggregated(float* d_x, const float* d_values, std::size_t n,
                                    float* d_olds) {
    const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    const int lane = static_cast<int>(threadIdx.x) % common::warp_size;
    const unsigned taking_part = __ballot_sync(common::existing_lanes(), i < n);
    if (i >= n) {
        return;
    }
    int largest = ordered_key(__float_as_int(d_values[i]));  // of the lanes up to this one
    for (int offset = 1; offset < common::warp_size; offset *= 2) {
        // A lane with fewer than `offset` before it gets its own value back, which changes nothing.
        largest = max(largest, __shfl_up_sync(taking_part, largest, offset));
    }
    const int last = __popc(taking_part) - 1;  // its `largest` is the warp's
    int old = 0;
    if (lane == last) {
        const float value = float_of_key(largest);
        old = ordered_key(__float_as_int(FloatMaxByBits::apply(Scope::device, d_x, value, 0)));
    }
    old = __shfl_sync(taking_part, old, last);
    const int before = __shfl_up_sync(taking_part, largest, 1);
    d_olds[i] = float_of_key(lane == 0 ? old : max(old, before));
}

inline void launch_warp_aggregated_max(float* d_x, const float* d_values, std::size_t n,
                                       float* d_olds, int block_size) {
    const int grid_size = common::blocks_to_cover(n, block_size);
    max_warp_aggregated<<<grid_size, block_size>>>(d_x, d_values, n, d_olds);
    CHECK_LAUNCH();
}
