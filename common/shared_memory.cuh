// Dynamic shared memory: as an array of any type, and as much of it as a block may have.
//
// dynamic_shared<T>(): the block's dynamic shared memory as an array of T. Its size in bytes is the
// third value of the launch: kernel<<<grid_size, block_size, bytes>>>().
//
// The usual `extern __shared__ T s[];` does not compile in a template that is used with two types:
// all such declarations name one symbol, which cannot have two types. One aligned declaration as
// bytes, and a cast, serves them all.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

#include "device.cuh"
#include "error.cuh"

namespace common {

template <typename T>
__device__ T* dynamic_shared() {
    extern __shared__ __align__(16) unsigned char dynamic_shared_bytes[];
    return reinterpret_cast<T*>(dynamic_shared_bytes);
}

// What one block may have of dynamic shared memory, if it asks: 48 KiB and more.
inline std::size_t max_shared_memory() {
    constexpr std::size_t static_bytes = 1024;  // room for the kernels' __shared__ variables
    return device_attribute<cudaDevAttrMaxSharedMemoryPerBlockOptin>() - static_bytes;
}

// Asks for that much for a kernel. Beyond 48 KiB a launch needs it.
template <typename Kernel>
void allow_shared_memory(Kernel* kernel, std::size_t bytes) {
    CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               static_cast<int>(bytes)));
}

}  // namespace common
