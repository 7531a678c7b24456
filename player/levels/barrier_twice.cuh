// Two blocks meet twice at a barrier. The last to come sets the count back, for the next time.
#pragma once

#include <cuda_runtime.h>

#include <cuda/atomic>

__global__ void barrier_twice(int* count) {
    cuda::atomic_ref<int, cuda::thread_scope_device> word(*count);
    for (int round = 0; round < 2; ++round) {
        if (atomicAdd(count, 1) == 1) {
            atomicExch(count, 0);  // the last one: all may go on
        } else {
            while (word.load(cuda::memory_order_relaxed) != 0) {
                __nanosleep(32);
            }
        }
    }
}
