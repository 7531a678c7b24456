// Read by cuda_arch.cu.
#pragma once

#ifdef __CUDA_ARCH__
#include "cuda_arch_of_device.h"
#else
constexpr int header_constant = 2;
#endif

inline __host__ __device__ int in_header() {
#ifdef __CUDA_ARCH__
    return 1;
#else
    return 2;
#endif
}

__global__ void of_header(int* x) {
#if defined(__CUDA_ARCH__) && (__CUDA_ARCH__ >= 700)
    x[threadIdx.x] = 1;
#else
    x[threadIdx.x] = not_declared;
#endif
}
