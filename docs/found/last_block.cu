// Each block stores the sum of its part and counts itself. The last one to count adds up all sums.
// A fence stands before the count, but none after it.
//
// Found in: NVIDIA's sample threadFenceReduction; PyTorch, Reduce.cuh, until pull request 128455
// (June 2024), which needed eight GPUs and some minutes to show a wrong sum.
// Teaches: the reader needs a fence, too: after its atomic, before it reads the sums.
//
//     scripts/race docs/found/last_block.cu               # DATA RACE
//     scripts/race docs/found/last_block.cu -DFIXED       # clean
#include <cstdio>
#include <vector>

constexpr int block = 64, blocks = 4, n = block * blocks;

__global__ void sum_all(const int* d_x, int* d_sums, unsigned* d_count, int* d_sum) {
    __shared__ int s_sum;
    if (threadIdx.x == 0) {
        s_sum = 0;
    }
    __syncthreads();
    atomicAdd(&s_sum, d_x[blockIdx.x * block + threadIdx.x]);
    __syncthreads();
    if (threadIdx.x != 0) {
        return;
    }
    d_sums[blockIdx.x] = s_sum;
    __threadfence();  // who sees the count sees this sum, too
    const unsigned before = atomicAdd(d_count, 1u);
#ifdef FIXED
    __threadfence();  // what is read from here on is not older than the count
#endif
    if (before == blocks - 1) {
        *d_sum = 0;
        for (int i = 0; i < blocks; ++i) {
            *d_sum += d_sums[i];
        }
    }
}

int main() {
    const std::vector<int> x(n, 1);
    int *d_x, *d_sums, *d_sum, sum;
    unsigned* d_count;
    cudaMalloc(&d_x, n * sizeof(int));
    cudaMalloc(&d_sums, blocks * sizeof(int));
    cudaMalloc(&d_sum, sizeof(int));
    cudaMalloc(&d_count, sizeof(unsigned));
    cudaMemcpy(d_x, x.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemset(d_count, 0, sizeof(unsigned));
    sum_all<<<blocks, block>>>(d_x, d_sums, d_count, d_sum);
    const cudaError_t error = cudaMemcpy(&sum, d_sum, sizeof(int), cudaMemcpyDeviceToHost);
    if (error != cudaSuccess) {
        std::printf("%s\n", cudaGetErrorString(error));
        return 1;
    }
    std::printf("sum %d, expected %d\n", sum, n);
    return sum == n ? 0 : 1;
}
