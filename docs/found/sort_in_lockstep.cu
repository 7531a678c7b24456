// A warp sorts 32 numbers in shared memory, one bit after another. The lanes count on being in
// step; a ballot gives them a value, but puts no memory accesses in order.
//
// Found in: Learn CUDA Programming (Packt, 2019), radix_warp_sort.
// Teaches: a ballot passes a value and orders no memory. Put a __syncwarp() between the accesses.
//
//     scripts/race docs/found/sort_in_lockstep.cu             # DATA RACE
//     scripts/race docs/found/sort_in_lockstep.cu -DFIXED     # clean
#include <algorithm>
#include <cstdio>

#ifdef FIXED
#define WAIT_FOR_WARP() __syncwarp()
#else
#define WAIT_FOR_WARP()
#endif

__global__ void sort_warp(int* d_x) {
    __shared__ int s_x[32];
    const int lane = threadIdx.x;
    const unsigned below = (1u << lane) - 1;  // a bit for each lane before this one
    s_x[lane] = d_x[lane];
    for (int bit = 0; bit < 8; ++bit) {
        WAIT_FOR_WARP();  // all numbers are at their places
        const int x = s_x[lane];
        WAIT_FOR_WARP();  // all have been read
        const bool one = (x >> bit & 1) != 0;
        const unsigned ones = __ballot_sync(0xffffffff, one);
        s_x[one ? __popc(~ones) + __popc(ones & below) : __popc(~ones & below)] = x;
    }
    WAIT_FOR_WARP();
    d_x[lane] = s_x[lane];
}

int main() {
    int x[32], *d_x;
    for (int i = 0; i < 32; ++i) {
        x[i] = i * 37 % 256;
    }
    cudaMalloc(&d_x, sizeof x);
    cudaMemcpy(d_x, x, sizeof x, cudaMemcpyHostToDevice);
    sort_warp<<<1, 32>>>(d_x);
    const cudaError_t error = cudaMemcpy(x, d_x, sizeof x, cudaMemcpyDeviceToHost);
    if (error != cudaSuccess) {
        std::printf("%s\n", cudaGetErrorString(error));
        return 1;
    }
    const bool sorted = std::is_sorted(x, x + 32);
    std::printf("%s\n", sorted ? "sorted" : "not sorted");
    return sorted ? 0 : 1;
}
