// Names that were there until CUDA 12: they work, and say once what to write today.
// expect: status 0, "old_names.cu:16: CUDA 13 has no cudaThreadSynchronize; cudaDeviceSynchronize"
#include <cstdio>

__global__ void set(int* d_x) {
    *d_x = 7;
}

int main() {
    int* d_x;
    int x = 0;
    size_t bytes = 0;
    cudaMalloc(&d_x, sizeof *d_x);
    for (int i = 0; i < 2; ++i) {
        set<<<1, 1>>>(d_x);
        if (cudaThreadSynchronize() != cudaSuccess) {
            return 1;
        }
    }
    cudaMemcpy(&x, d_x, sizeof x, cudaMemcpyDeviceToHost);
    if (cudaThreadSetLimit(cudaLimitStackSize, 2048) != cudaSuccess ||
        cudaThreadGetLimit(&bytes, cudaLimitStackSize) != cudaSuccess || bytes != 2048) {
        return 1;
    }
    cudaFuncCache config;
    if (cudaThreadSetCacheConfig(cudaFuncCachePreferL1) != cudaSuccess ||
        cudaThreadGetCacheConfig(&config) != cudaSuccess || config != cudaFuncCachePreferL1) {
        return 1;
    }
    if (x != 7 || cudaThreadExit() != cudaSuccess) {
        return 1;
    }
    std::printf("ok\n");
}
