// The sum of two vectors: the tail, the grid-stride loop, and what the copies cost.
// Notes: basics/03_vector_sum.md. With the toolkit alone, in this folder:
//
//     nvcc -O3 -arch=native 03_vector_sum.cu -o vector_sum
//
// After Sanders and Kandrot, "CUDA by Example", the chapters on parallel programming and threads.
#include <algorithm>
#include <cstdio>
#include <vector>

#include "../common/device.cuh"
#include "../common/error.cuh"
#include "../common/timer.cuh"

// One element per thread. The last block may have more threads than elements are left.
__global__ void add(const float* d_a, const float* d_b, float* d_sum, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        d_sum[i] = d_a[i] + d_b[i];
    }
}

// Any grid will do: each thread goes on by the number of threads in the grid until the end.
__global__ void add_grid_stride(const float* d_a, const float* d_b, float* d_sum, int n) {
    const int stride = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
        d_sum[i] = d_a[i] + d_b[i];
    }
}

void add_on_cpu(const float* a, const float* b, float* sum, int n) {
    for (int i = 0; i < n; ++i) {
        sum[i] = a[i] + b[i];
    }
}

// Copies the device's sum back, prints how many elements differ from the host's, and resets it.
int count_wrong(const char* what, float* d_sum, const std::vector<float>& expected) {
    const std::size_t bytes = expected.size() * sizeof(float);
    std::vector<float> sum(expected.size());
    CHECK(cudaMemcpy(sum.data(), d_sum, bytes, cudaMemcpyDeviceToHost));
    CHECK(cudaMemset(d_sum, 0xff, bytes));  // all NaN, which equals no number
    int wrong = 0;
    for (std::size_t i = 0; i < sum.size(); ++i) {
        wrong += sum[i] != expected[i];
    }
    std::printf("%-34s %d elements wrong or missing\n", what, wrong);
    return wrong;
}

int main() {
    // 1. The input, and the sum on the CPU.
    const int n = common::on_cpu_device ? 100'003 : 10'000'003;
    const std::size_t bytes = n * sizeof(float);
    std::vector<float> a(n), b(n), expected(n), sum(n);
    for (int i = 0; i < n; ++i) {
        a[i] = i % 1000;
        b[i] = 0.25f * (i % 77);
    }
    add_on_cpu(a.data(), b.data(), expected.data(), n);

    // 2. Memory on the device, and the input copied to it.
    float *d_a, *d_b, *d_sum;
    CHECK(cudaMalloc(&d_a, bytes));
    CHECK(cudaMalloc(&d_b, bytes));
    CHECK(cudaMalloc(&d_sum, bytes));
    CHECK(cudaMemcpy(d_a, a.data(), bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_b, b.data(), bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemset(d_sum, 0xff, bytes));

    // 3. Three grids. In the first one the division rounds down: exactly the tail must be missing.
    const int block_size = 256;
    add<<<n / block_size, block_size>>>(d_a, d_b, d_sum, n);
    CHECK_LAUNCH();
    int wrong = count_wrong("n / 256 blocks:", d_sum, expected) != n % block_size;
    add<<<(n + block_size - 1) / block_size, block_size>>>(d_a, d_b, d_sum, n);  // rounds up
    CHECK_LAUNCH();
    wrong += count_wrong("(n + 255) / 256 blocks:", d_sum, expected);
    add_grid_stride<<<60, block_size>>>(d_a, d_b, d_sum, n);
    CHECK_LAUNCH();
    wrong += count_wrong("60 blocks and a grid-stride loop:", d_sum, expected);

    // 4. Times in milliseconds, each the best of five.
    common::CpuTimer cpu_timer;
    common::GpuTimer gpu_timer;
    std::printf("\n         n    CPU loop      kernel  copies and kernel\n");
    for (const int part : {n / 10'000, n / 100, n}) {
        double cpu_ms = 1e9, kernel_ms = 1e9, all_ms = 1e9;
        for (int repeat = 0; repeat < 5; ++repeat) {
            cpu_timer.start();
            add_on_cpu(a.data(), b.data(), sum.data(), part);
            cpu_ms = std::min(cpu_ms, cpu_timer.stop_ms());

            cpu_timer.start();
            CHECK(cudaMemcpy(d_a, a.data(), part * sizeof(float), cudaMemcpyHostToDevice));
            CHECK(cudaMemcpy(d_b, b.data(), part * sizeof(float), cudaMemcpyHostToDevice));
            gpu_timer.start();
            add<<<(part + block_size - 1) / block_size, block_size>>>(d_a, d_b, d_sum, part);
            CHECK_LAUNCH();
            kernel_ms = std::min(kernel_ms, gpu_timer.stop_ms());
            CHECK(cudaMemcpy(sum.data(), d_sum, part * sizeof(float), cudaMemcpyDeviceToHost));
            all_ms = std::min(all_ms, cpu_timer.stop_ms());
        }
        std::printf("%10d  %10.4f  %10.4f  %17.4f\n", part, cpu_ms, kernel_ms, all_ms);
    }
    if (common::on_cpu_device) {
        std::printf("These are times of an emulation. They say nothing about a GPU.\n");
    }

    CHECK(cudaFree(d_a));
    CHECK(cudaFree(d_b));
    CHECK(cudaFree(d_sum));
    std::printf(wrong == 0 ? "all sums are right\n" : "WRONG\n");
    return wrong == 0 ? 0 : 1;
}
