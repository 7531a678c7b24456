// dynamic_shared<T>(): the block's dynamic shared memory as an array of T. Its size in bytes is the
// third value of the launch: kernel<<<grid_size, block_size, bytes>>>().
//
// The usual `extern __shared__ T s[];` does not compile in a template that is used with two types:
// all such declarations name one symbol, which cannot have two types. One aligned declaration as
// bytes, and a cast, serves them all.
#pragma once

#include <cuda_runtime.h>

template <typename T>
__device__ T* dynamic_shared() {
    extern __shared__ __align__(16) unsigned char dynamic_shared_bytes[];
    return reinterpret_cast<T*>(dynamic_shared_bytes);
}
