// The same message with a fence on both sides. What may this print? ../outcomes.md has the answer.
#include <cuda_runtime.h>
#include <cstdio>

constexpr int data = 0, flag = 32;  // two words, far apart

__global__ void kernel(volatile int* d_words, int* d_seen) {
    if (blockIdx.x == 0) {
        d_words[data] = 1;
        __threadfence();
        d_words[flag] = 1;
    } else {
        d_seen[0] = d_words[flag];
        __threadfence();
        d_seen[1] = d_words[data];
    }
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
    std::printf("flag %d, data %d\n", seen[0], seen[1]);
    cudaFree(d_words);
    cudaFree(d_seen);
    return 0;
}
