// Each thread puts its number, from 1, into a place of the list; `count` places are taken.
#pragma once

#include <cuda_runtime.h>

__global__ void old_values(int* count, int* list) {
    const int place = atomicAdd(count, 1);
    list[place] = static_cast<int>(threadIdx.x) + 1;
}
