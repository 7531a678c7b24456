// Each thread adds 1 to the word x, which is 0 at first.
#pragma once

#include <cuda_runtime.h>

__global__ void atomic_add(int* x) {
    atomicAdd(x, 1);
}
