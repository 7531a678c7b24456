// Variant 3: a function that the toolkit does not have: the maximum of floats, by the loop of
// variant 2.
//
// Source of the idea: Fan, CUDA Programming, section 9.2 ("all others can be made from atomicCAS").
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

#include "../common/error.cuh"
#include "../common/launch.cuh"
#include "2_cas_loop_add.cuh"

// *word = new_value(*word) as one step; returns the old value. T: int, unsigned or unsigned long
// long. new_value is called again after each failed attempt, so it must do nothing but compute.
template <typename T, typename NewValue>
__device__ T update_by_cas(T* word, NewValue new_value) {
    T old = load_relaxed(word);
    while (true) {
        const T assumed = old;
        const T wanted = new_value(assumed);
        if (wanted == assumed) {
            return assumed;  // nothing to change: the atomic read was the whole step
        }
        old = atomicCAS(word, assumed, wanted);
        if (old == assumed) {
            return old;
        }
    }
}

// The word becomes the larger of its value and `value`. atomicCAS takes no floats, so the loop
// works on their bits. A NaN is never larger, and a NaN in the word gives way to any value.
__device__ inline float max_by_cas(float* word, float value) {
    auto* bits = reinterpret_cast<unsigned*>(word);
    return __uint_as_float(update_by_cas(bits, [value](unsigned old) {
        const float number = __uint_as_float(old);
        return value > number || isnan(number) ? __float_as_uint(value) : old;
    }));
}

// d_values: n numbers. d_x: one word with a start value. d_olds: n words, each thread's old value.
__global__ void float_max_cas(const float* d_values, std::size_t n, float* d_x, float* d_olds) {
    const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (i < n) {
        d_olds[i] = max_by_cas(d_x, d_values[i]);
    }
}

inline void launch_float_max_cas(const float* d_values, std::size_t n, float* d_x, float* d_olds,
                                 int block_size) {
    const int grid_size = common::blocks_to_cover(n, block_size);
    float_max_cas<<<grid_size, block_size>>>(d_values, n, d_x, d_olds);
    CHECK_LAUNCH();
}
