// Each thread puts its number, from 1, into a place of the list; `count` places are taken.
#pragma once

#include <cuda_runtime.h>

__global__ void use_then_add(int* count, int* list) {
    const int place = *count;
    list[place] = static_cast<int>(threadIdx.x) + 1;
    atomicAdd(count, 1);
}
