// A transform is work in its plan's stream: the copy in another stream may come too early.
// race: status 66, "RACE BETWEEN STREAMS", "cufftExecC2C writes"
#include <cufft.h>

#include <cstdio>

__global__ void set(float2* d_x) {
    d_x[threadIdx.x] = {1, 0};
}

int main() {
    const int n = 32;
    float2 *d_x, x[n];
    cudaMalloc(&d_x, sizeof x);
    cudaStream_t stream, other;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
    cufftHandle plan;
    cufftPlan1d(&plan, n, CUFFT_C2C, 1);
    cufftSetStream(plan, stream);
    set<<<1, n, 0, stream>>>(d_x);
    cufftExecC2C(plan, d_x, d_x, CUFFT_FORWARD);
    cudaMemcpyAsync(x, d_x, sizeof x, cudaMemcpyDeviceToHost, other);
    cudaDeviceSynchronize();
    std::printf("%g %g\n", x[0].x, x[1].x);
    cufftDestroy(plan);
    return x[0].x == n && x[1].x * x[1].x < 1e-6f ? 0 : 1;
}
