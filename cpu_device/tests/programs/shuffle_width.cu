// The width of a shuffle is a power of two, from 1 to 32: of another one CUDA promises nothing.
// expect: status 134, "shuffle_width.cu:7: the width of a shuffle must be a power of two, from
//     1 to 32"
__global__ void k(int* d_x, int width) {
    int sum = d_x[threadIdx.x];
    for (int offset = 16; offset > 0; offset /= 2) {
        sum += __shfl_down_sync(0xffffffff, sum, offset, width);
    }
    d_x[threadIdx.x] = sum;
}

int main() {
    int* d_x = nullptr;
    cudaMalloc(&d_x, 32 * sizeof(int));
    cudaMemset(d_x, 0, 32 * sizeof(int));
    k<<<1, 32>>>(d_x, 16);
    k<<<1, 32>>>(d_x, 48);
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
