// Pointers to arrays and to functions in shared memory.
__device__ int twice(int x) {
    return 2 * x;
}

__global__ void k(int* x) {
    __shared__ int s_rows[3][4];
    __shared__ int(*s_row)[4];
    __shared__ int (*s_function)(int);
    if (threadIdx.x < 12)
        s_rows[threadIdx.x / 4][threadIdx.x % 4] = threadIdx.x;
    if (threadIdx.x == 0) {
        s_row = &s_rows[1];
        s_function = twice;
    }
    __syncthreads();
    if (threadIdx.x < 4)
        x[threadIdx.x] = s_function((*s_row)[threadIdx.x]);
}

int main() {
    int* x;
    cudaMallocManaged(&x, 4 * sizeof(int));
    k<<<1, 32>>>(x);
    cudaDeviceSynchronize();
    for (int i = 0; i < 4; ++i) {
        if (x[i] != 2 * (4 + i))
            return 1;
    }
}
