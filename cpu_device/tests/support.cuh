// What race mode's tests share: checked calls, and a lock.
#pragma once

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <cuda/atomic>

#define CHECK(call) exit_on_error((call), #call, __FILE__, __LINE__)
#define CHECK_LAUNCH() exit_on_error(cudaGetLastError(), "a launch", __FILE__, __LINE__)

inline void exit_on_error(cudaError_t error, const char* call, const char* file, int line) {
    if (error != cudaSuccess) {
        std::fprintf(stderr, "%s:%d: %s: %s\n", file, line, call, cudaGetErrorString(error));
        std::exit(EXIT_FAILURE);
    }
}

// 0: free, 1: taken.
__device__ inline void lock(int& mutex) {
    cuda::atomic_ref<int, cuda::thread_scope_device> word(mutex);
    int expected = 0;
    while (!word.compare_exchange_weak(expected, 1, cuda::memory_order_acquire,
                                       cuda::memory_order_relaxed)) {
        expected = 0;
        __nanosleep(32);
    }
}

__device__ inline void unlock(int& mutex) {
    cuda::atomic_ref<int, cuda::thread_scope_device>(mutex).store(0, cuda::memory_order_release);
}

// Memory by a helper's call, which reports are to see through.
inline int* new_words(std::size_t count) {
    int* d_words = nullptr;
    CHECK(cudaMalloc(&d_words, count * sizeof(int)));
    return d_words;
}
