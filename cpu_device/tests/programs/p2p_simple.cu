// Two devices that use each other's memory: a copy from one to the other and back, and kernels that
// read on one device and write on the other. In the style of a sample of NVIDIA.
// environment: CPU_DEVICES=2
// expect: status 0, "2 devices", "0 wrong values", "peer access is disabled again"
#include <cstdio>
#include <vector>

#include <cuda_runtime.h>
#include <helper_cuda.h>

__global__ void twice(const float* from, float* to, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        to[i] = 2.0f * from[i];
    }
}

int main() {
    int devices = 0;
    checkCudaErrors(cudaGetDeviceCount(&devices));
    printf("%d devices\n", devices);
    if (devices < 2) {
        return 2;
    }
    for (int device = 0; device < 2; ++device) {
        int can = 0;
        checkCudaErrors(cudaDeviceCanAccessPeer(&can, device, 1 - device));
        if (!can) {
            return 2;
        }
        checkCudaErrors(cudaSetDevice(device));
        checkCudaErrors(cudaDeviceEnablePeerAccess(1 - device, 0));
    }

    const int n = 1 << 16;
    const size_t bytes = n * sizeof(float);
    float *d_x[2], *h_x;
    for (int device = 0; device < 2; ++device) {
        checkCudaErrors(cudaSetDevice(device));
        checkCudaErrors(cudaMalloc(&d_x[device], bytes));
    }
    checkCudaErrors(cudaMallocHost(&h_x, bytes));
    for (int i = 0; i < n; ++i) {
        h_x[i] = i % 4096;
    }

    // There and back a few times, and how long that takes.
    cudaEvent_t start, stop;
    checkCudaErrors(cudaSetDevice(0));
    checkCudaErrors(cudaEventCreateWithFlags(&start, cudaEventBlockingSync));
    checkCudaErrors(cudaEventCreateWithFlags(&stop, cudaEventBlockingSync));
    checkCudaErrors(cudaMemcpy(d_x[0], h_x, bytes, cudaMemcpyDefault));
    checkCudaErrors(cudaEventRecord(start));
    for (int i = 0; i < 10; ++i) {
        checkCudaErrors(cudaMemcpy(d_x[(i + 1) % 2], d_x[i % 2], bytes, cudaMemcpyDefault));
    }
    checkCudaErrors(cudaEventRecord(stop));
    checkCudaErrors(cudaEventSynchronize(stop));
    float ms = 0;
    checkCudaErrors(cudaEventElapsedTime(&ms, start, stop));

    // Device 1 reads from device 0, then device 0 from device 1.
    for (int device : {1, 0}) {
        checkCudaErrors(cudaSetDevice(device));
        twice<<<n / 512, 512>>>(d_x[1 - device], d_x[device], n);
        checkCudaErrors(cudaGetLastError());
        checkCudaErrors(cudaDeviceSynchronize());
    }
    checkCudaErrors(cudaMemcpy(h_x, d_x[0], bytes, cudaMemcpyDefault));
    int wrong = 0;
    for (int i = 0; i < n; ++i) {
        wrong += h_x[i] != 4.0f * (i % 4096);
    }
    printf("%d wrong values\n", wrong);

    checkCudaErrors(cudaEventDestroy(start));
    checkCudaErrors(cudaEventDestroy(stop));
    checkCudaErrors(cudaFreeHost(h_x));
    for (int device = 0; device < 2; ++device) {
        checkCudaErrors(cudaSetDevice(device));
        checkCudaErrors(cudaDeviceDisablePeerAccess(1 - device));
        checkCudaErrors(cudaFree(d_x[device]));
    }
    printf("peer access is disabled again\n");
    return wrong == 0 && ms >= 0 ? 0 : 1;
}
