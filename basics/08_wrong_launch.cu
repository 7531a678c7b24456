// A matrix product that is wrong on purpose: the launch has a block that is too large, and many
// blocks that all do the same. For race mode only: on a GPU its result is undefined.
// Notes: basics/08_matrix_product.md.
//
//     scripts/race basics/08_wrong_launch.cu
#include <vector>

#include "../common/error.cuh"

constexpr int rows = 16, inner = 4, columns = 16;

// No blockIdx: every block computes the same. No guard: every thread computes an element.
__global__ void multiply(const float* d_a, const float* d_b, float* d_c) {
    const int row = threadIdx.y, column = threadIdx.x;
    float sum = 0;
    for (int k = 0; k < inner; ++k) {
        sum += d_a[row * inner + k] * d_b[k * columns + column];
    }
    d_c[row * columns + column] = sum;
}

int main() {
    const std::vector<float> a(rows * inner, 1), b(inner * columns, 1);
    float *d_a, *d_b, *d_c;
    CHECK(cudaMalloc(&d_a, rows * inner * sizeof(float)));
    CHECK(cudaMalloc(&d_b, inner * columns * sizeof(float)));
    CHECK(cudaMalloc(&d_c, rows * columns * sizeof(float)));
    CHECK(cudaMemcpy(d_a, a.data(), a.size() * sizeof(float), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_b, b.data(), b.size() * sizeof(float), cudaMemcpyHostToDevice));
    const dim3 grid(16, 16), block(columns + 15, rows + 15);  // 31 x 31 threads
    multiply<<<grid, block>>>(d_a, d_b, d_c);
    CHECK_LAUNCH();
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(d_a));
    CHECK(cudaFree(d_b));
    CHECK(cudaFree(d_c));
    return 0;
}
