// A kernel uses a peer's memory without access: it fails, and its device with it. The other device
// goes on.
// environment: CPU_DEVICES=2
// expect: status 0, "on device 0", "memory of device 1, to which device 0 has no access",
//     "cudaDeviceEnablePeerAccess(1, 0)", "cudaErrorIllegalAddress, twice",
//     "device 1: cudaSuccess, 6"
// race: status 66, "PEER ACCESS NOT ENABLED", ", on device 0, reads memory of device 1"
#include <cstdio>

__global__ void add(int* x, int value) {
    x[threadIdx.x] += value;
}

int main() {
    int* x;
    cudaSetDevice(1);
    cudaMalloc(&x, 64 * sizeof(int));
    cudaMemset(x, 0, 64 * sizeof(int));
    cudaDeviceSynchronize();
    add<<<1, 64>>>(x, 1);
    cudaDeviceSynchronize();
    cudaSetDevice(0);
    add<<<1, 64>>>(x, 2);
    const cudaError_t first = cudaDeviceSynchronize();
    const cudaError_t second = cudaDeviceSynchronize();  // the error stays
    printf("%s, %s\n", cudaGetErrorName(first), first == second ? "twice" : "once");
    cudaSetDevice(1);
    add<<<1, 64>>>(x, 5);
    const cudaError_t other = cudaDeviceSynchronize();
    int value = 0;
    cudaMemcpy(&value, x + 7, sizeof value, cudaMemcpyDeviceToHost);
    printf("device 1: %s, %d\n", cudaGetErrorName(other), value);
    cudaFree(x);
    return 0;
}
