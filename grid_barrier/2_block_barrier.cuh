// Variant 2: one block for the whole plate, and a barrier for its threads that is made of atomics.
//
// Source of the question: ECE408, lecture 18.
#pragma once

#include <cuda_runtime.h>

#include <cuda/atomic>

#include "common/error.cuh"
#include "grid_barrier/plate.cuh"

// Waits until s_arrived has come to `goal`, which is so many rounds times blockDim.x. The counter
// goes on counting, so no round can be taken for another one. By the sign of the difference it may
// even wrap around.
//
// release: what this thread has written comes before its arrival. acquire: what it reads next comes
// after the arrivals that it has seen. Block scope is enough, since no other block takes part.
__device__ inline void block_barrier(unsigned& s_arrived, unsigned goal) {
    cuda::atomic_ref<unsigned, cuda::thread_scope_block> arrived(s_arrived);
    arrived.fetch_add(1, cuda::memory_order_release);
    while (static_cast<int>(arrived.load(cuda::memory_order_acquire) - goal) < 0) {
    }
}

__global__ void heat_block_barrier(Plate plate, int steps) {
    __shared__ unsigned s_arrived;
    if (threadIdx.x == 0) {
        s_arrived = 0;
    }
    __syncthreads();  // shared memory has no start value: no thread may count before it is 0
    for (int step = 1; step <= steps; ++step) {
        update_cells(plate);
        block_barrier(s_arrived, step * blockDim.x);
        swap_plates(plate);
    }
}

inline void launch_block_barrier(Plate plate, int steps, int block_size) {
    heat_block_barrier<<<1, block_size>>>(plate, steps);
    CHECK_LAUNCH();
}
