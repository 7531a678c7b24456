// Loads and stores with a hint for the cache are for global memory alone.
// race: status 66, "NOT GLOBAL MEMORY", "__ldg, __ldcg, __stcg", "[0] of the 32 elements of 4 bytes of s_x"
__global__ void k(int* d_y) {
    __shared__ int s_x[32];
    s_x[threadIdx.x] = threadIdx.x;
    __syncthreads();
    d_y[threadIdx.x] = __ldcg(&s_x[0]);
}

int main() {
    int* d_y = nullptr;
    cudaMalloc(&d_y, 32 * sizeof(int));
    k<<<1, 32>>>(d_y);
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
