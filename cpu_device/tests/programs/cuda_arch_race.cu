// Race mode names the line of a race also where only the device sees it.
// race: status 66, "cuda_arch_race.cu:16: block 0, thread 0 writes", "cuda_arch_race.cu:18: block"
__host__ __device__ void store(int* x, int value) {
#ifdef __CUDA_ARCH__

    *x = value;
#else
    *x = -value;
#endif
}

__global__ void race(int* x) {
    __shared__ int s_x;
#if __CUDA_ARCH__ >= 700
    if (threadIdx.x == 0) {
        s_x = 1;
    }
    x[threadIdx.x] = s_x;
#endif
    store(&x[64], 1);
}

int main() {
    int* x;
    cudaMallocManaged(&x, 65 * sizeof(int));
    race<<<1, 64>>>(x);
    cudaDeviceSynchronize();
    return x[63] == 1 && x[64] == 1 ? 0 : 1;
}
