// A warp adds up 32 numbers in shared memory. The array is volatile, and the lanes count on being
// in step. The block of this program is one warp. In the originals the last warp of a larger block
// does this, after steps of the whole block with __syncthreads().
//
// Found in: OP2, op_cuda_reduction.h, until December 2020 (issue 185); the Torch of 2017 (cutorch,
// pull request 739).
// Teaches: volatile makes the compiler load and store; it makes no lane wait for another one.
//
//     scripts/race docs/found/volatile_warp_sum.cu             # VOLATILE WITHOUT ORDER
//     scripts/race docs/found/volatile_warp_sum.cu -DFIXED     # clean
#include <cstdio>

#include "../../common/error.cuh"

__global__ void sum_warp(const int* d_x, int* d_sum) {
    __shared__ int s_x[32];
    const int lane = threadIdx.x;
    s_x[lane] = d_x[lane];
    __syncthreads();
#ifdef FIXED
    for (int distance = 16; distance > 0; distance /= 2) {
        if (lane < distance) {
            s_x[lane] += s_x[lane + distance];
        }
        __syncwarp();
    }
#else
    volatile int* sums = s_x;
    for (int distance = 16; distance > 0; distance /= 2) {
        if (lane < distance) {
            sums[lane] = sums[lane] + sums[lane + distance];
        }
    }
#endif
    if (lane == 0) {
        *d_sum = s_x[0];
    }
}

int main() {
    int x[32], sum = 0, *d_x, *d_sum;
    for (int i = 0; i < 32; ++i) {
        x[i] = i;
    }
    CHECK(cudaMalloc(&d_x, sizeof x));
    CHECK(cudaMalloc(&d_sum, sizeof(int)));
    CHECK(cudaMemcpy(d_x, x, sizeof x, cudaMemcpyHostToDevice));
    sum_warp<<<1, 32>>>(d_x, d_sum);
    CHECK_LAUNCH();
    CHECK(cudaMemcpy(&sum, d_sum, sizeof(int), cudaMemcpyDeviceToHost));
    std::printf("sum %d, expected 496\n", sum);
    return sum == 496 ? 0 : 1;
}
