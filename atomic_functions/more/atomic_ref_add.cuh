// 1_atomic_add.cuh with cuda::atomic_ref of libcu++.
#pragma once

#include <cuda_runtime.h>

#include <cuda/atomic>

#include <cstddef>

#include "common/error.cuh"
#include "common/launch.cuh"

// The same instruction as atomicAdd. What atomicAdd leaves unsaid is written out here: the scope
// (all threads of this GPU) and the order (relaxed: no other access is put in order).
//
// Parameters: see count_atomic_add.
__global__ void count_atomic_ref(int* d_x, std::size_t n, int* d_olds) {
    const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (i < n) {
        cuda::atomic_ref<int, cuda::thread_scope_device> x(*d_x);
        d_olds[i] = x.fetch_add(1, cuda::memory_order_relaxed);
    }
}

inline void launch_atomic_ref_add(int* d_x, std::size_t n, int* d_olds, int block_size) {
    CHECK(cudaMemsetAsync(d_x, 0, sizeof(int)));
    const int grid_size = common::blocks_to_cover(n, block_size);
    count_atomic_ref<<<grid_size, block_size>>>(d_x, n, d_olds);
    CHECK_LAUNCH();
}
