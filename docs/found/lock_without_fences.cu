// A lock that excludes, and does not order: the holder may read the sum as it was before the last
// holder wrote it.
//
// Found in: the book CUDA by Example (Sanders, Kandrot 2010), struct Lock of its appendix. Alglave
// and others showed that such a lock gives wrong results on GPUs (GPU Concurrency, ASPLOS 2015).
// NVIDIA published a correction, with the two fences.
// Teaches: lock() ends with an acquire, unlock() begins with a release.
//
//     scripts/race docs/found/lock_without_fences.cu             # DATA RACE
//     scripts/race docs/found/lock_without_fences.cu -DFIXED     # clean
#include <cstdio>

#include "../../common/error.cuh"

#ifdef FIXED
#define FENCE() __threadfence()
#else
#define FENCE()
#endif

__device__ int mutex;

__global__ void add_under_lock(int* d_sum) {
    while (atomicCAS(&mutex, 0, 1) != 0) {
    }
    FENCE();
    *d_sum += 1;
    FENCE();
    atomicExch(&mutex, 0);
}

int main() {
    const int blocks = 8;
    int sum = 0, *d_sum;
    CHECK(cudaMalloc(&d_sum, sizeof(int)));
    CHECK(cudaMemset(d_sum, 0, sizeof(int)));
    add_under_lock<<<blocks, 1>>>(d_sum);
    CHECK_LAUNCH();
    CHECK(cudaMemcpy(&sum, d_sum, sizeof(int), cudaMemcpyDeviceToHost));
    std::printf("sum %d, expected %d\n", sum, blocks);
    return sum == blocks ? 0 : 1;
}
