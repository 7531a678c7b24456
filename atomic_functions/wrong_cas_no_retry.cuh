// Wrong on purpose: 2_cas_loop_add.cuh without the loop. Where another thread was faster, atomicCAS
// writes nothing, and this thread does not look at what it returned. The plain read is a data race
// as well.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

#include "common/error.cuh"
#include "common/launch.cuh"

// Parameters: see count_atomic_add.
__global__ void count_cas_no_retry(int* d_x, std::size_t n, int* d_olds) {
    const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (i < n) {
        const int old = *d_x;  // race: cas_no_retry
        atomicCAS(d_x, old, old + 1);
        d_olds[i] = old;
    }
}

inline void launch_cas_no_retry(int* d_x, std::size_t n, int* d_olds, int block_size) {
    CHECK(cudaMemsetAsync(d_x, 0, sizeof(int)));
    const int grid_size = common::blocks_to_cover(n, block_size);
    count_cas_no_retry<<<grid_size, block_size>>>(d_x, n, d_olds);
    CHECK_LAUNCH();
}
