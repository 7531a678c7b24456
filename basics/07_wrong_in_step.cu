// The sum of a warp in shared memory, as books of 2010 have it: without a barrier, since the 32
// threads of a warp were in step then. It is wrong since compute capability 7.0. For race mode: on
// a GPU its result is undefined.
// Notes: basics/07_warps.md.
//
//     scripts/race basics/07_wrong_in_step.cu             # DATA RACE
//     scripts/race basics/07_wrong_in_step.cu -DFIXED     # clean
#include <cstdio>
#include <numeric>
#include <vector>

#include "../common/error.cuh"

#ifdef FIXED
#define WAIT_FOR_WARP() __syncwarp()
#else
#define WAIT_FOR_WARP()
#endif

__global__ void sum_warp(const int* d_x, int* d_sum) {
    __shared__ int s_x[32];
    const int lane = threadIdx.x;
    s_x[lane] = d_x[lane];
    for (int offset = 16; offset > 0; offset /= 2) {
        WAIT_FOR_WARP();  // lane + offset has stored its sum
        if (lane < offset) {
            s_x[lane] += s_x[lane + offset];
        }
    }
    if (lane == 0) {
        *d_sum = s_x[0];
    }
}

int main() {
    std::vector<int> x(32);
    std::iota(x.begin(), x.end(), 0);
    int *d_x, *d_sum, sum = 0;
    CHECK(cudaMalloc(&d_x, x.size() * sizeof(int)));
    CHECK(cudaMalloc(&d_sum, sizeof(int)));
    CHECK(cudaMemcpy(d_x, x.data(), x.size() * sizeof(int), cudaMemcpyHostToDevice));
    sum_warp<<<1, 32>>>(d_x, d_sum);
    CHECK_LAUNCH();
    CHECK(cudaMemcpy(&sum, d_sum, sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_x));
    CHECK(cudaFree(d_sum));
    const bool ok = sum == std::accumulate(x.begin(), x.end(), 0);
    std::printf("sum %d: %s\n", sum, ok ? "ok" : "WRONG");
    return ok ? 0 : 1;
}
