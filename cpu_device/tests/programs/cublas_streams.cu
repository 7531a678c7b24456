// cuBLAS works in the handle's stream; race mode sees it write beside a kernel of another stream.
// needs: BLAS
// race: status 66, "RACE BETWEEN STREAMS", "cublasSscal reads the same word"
#include <cublas_v2.h>

#include <cstdio>

__global__ void fill(float* d_x) {
    d_x[threadIdx.x] = 1;
}

int main() {
    const float two = 2;
    float* d_x;
    float x = 0;
    cudaStream_t first, second;
    cudaStreamCreate(&first);
    cudaStreamCreate(&second);
    cudaMalloc(&d_x, 32 * sizeof(float));
    cublasHandle_t handle;
    cublasCreate(&handle);
    cublasSetStream(handle, second);
    fill<<<1, 32, 0, first>>>(d_x);  // nothing makes the second stream wait for it
    cublasSscal(handle, 32, &two, d_x, 1);
    cudaMemcpy(&x, d_x, sizeof x, cudaMemcpyDeviceToHost);
    cublasDestroy(handle);
    std::printf("%s\n", x == 2 ? "ok" : "another order");
}
