// Read by cuda_arch.h where __CUDA_ARCH__ is defined.
#pragma once

constexpr int header_constant = 1;
__device__ inline int device_in_header() {
    return 1;
}
