// Lanes that name each other in a mask must call one and the same function.
// race: status 66, "DIVERGENT WARP FUNCTION", "__shfl_up_sync", "__shfl_down_sync"
__global__ void k(int* d_x, int odd) {
    const int x = d_x[threadIdx.x];
    int other = 0;
    if (threadIdx.x % 2 < odd) {
        other = __shfl_up_sync(0xffffffff, x, 1);
    } else {
        other = __shfl_down_sync(0xffffffff, x, 1);
    }
    d_x[threadIdx.x] = x + other;
}

int main(int argc, char**) {
    int* d_x = nullptr;
    cudaMalloc(&d_x, 32 * sizeof(int));
    cudaMemset(d_x, 0, 32 * sizeof(int));
#ifdef CPU_DEVICE_RACE
    const int odd = argc > 0 ? 1 : 0;
#else
    const int odd = argc > 0 ? 0 : 1;  // else it would end the program
#endif
    k<<<1, 32>>>(d_x, odd);
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
