// Wrong on purpose: what readers of the book and of the tutorial trip over. They never run unless
// asked for by --variant.
#pragma once

#include "mutex_dot/mutex_dot.cuh"

namespace {

// dot_mutex without the lock: a block that reads *d_dot between another's read and write undoes
// that block's addition.
template <typename T>
__global__ void dot_no_mutex(const T* d_a, const T* d_b, std::size_t n, T* d_dot) {
    const T sum = block_dot(d_a, d_b, n);
    if (threadIdx.x == 0) {
        *d_dot += sum;  // race: no_mutex
    }
}

// dot_mutex_classic without the fences, as the first printings of the book have the lock. One block
// at a time holds it, but nothing says that the `+=` is done in between: the next holder may still
// read the value from before, or the lock may be seen free before the sum is seen written.
template <typename T>
__global__ void dot_mutex_no_fence(const T* d_a, const T* d_b, std::size_t n, int* d_mutex,
                                   T* d_dot) {
    const T sum = block_dot(d_a, d_b, n);
    if (threadIdx.x == 0) {
        while (atomicCAS(d_mutex, 0, 1) != 0) {
            __nanosleep(lock_pause_ns);
        }
        *d_dot += sum;  // race: mutex_no_fence
        atomicExch(d_mutex, 0);
    }
}

// The tutorial's tree: each step adds the neighbour, tid + 1, where the thread half a step away,
// tid + i, is meant. Whatever the order of the threads, the sums of the upper half, from
// blockDim.x / 2 + 1 on, are never looked at. (The neighbour writes its sum in the same step, so
// this is a race as well.) On equal numbers the result looks right: every step still doubles.
template <typename T>
__global__ void dot_tid_plus_one(const T* d_a, const T* d_b, std::size_t n, T* d_dot) {
    T* s_sums = dynamic_shared<T>();
    const unsigned tid = threadIdx.x;
    s_sums[tid] = grid_stride_dot(d_a, d_b, n);
    unsigned i = 1;
    while (2 * i < blockDim.x) {
        i *= 2;
    }
    for (; i > 0; i /= 2) {
        __syncthreads();
        if (tid < i && tid + i < blockDim.x) {
            s_sums[tid] += s_sums[tid + 1];  // wrong: tid_plus_one
        }
    }
    __syncthreads();
    if (tid == 0) {
        atomicAdd(d_dot, s_sums[0]);
    }
}

}  // namespace

template <typename T>
void run_no_mutex(DotProblem<T>& p) {
    const int block_size = p.block_size_or(tutorial_block_size);
    CHECK(cudaMemsetAsync(p.d_dot(), 0, sizeof(T)));
    const int grid_size = dot_blocks(p.n, block_size);
    const std::size_t smem = block_size * sizeof(T);
    dot_no_mutex<<<grid_size, block_size, smem>>>(p.d_a, p.d_b, p.n, p.d_dot());
    CHECK_LAUNCH();
    p.set_accuracy(block_dot_additions(p, grid_size, block_size) + grid_size);
}

template <typename T>
void run_mutex_no_fence(DotProblem<T>& p) {
    const int block_size = p.block_size_or(tutorial_block_size);
    CHECK(cudaMemsetAsync(p.d_mutex(), 0, sizeof(int)));
    CHECK(cudaMemsetAsync(p.d_dot(), 0, sizeof(T)));
    const int grid_size = dot_blocks(p.n, block_size);
    const std::size_t smem = block_size * sizeof(T);
    dot_mutex_no_fence<<<grid_size, block_size, smem>>>(p.d_a, p.d_b, p.n, p.d_mutex(), p.d_dot());
    CHECK_LAUNCH();
    p.set_accuracy(block_dot_additions(p, grid_size, block_size) + grid_size);
}

template <typename T>
void run_tid_plus_one(DotProblem<T>& p) {
    const int block_size = p.block_size_or(tutorial_block_size);
    CHECK(cudaMemsetAsync(p.d_dot(), 0, sizeof(T)));
    const int grid_size = dot_blocks(p.n, block_size);
    const std::size_t smem = block_size * sizeof(T);
    dot_tid_plus_one<<<grid_size, block_size, smem>>>(p.d_a, p.d_b, p.n, p.d_dot());
    CHECK_LAUNCH();
    p.set_accuracy(block_dot_additions(p, grid_size, block_size) + grid_size);
}
