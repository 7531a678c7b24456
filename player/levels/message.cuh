// Block 0 sends two digits, 4 and 2, and sets a flag. Block 1 waits for it and reads them.
#pragma once

#include <cuda_runtime.h>

#include <cuda/atomic>

__global__ void message(int* digits, int* flag, int* received) {
    cuda::atomic_ref<int, cuda::thread_scope_device> ready(*flag);
    if (blockIdx.x == 0) {
        digits[0] = 4;
        digits[1] = 2;
        ready.store(1, cuda::memory_order_relaxed);
    } else {
        while (ready.load(cuda::memory_order_relaxed) == 0) {
            __nanosleep(32);
        }
        const int tens = digits[0];
        const int ones = digits[1];
        *received = 10 * tens + ones;
    }
}
