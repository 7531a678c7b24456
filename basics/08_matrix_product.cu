// The product of two matrices: from global memory, and from tiles in shared memory.
// Notes: basics/08_matrix_product.md. With the toolkit alone, in this folder:
//
//     nvcc -O3 -arch=native 08_matrix_product.cu -o matrix_product
#include <cstdio>
#include <string>
#include <vector>

#include "../common/device.cuh"  // and CHECK of common/error.cuh
#include "../common/timer.cuh"

constexpr int tile = 16;  // a tile has 16 x 16 elements, a block 16 x 16 threads

// A is rows x inner, B is inner x columns, C = A * B is rows x columns. One thread per element of
// C; it reads a row of A and a column of B from global memory.
__global__ void multiply(const float* d_a, const float* d_b, float* d_c, int rows, int inner,
                         int columns) {
    const int row = blockIdx.y * tile + threadIdx.y;
    const int column = blockIdx.x * tile + threadIdx.x;
    if (row < rows && column < columns) {
        float sum = 0;
        for (int k = 0; k < inner; ++k) {
            sum += d_a[row * inner + k] * d_b[k * columns + column];
        }
        d_c[row * columns + column] = sum;
    }
}

// The same sum, 16 products at a time. Each thread loads one element of a tile of A and one of a
// tile of B; then all threads of the block use both tiles.
__global__ void multiply_tiled(const float* d_a, const float* d_b, float* d_c, int rows, int inner,
                               int columns) {
    __shared__ float s_a[tile][tile], s_b[tile][tile];
    const int x = threadIdx.x, y = threadIdx.y;
    const int row = blockIdx.y * tile + y, column = blockIdx.x * tile + x;
    float sum = 0;
    for (int first = 0; first < inner; first += tile) {
        const bool in_a = row < rows && first + x < inner;
        const bool in_b = first + y < inner && column < columns;
        s_a[y][x] = in_a ? d_a[row * inner + first + x] : 0;
        s_b[y][x] = in_b ? d_b[(first + y) * columns + column] : 0;
        __syncthreads();  // both tiles are complete before a thread reads them
        for (int k = 0; k < tile; ++k) {
            sum += s_a[y][k] * s_b[k][x];
        }
        __syncthreads();  // all threads have read the tiles before the next ones replace them
    }
    if (row < rows && column < columns) {
        d_c[row * columns + column] = sum;
    }
}

// The loop over k is not the innermost one, so that the innermost one goes along rows.
std::vector<float> multiply_on_cpu(const std::vector<float>& a, const std::vector<float>& b,
                                   int rows, int inner, int columns) {
    std::vector<float> c(rows * columns);
    for (int row = 0; row < rows; ++row)
        for (int k = 0; k < inner; ++k)
            for (int column = 0; column < columns; ++column)
                c[row * columns + column] += a[row * inner + k] * b[k * columns + column];
    return c;
}

int main() {
    // 1. The matrices. No size is a multiple of the tile's. All elements are small integers, so
    //    all sums are exact in a float, and the results must be equal to the last bit.
    const int rows = common::on_cpu_device ? 50 : 1000;
    const int inner = common::on_cpu_device ? 70 : 1030;
    const int columns = common::on_cpu_device ? 65 : 970;
    std::vector<float> a(rows * inner), b(inner * columns), c(rows * columns);
    for (int i = 0; i < rows * inner; ++i) {
        a[i] = i * 7 % 11 - 5;
    }
    for (int i = 0; i < inner * columns; ++i) {
        b[i] = i * 5 % 17 - 8;
    }
    const std::vector<float> expected = multiply_on_cpu(a, b, rows, inner, columns);
    float *d_a, *d_b, *d_c;
    CHECK(cudaMalloc(&d_a, a.size() * sizeof(float)));
    CHECK(cudaMalloc(&d_b, b.size() * sizeof(float)));
    CHECK(cudaMalloc(&d_c, c.size() * sizeof(float)));
    CHECK(cudaMemcpy(d_a, a.data(), a.size() * sizeof(float), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_b, b.data(), b.size() * sizeof(float), cudaMemcpyHostToDevice));
    std::printf("A: %d x %d, B: %d x %d, C: %d x %d\n", rows, inner, inner, columns, rows, columns);

    // 2. Both kernels. The first run warms up; the time is that of the second.
    const dim3 grid((columns + tile - 1) / tile, (rows + tile - 1) / tile), block(tile, tile);
    int wrong = 0;
    for (const bool tiled : {false, true}) {
        double ms = 0;
        for (int run = 0; run < 2; ++run) {
            CHECK(cudaMemset(d_c, 0xff, c.size() * sizeof(float)));  // all NaN: not written
            common::GpuTimer timer;
            timer.start();
            if (tiled) {
                multiply_tiled<<<grid, block>>>(d_a, d_b, d_c, rows, inner, columns);
            } else {
                multiply<<<grid, block>>>(d_a, d_b, d_c, rows, inner, columns);
            }
            CHECK_LAUNCH();
            ms = timer.stop_ms();
        }
        CHECK(cudaMemcpy(c.data(), d_c, c.size() * sizeof(float), cudaMemcpyDeviceToHost));
        int wrong_here = 0;
        for (std::size_t i = 0; i < c.size(); ++i) {
            wrong_here += c[i] != expected[i];
        }
        const std::string time = common::on_cpu_device ? "" : ", " + std::to_string(ms) + " ms";
        std::printf("%-15s%d elements wrong or missing%s\n",
                    tiled ? "tiles:" : "global memory:", wrong_here, time.c_str());
        wrong += wrong_here;
    }
    for (float* d_memory : {d_a, d_b, d_c}) {
        CHECK(cudaFree(d_memory));
    }
    std::printf(wrong == 0 ? "all products are right\n" : "WRONG\n");
    return wrong == 0 ? 0 : 1;
}
