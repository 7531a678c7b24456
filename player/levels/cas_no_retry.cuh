// Each thread adds 1 to the word x, by one compare-and-swap.
#pragma once

#include <cuda_runtime.h>

#include <cuda/atomic>

__global__ void cas_no_retry(int* x) {
    cuda::atomic_ref<int, cuda::thread_scope_device> word(*x);
    const int old = word.load(cuda::memory_order_relaxed);
    atomicCAS(x, old, old + 1);
}
