// A variable of the thread's own is no global memory either.
// race: status 66, "NOT GLOBAL MEMORY", "a local variable of the thread"
__global__ void k(int* d_y) {
    const int mine = threadIdx.x;
    d_y[threadIdx.x] = __ldg(&mine);
}

int main() {
    int* d_y = nullptr;
    cudaMalloc(&d_y, 32 * sizeof(int));
    k<<<1, 32>>>(d_y);
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
