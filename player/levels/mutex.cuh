// A lock taken by compare-and-swap, with both fences. Each thread adds 1 to x.
#pragma once

#include <cuda_runtime.h>

__global__ void mutex(int* lock, int* x) {
    while (atomicCAS(lock, 0, 1) != 0) {
        __nanosleep(32);
    }
    __threadfence();  // what follows is not done before the lock is taken
    const int old = *x;
    *x = old + 1;
    __threadfence();  // all of it is done before the lock is free
    atomicExch(lock, 0);
}
