// Wrong on purpose: atomicInc as Fan, CUDA Programming, section 9.2, describes it: back to 0 where
// old > value. The hardware's goes back where old >= value, so this one counts one too far.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

#include "atomic_functions/3_float_max_cas.cuh"
#include "common/error.cuh"
#include "common/launch.cuh"

// d_values: n numbers. d_x: one word with a start value. d_olds: n words, each thread's old value.
__global__ void inc_off_by_one(const unsigned* d_values, std::size_t n, unsigned* d_x,
                               unsigned* d_olds) {
    const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (i < n) {
        const unsigned value = d_values[i];
        d_olds[i] = update_by_cas(d_x, [value](unsigned old) {
            return old > value ? 0 : old + 1;  // wrong: inc_off_by_one
        });
    }
}

inline void launch_inc_off_by_one(const unsigned* d_values, std::size_t n, unsigned* d_x,
                                  unsigned* d_olds, int block_size) {
    const int grid_size = common::blocks_to_cover(n, block_size);
    inc_off_by_one<<<grid_size, block_size>>>(d_values, n, d_x, d_olds);
    CHECK_LAUNCH();
}
