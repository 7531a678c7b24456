// A barrier for the grid that is used twice. Each block counts itself, waits until the counter has
// the number of blocks, and sets it to 0 for the next time. A block that has not looked before the
// first one sets it to 0 misses the full counter, and waits without end.
//
// Found in: TileLang, grid_sync of its CuTeDSL backend, until pull request 2319 (June 2026).
// Teaches: wait for a second word that changes once in each round, such as the number of the round.
// It keeps its new value until each block has seen it: the next round ends after all have arrived.
//
//     scripts/race docs/found/barrier_reset_too_early.cu             # DEADLOCK
//     scripts/race docs/found/barrier_reset_too_early.cu -DFIXED     # clean
#include <algorithm>
#include <cstdio>

#include "../../common/error.cuh"

__device__ unsigned arrived;
__device__ unsigned round_number;

__device__ void grid_barrier() {
#ifdef FIXED
    const unsigned round = atomicAdd(&round_number, 0u);  // before this block is counted
#endif
    __threadfence();
#ifdef FIXED
    if (atomicAdd(&arrived, 1u) == gridDim.x - 1) {
        atomicExch(&arrived, 0u);
        __threadfence();
        atomicAdd(&round_number, 1u);
    }
    while (atomicAdd(&round_number, 0u) == round) {
    }
#else
    atomicAdd(&arrived, 1u);
    while (atomicAdd(&arrived, 0u) < gridDim.x) {  // misses the full counter if it is 0 again
    }
    atomicExch(&arrived, 0u);
#endif
    __threadfence();
}

__global__ void two_steps(int* d_x) {
    d_x[blockIdx.x] = 1;
    grid_barrier();
    const int next = d_x[(blockIdx.x + 1) % gridDim.x];
    grid_barrier();
    d_x[blockIdx.x] += next;
}

int main() {
    int x[4], *d_x;
    CHECK(cudaMalloc(&d_x, sizeof x));
    two_steps<<<4, 1>>>(d_x);
    CHECK_LAUNCH();
    CHECK(cudaMemcpy(x, d_x, sizeof x, cudaMemcpyDeviceToHost));
    std::printf("%d %d %d %d, expected 2 2 2 2\n", x[0], x[1], x[2], x[3]);
    return std::count(x, x + 4, 2) == 4 ? 0 : 1;
}
