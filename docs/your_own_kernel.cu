// A whole program, to begin with: see your_own_kernel.md.
#include <cstdio>
#include <vector>

__global__ void twice(const int* d_x, int* d_y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        d_y[i] = 2 * d_x[i];
    }
}

int main() {
    const int n = 1000;
    const std::size_t bytes = n * sizeof(int);
    std::vector<int> x(n, 21), y(n);
    int *d_x, *d_y;
    cudaMalloc(&d_x, bytes);
    cudaMalloc(&d_y, bytes);
    cudaMemcpy(d_x, x.data(), bytes, cudaMemcpyHostToDevice);
    twice<<<(n + 127) / 128, 128>>>(d_x, d_y, n);
    if (const cudaError_t error = cudaGetLastError(); error != cudaSuccess) {
        std::printf("%s\n", cudaGetErrorString(error));
        return 1;
    }
    cudaMemcpy(y.data(), d_y, bytes, cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; ++i) {
        if (y[i] != 2 * x[i]) {
            std::printf("y[%d] is %d\n", i, y[i]);
            return 1;
        }
    }
    std::printf("right\n");
    cudaFree(d_x);
    cudaFree(d_y);
}
