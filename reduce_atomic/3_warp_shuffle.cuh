// Variant 3: each thread first adds up many elements in a register. Then the block adds up its
// threads' sums by warp shuffles, and there are far fewer blocks, so far fewer atomics.
//
// Source of the idea: CUDA C++ Programming Guide, "Warp Shuffle Functions"; Fan, CUDA Programming,
// chapter 10.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

#include "common/block_reduce.cuh"
#include "common/error.cuh"
#include "common/launch.cuh"

// The sum of the elements that fall to the calling thread when the grid strides over the array.
// Neighboring threads read neighboring elements, and a grid of any size covers any n.
template <typename T>
__device__ T grid_stride_sum(const T* d_x, std::size_t n) {
    const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
    T sum = 0;
    for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += stride) {
        sum += d_x[i];
    }
    return sum;
}

// d_x: n numbers. d_sum: one word, 0 before the launch. A grid of any size.
//
// block_sum adds 32 values per warp in five shuffles, which need neither shared memory nor a
// barrier; then one warp adds the warps' sums. That takes two barriers for any block; the tree
// takes eight for a block of 128 threads.
template <typename T>
__global__ void reduce_warp_shuffle(const T* d_x, std::size_t n, T* d_sum) {
    const T sum = common::block_sum(grid_stride_sum(d_x, n));
    if (threadIdx.x == 0) {
        atomicAdd(d_sum, sum);
    }
}

template <typename T>
void launch_warp_shuffle(const T* d_x, std::size_t n, T* d_sum, int block_size) {
    CHECK(cudaMemsetAsync(d_sum, 0, sizeof(T)));
    const int grid_size = common::blocks_to_fill_device(n, block_size);
    reduce_warp_shuffle<<<grid_size, block_size>>>(d_x, n, d_sum);
    CHECK_LAUNCH();
}
