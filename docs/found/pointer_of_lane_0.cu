// Lane 0 of each warp takes a part of an array and leaves the pointer to it in shared memory. The
// other lanes read the pointer on the next line. The __syncwarp() between the two is missing.
//
// Found in: HeCBench, the HIP version of logic-rewrite, file truth.cuh, until pull request 221 (May
// 2026). There lane 0 gets the memory by malloc(), and the __syncwarp() had been commented out.
// Teaches: a pointer in shared memory is data like any other: who reads it must wait for it.
//
//     scripts/race docs/found/pointer_of_lane_0.cu             # DATA RACE
//     scripts/race docs/found/pointer_of_lane_0.cu -DFIXED     # clean
#include <cstdio>

#include "../../common/error.cuh"

__device__ int memory_of_warps[64];  // two warps, 32 numbers each

__global__ void fill(int* d_sum) {
    __shared__ int* s_memory[2];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    if (lane == 0) {
        s_memory[warp] = memory_of_warps + 32 * warp;
    }
#ifdef FIXED
    __syncwarp();  // the pointer is there
#endif
    int* memory = s_memory[warp];
    if (memory != nullptr) {
        atomicAdd(d_sum, static_cast<int>(memory - memory_of_warps) / 32 == warp ? 1 : 0);
    }
}

int main() {
    int sum = 0, *d_sum;
    CHECK(cudaMalloc(&d_sum, sizeof(int)));
    CHECK(cudaMemset(d_sum, 0, sizeof(int)));
    fill<<<1, 64>>>(d_sum);
    CHECK_LAUNCH();
    CHECK(cudaMemcpy(&sum, d_sum, sizeof(int), cudaMemcpyDeviceToHost));
    std::printf("%d of 64 threads have their warp's pointer\n", sum);
    return sum == 64 ? 0 : 1;
}
