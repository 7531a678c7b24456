// Each thread needs both locks. Thread 0 takes a first, thread 1 takes b first.
#pragma once

#include <cuda_runtime.h>

__global__ void two_locks(int* a, int* b) {
    int* const first = threadIdx.x == 0 ? a : b;
    int* const second = threadIdx.x == 0 ? b : a;
    while (atomicCAS(first, 0, 1) != 0) {
        __nanosleep(32);
    }
    while (atomicCAS(second, 0, 1) != 0) {
        __nanosleep(32);
    }
    atomicExch(second, 0);
    atomicExch(first, 0);
}
