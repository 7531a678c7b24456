// Each block announces itself, then looks for the other one. What may this print? ../outcomes.md
// has the answer.
#include <cuda_runtime.h>
#include <cstdio>

__global__ void kernel(volatile int* d_words, int* d_seen) {
    const unsigned me = blockIdx.x;
    d_words[me * 32] = 1;
    d_seen[me] = d_words[(1 - me) * 32];
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
