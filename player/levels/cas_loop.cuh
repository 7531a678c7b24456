// Each thread adds 1 to the word x, by compare-and-swap in a loop.
#pragma once

#include <cuda_runtime.h>

#include <cuda/atomic>

__global__ void cas_loop(int* x) {
    cuda::atomic_ref<int, cuda::thread_scope_device> word(*x);
    int old = word.load(cuda::memory_order_relaxed);
    while (true) {
        const int assumed = old;
        old = atomicCAS(x, assumed, assumed + 1);
        if (old == assumed) {
            break;  // x still held what this thread had read
        }
    }
}
