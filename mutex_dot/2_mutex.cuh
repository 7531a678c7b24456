// Variant 2: every block adds its partial sum to the result itself, under a mutex.
//
// Source of the idea: CUDA by Example, appendix A; Numba tutorial, part 4.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

#include "../common/error.cuh"
#include "../common/lock.cuh"
#include "block_dot.cuh"

// All blocks share the one word d_dot, and `*d_dot += sum` is a read, an addition and a write. The
// mutex lets one block at a time do the three. Only one thread per block takes it: the others have
// nothing to add. The price: the blocks take turns, and each turn is several trips to memory.
//
// d_a, d_b: n numbers each. d_mutex: one word, 0 (free) before the launch. d_dot: one word, 0
// before the launch. blockDim.x words of dynamic shared memory.
template <typename T>
__global__ void dot_mutex(const T* d_a, const T* d_b, std::size_t n, int* d_mutex, T* d_dot) {
    const T sum = block_dot(d_a, d_b, n);
    if (threadIdx.x == 0) {
        common::lock(*d_mutex);
        *d_dot += sum;
        common::unlock(*d_mutex);
    }
}

template <typename T>
void launch_mutex(const T* d_a, const T* d_b, std::size_t n, int* d_mutex, T* d_dot,
                  int block_size) {
    CHECK(cudaMemsetAsync(d_mutex, 0, sizeof(int)));  // a mutex that is not set is never free
    CHECK(cudaMemsetAsync(d_dot, 0, sizeof(T)));
    const int grid_size = dot_blocks(n, block_size);
    dot_mutex<<<grid_size, block_size, block_size * sizeof(T)>>>(d_a, d_b, n, d_mutex, d_dot);
    CHECK_LAUNCH();
}
