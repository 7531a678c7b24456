// __trap() ends the kernel, where other threads wait and other blocks run.
// expect: status 0, "trap.cu:9: stop: block: [2,0,0], thread: [5,0,0] __trap() was called."
__global__ void stop(int* x) {
    __shared__ int s_x;
    if (threadIdx.x == 0)
        s_x = 1;
    __syncthreads();
    if (blockIdx.x == 2 && threadIdx.x == 5) {
        __trap();
    }
    if (blockIdx.x == 2) {
        __syncthreads();
    }
    if (threadIdx.x == 0)
        x[blockIdx.x] = s_x;
}

int main() {
    int* x;
    cudaMallocManaged(&x, 100 * sizeof(int));
    x[2] = 0;
    stop<<<4, 64>>>(x);
    if (cudaDeviceSynchronize() != cudaErrorLaunchFailure || x[2] != 0) {
        return 1;
    }
    if (cudaFree(x) != cudaErrorLaunchFailure) {
        return 2;
    }
    cudaDeviceReset();
    cudaMallocManaged(&x, 100 * sizeof(int));
    x[2] = 0;
    for (int i = 0; i < 20; ++i) {  // all stacks and blocks can be used again
        stop<<<2, 1024>>>(x);
        if (cudaDeviceSynchronize() != cudaSuccess || x[1] != 1) {
            return 3;
        }
        x[2] = 0;
        stop<<<100, 64>>>(x);
        if (cudaDeviceSynchronize() != cudaErrorLaunchFailure || x[2] != 0) {
            return 4;
        }
        cudaDeviceReset();
    }
}
