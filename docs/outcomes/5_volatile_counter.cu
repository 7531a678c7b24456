// Each block adds 1 to a volatile counter, then reads it. What may this print? ../outcomes.md has
// the answer.
#include <cuda_runtime.h>
#include <cstdio>

constexpr int data = 0;

__global__ void kernel(volatile int* d_words, int* d_seen) {
    d_words[data] = d_words[data] + 1;
    d_seen[blockIdx.x] = d_words[data];
}

int main() {
    int* d_words;
    int* d_seen;
    cudaMalloc(&d_words, 64 * sizeof(int));
    cudaMalloc(&d_seen, 2 * sizeof(int));
    cudaMemset(d_words, 0, 64 * sizeof(int));
    kernel<<<2, 1>>>(d_words, d_seen);
    int seen[2];
    cudaMemcpy(seen, d_seen, sizeof seen, cudaMemcpyDeviceToHost);
    std::printf("block 0 sees %d, block 1 sees %d\n", seen[0], seen[1]);
    cudaFree(d_words);
    cudaFree(d_seen);
    return 0;
}
