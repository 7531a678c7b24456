// A lock made of a read and a write: 0 is free, 1 is taken. Each thread adds 1 to x.
#pragma once

#include <cuda_runtime.h>

#include <cuda/atomic>

__global__ void lock_in_two_steps(int* lock, int* x) {
    cuda::atomic_ref<int, cuda::thread_scope_device> word(*lock);
    while (word.load(cuda::memory_order_relaxed) != 0) {
        __nanosleep(32);
    }
    word.store(1, cuda::memory_order_relaxed);
    const int old = *x;  // the critical section: a read ...
    *x = old + 1;        // ... and a write
    word.store(0, cuda::memory_order_release);
}
