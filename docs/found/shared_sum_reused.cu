// A block adds up several rows, one after another, in one array in shared memory. The next row is
// stored while thread 0 still adds up the last one.
//
// Found in: cuML, kernel _block_gemv, until pull request 6578 (April 2025).
// Teaches: in a loop, a buffer needs two barriers: after it is written, and after it is read.
//
//     scripts/race docs/found/shared_sum_reused.cu             # DATA RACE
//     scripts/race docs/found/shared_sum_reused.cu -DFIXED     # clean
#include <cstdio>
#include <vector>

#include "../../common/error.cuh"

constexpr int columns = 64, rows = 4;

__global__ void sum_rows(const int* d_x, int* d_sums) {
    __shared__ int s_row[columns];
    for (int row = 0; row < rows; ++row) {
        s_row[threadIdx.x] = d_x[row * columns + threadIdx.x];
        __syncthreads();  // the row is in s_row
        if (threadIdx.x == 0) {
            int sum = 0;
            for (const int x : s_row) {
                sum += x;
            }
            d_sums[row] = sum;
        }
#ifdef FIXED
        __syncthreads();  // thread 0 has read the row
#endif
    }
}

int main() {
    const std::vector<int> x(rows * columns, 1);
    std::vector<int> sums(rows);
    int *d_x, *d_sums;
    CHECK(cudaMalloc(&d_x, x.size() * sizeof(int)));
    CHECK(cudaMalloc(&d_sums, rows * sizeof(int)));
    CHECK(cudaMemcpy(d_x, x.data(), x.size() * sizeof(int), cudaMemcpyHostToDevice));
    sum_rows<<<1, columns>>>(d_x, d_sums);
    CHECK_LAUNCH();
    CHECK(cudaMemcpy(sums.data(), d_sums, rows * sizeof(int), cudaMemcpyDeviceToHost));
    for (const int sum : sums) {
        std::printf("%d ", sum);
    }
    std::printf("(expected %d each)\n", columns);
    return sums == std::vector<int>(rows, columns) ? 0 : 1;
}
