// The first program of every course: unified memory, a grid-stride loop, the errors.
// quick
#include <cstdio>

__global__ void add(int n, const float* x, float* y) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
        y[i] = x[i] + y[i];
    }
}

int main() {
    const int n = 1000;
    float *x, *y;
    cudaMallocManaged(&x, n * sizeof(float));
    cudaMallocManaged(&y, n * sizeof(float));
    for (int i = 0; i < n; ++i) {
        x[i] = i;
        y[i] = 2 * i;
    }
    add<<<2, 128>>>(n, x, y);
    if (cudaDeviceSynchronize() != cudaSuccess) {
        return 2;
    }
    for (int i = 0; i < n; ++i) {
        if (y[i] != 3 * i) {
            std::printf("y[%d] is %g\n", i, y[i]);
            return 1;
        }
    }
    cudaFree(x);
    cudaFree(y);
}
