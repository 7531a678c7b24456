// Coalescing: which words the 32 lanes of a warp read together, and how many sectors that takes.
// Notes: basics/05_coalescing.md. With the toolkit alone, in this folder:
//
//     nvcc -O3 -arch=native 05_coalescing.cu -o coalescing
#include <cstdio>
#include <set>
#include <vector>

#include "../common/device.cuh"
#include "../common/error.cuh"
#include "../common/timer.cuh"

// The index of an element of a matrix that is stored row after row.
__host__ __device__ int index_of(int row, int column, int columns) {
    return row * columns + column;
}

// Thread = row. In each step, the lanes of a warp read words that are one row apart.
__global__ void sum_rows(const int* d_matrix, int* d_sums, int rows, int columns) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < rows) {
        int sum = 0;
        for (int column = 0; column < columns; ++column) {
            sum += d_matrix[index_of(row, column, columns)];
        }
        d_sums[row] = sum;
    }
}

// Thread = column. In each step, the lanes of a warp read neighboring words of one row.
__global__ void sum_columns(const int* d_matrix, int* d_sums, int rows, int columns) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    if (column < columns) {
        int sum = 0;
        for (int row = 0; row < rows; ++row) {
            sum += d_matrix[index_of(row, column, columns)];
        }
        d_sums[column] = sum;
    }
}

// A warp reads neighboring words, and writes words that are one row of the new matrix apart.
__global__ void transpose(const int* d_matrix, int* d_transposed, int rows, int columns) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < rows && column < columns) {
        d_transposed[index_of(column, row, rows)] = d_matrix[index_of(row, column, columns)];
    }
}

// Lane i uses word first + i * step. Counts the sectors of 32 bytes that these words are in, and
// returns whether they are as many as counted by hand.
bool show_sectors(const char* pattern, int first, int step, std::size_t by_hand) {
    std::set<int> sectors;
    for (int lane = 0; lane < 32; ++lane) {
        sectors.insert(4 * (first + lane * step) / 32);  // a word has 4 bytes
    }
    std::printf("%-30s  step %2d  sectors %2zu\n", pattern, step, sectors.size());
    return sectors.size() == by_hand;
}

bool all_equal(const int* d_sums, const std::vector<int>& expected) {
    std::vector<int> sums(expected.size());
    CHECK(cudaMemcpy(sums.data(), d_sums, sums.size() * sizeof(int), cudaMemcpyDeviceToHost));
    return sums == expected;
}

int main() {
    // 1. Sectors per access of a warp, counted on the host for a matrix with 64 columns.
    const int columns = 64;
    bool right = show_sectors("all lanes the same word:", 0, 0, 1);
    right &= show_sectors("along a row:", 0, index_of(0, 1, columns), 4);
    right &= show_sectors("along a row, from word 1 on:", 1, index_of(0, 1, columns), 5);
    right &= show_sectors("every second word of a row:", 0, index_of(0, 2, columns), 8);
    right &= show_sectors("along a column:", 0, index_of(1, 0, columns), 32);

    // 2. A matrix, and the sums of its rows on the host.
    const int rows = common::on_cpu_device ? 4'000 : 500'000;
    std::vector<int> matrix(rows * columns), expected(rows);
    for (int i = 0; i < rows * columns; ++i) {
        matrix[i] = i % 1009;
        expected[i / columns] += matrix[i];
    }
    const std::size_t bytes = matrix.size() * sizeof(int);
    int *d_matrix, *d_transposed, *d_row_sums, *d_column_sums;
    CHECK(cudaMalloc(&d_matrix, bytes));
    CHECK(cudaMalloc(&d_transposed, bytes));
    CHECK(cudaMalloc(&d_row_sums, rows * sizeof(int)));
    CHECK(cudaMalloc(&d_column_sums, rows * sizeof(int)));
    CHECK(cudaMemcpy(d_matrix, matrix.data(), bytes, cudaMemcpyHostToDevice));

    // 3. The same sums in two ways. The first run warms up; the times are those of the second.
    common::GpuTimer timer;
    double rows_ms = 0, transpose_ms = 0, columns_ms = 0;
    for (int run = 0; run < 2; ++run) {
        timer.start();
        sum_rows<<<(rows + 255) / 256, 256>>>(d_matrix, d_row_sums, rows, columns);
        rows_ms = timer.stop_ms();
        timer.start();
        const dim3 grid(columns / 32, (rows + 7) / 8);
        transpose<<<grid, dim3(32, 8)>>>(d_matrix, d_transposed, rows, columns);
        transpose_ms = timer.stop_ms();
        timer.start();
        sum_columns<<<(rows + 255) / 256, 256>>>(d_transposed, d_column_sums, columns, rows);
        columns_ms = timer.stop_ms();
        CHECK_LAUNCH();
    }
    right &= all_equal(d_row_sums, expected) && all_equal(d_column_sums, expected);
    std::printf("thread = row: %.3f ms, transposing: %.3f ms, thread = column: %.3f ms\n", rows_ms,
                transpose_ms, columns_ms);
    if (common::on_cpu_device) {
        std::printf("These are times of an emulation. They say nothing about a GPU.\n");
    }
    for (int* d_memory : {d_matrix, d_transposed, d_row_sums, d_column_sums}) {
        CHECK(cudaFree(d_memory));
    }
    std::printf(right ? "all sums are right\n" : "WRONG\n");
    return right ? 0 : 1;
}
