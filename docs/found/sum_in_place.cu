// Each block sums up its part of an array. The sums go to the front of the same array: to words
// that another block may not have read yet.
//
// Found in: Learn CUDA Programming (Packt, 2019), fourteen reductions of chapter 3.
// Teaches: nothing orders two blocks of a launch. Give the result an array of its own.
//
//     scripts/race docs/found/sum_in_place.cu             # DATA RACE
//     scripts/race docs/found/sum_in_place.cu -DFIXED     # clean
#include <cstdio>
#include <numeric>
#include <vector>

constexpr int block = 64, blocks = 4, n = block * blocks;

__global__ void sum_blocks(const int* d_in, int* d_out) {
    __shared__ int s_x[block];
    const int tid = threadIdx.x;
    s_x[tid] = d_in[blockIdx.x * block + tid];
    __syncthreads();
    for (int offset = block / 2; offset > 0; offset /= 2) {
        if (tid < offset) {
            s_x[tid] += s_x[tid + offset];
        }
        __syncthreads();
    }
    if (tid == 0) {
        d_out[blockIdx.x] = s_x[0];
    }
}

int main() {
    std::vector<int> x(n, 1), sums(blocks);
    int *d_x, *d_sums;
    cudaMalloc(&d_x, n * sizeof(int));
    cudaMalloc(&d_sums, blocks * sizeof(int));
    cudaMemcpy(d_x, x.data(), n * sizeof(int), cudaMemcpyHostToDevice);
#ifndef FIXED
    cudaFree(d_sums);
    d_sums = d_x;
#endif
    sum_blocks<<<blocks, block>>>(d_x, d_sums);
    const cudaError_t error =
        cudaMemcpy(sums.data(), d_sums, blocks * sizeof(int), cudaMemcpyDeviceToHost);
    if (error != cudaSuccess) {
        std::printf("%s\n", cudaGetErrorString(error));
        return 1;
    }
    const int sum = std::accumulate(sums.begin(), sums.end(), 0);
    std::printf("sum %d, expected %d\n", sum, n);
    return sum == n ? 0 : 1;
}
