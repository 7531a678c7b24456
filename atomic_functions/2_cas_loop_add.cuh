// Variant 2: atomicAdd made by hand, from atomicCAS (compare and swap) in a loop.
//
// Source of the idea: Fan, CUDA Programming, section 9.2; CUDA C++ Programming Guide, "Atomic
// Functions".
#pragma once

#include <cuda_runtime.h>

#include <cuda/atomic>

#include <cstddef>

#include "../common/error.cuh"
#include "../common/launch.cuh"

// Reads a word that other threads change by atomics at the same time. A plain read would race with
// them: the compiler may keep the value in a register, or read it in two halves. "relaxed" means
// that the read puts no other access in order.
template <typename T>
__device__ T load_relaxed(T* word) {
    return cuda::atomic_ref<T, cuda::thread_scope_device>(*word).load(cuda::memory_order_relaxed);
}

// Adds `value` to the word and returns the old value.
//
// atomicCAS writes only if the word still holds `assumed`. It returns the value that it found. If
// that is another value, another thread has changed the word: the sum is computed again. Of k
// threads that try at the same time one succeeds, so there are up to k * (k + 1) / 2 attempts.
__device__ inline int add_by_cas(int* word, int value) {
    int old = load_relaxed(word);
    int assumed = 0;
    do {
        assumed = old;
        old = atomicCAS(word, assumed, assumed + value);
    } while (old != assumed);
    return old;
}

// Parameters: see count_atomic_add.
__global__ void count_cas_loop(int* d_x, std::size_t n, int* d_olds) {
    const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (i < n) {
        d_olds[i] = add_by_cas(d_x, 1);
    }
}

inline void launch_cas_loop_add(int* d_x, std::size_t n, int* d_olds, int block_size) {
    CHECK(cudaMemsetAsync(d_x, 0, sizeof(int)));
    const int grid_size = common::blocks_to_cover(n, block_size);
    count_cas_loop<<<grid_size, block_size>>>(d_x, n, d_olds);
    CHECK_LAUNCH();
}
