// A lock taken by compare-and-swap, without a fence. Each thread adds 1 to x.
#pragma once

#include <cuda_runtime.h>

__global__ void lock_without_fence(int* lock, int* x) {
    while (atomicCAS(lock, 0, 1) != 0) {
        __nanosleep(32);
    }
    const int old = *x;
    *x = old + 1;
    atomicExch(lock, 0);
}
