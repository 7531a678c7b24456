// Shared memory and barriers: the threads of a block add up their numbers in a tree.
// Notes: basics/06_shared_memory.md. The tree is that of Fan, CUDA Programming, chapter 8.
//
//     nvcc -O3 -arch=native 06_shared_memory.cu -o shared_memory
#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "../common/device.cuh"  // and CHECK of common/error.cuh
#include "../common/timer.cuh"

// One block of 8 threads. It stores what the shared array holds at the start and after each step.
__global__ void show_tree(const int* d_x, int* d_rows) {
    __shared__ int s_x[8];
    const int tid = threadIdx.x;
    s_x[tid] = d_x[tid];
    d_rows[tid] = s_x[tid];
    __syncthreads();
    for (int offset = 4; offset > 0; offset /= 2) {
        if (tid < offset) {
            s_x[tid] += s_x[tid + offset];
        }
        d_rows += 8;  // the next row
        d_rows[tid] = s_x[tid];
        __syncthreads();
    }
}

// Each block adds up blockDim.x of the n numbers and stores one sum.
__global__ void sum_blocks(const int* d_x, int n, int* d_sums) {
    extern __shared__ int s_x[];  // its size in bytes is the launch's third argument
    const int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
    s_x[tid] = i < n ? d_x[i] : 0;
    __syncthreads();  // all numbers are stored before a thread reads another thread's
    for (int offset = blockDim.x / 2; offset > 0; offset /= 2) {
        if (tid < offset) {
            s_x[tid] += s_x[tid + offset];
        }
        __syncthreads();  // all sums of this step are stored before the next step reads them
    }
    if (tid == 0) {
        d_sums[blockIdx.x] = s_x[0];
    }
}

// Lane 0 of each warp reads word 0, lane 1 word stride, lane 2 word 2 * stride, many times.
__global__ void read_with_stride(int stride, int times, int* d_words) {
    __shared__ int s_x[1024];
    s_x[threadIdx.x] = threadIdx.x;  // each word holds its own number
    __syncthreads();
    int word = threadIdx.x % 32 * stride;
    for (int k = 0; k < times; ++k) {
        word = s_x[word];  // the same word again, but the compiler cannot know that
    }
    d_words[threadIdx.x] = word;
}

int main() {
    const int n = 60000, block_size = 256;  // a power of two, since the tree halves it
    const int grid_size = (n + block_size - 1) / block_size;
    std::vector<int> x(n), out(1024);
    int expected_sum = 0;
    for (int i = 0; i < n; ++i) {
        x[i] = i * 7 % 10;
        expected_sum += x[i];
    }
    int *d_x, *d_sums, *d_out;
    CHECK(cudaMalloc(&d_x, n * sizeof(int)));
    CHECK(cudaMalloc(&d_sums, grid_size * sizeof(int)));
    CHECK(cudaMalloc(&d_out, 1024 * sizeof(int)));
    CHECK(cudaMemcpy(d_x, x.data(), n * sizeof(int), cudaMemcpyHostToDevice));

    // 1. The tree of 8 numbers, beside the same steps on the CPU.
    bool ok = true;
    show_tree<<<1, 8>>>(d_x, d_out);
    CHECK_LAUNCH();
    CHECK(cudaMemcpy(out.data(), d_out, 32 * sizeof(int), cudaMemcpyDeviceToHost));
    std::vector<int> expected(x.begin(), x.begin() + 8);
    for (int row = 0, left = 8; row < 4; ++row, left /= 2) {
        std::printf(row == 0 ? "start   :" : "offset %d:", left);
        for (int i = 0; i < left; ++i) {
            expected[i] += row == 0 ? 0 : expected[i + left];
            std::printf("%4d", out[8 * row + i]);
            ok = ok && out[8 * row + i] == expected[i];
        }
        std::printf("\n");
    }

    // 2. The sum of n numbers by two launches: a sum per block, then one block adds these sums.
    sum_blocks<<<grid_size, block_size, block_size * sizeof(int)>>>(d_x, n, d_sums);
    sum_blocks<<<1, block_size, block_size * sizeof(int)>>>(d_sums, grid_size, d_out);
    CHECK_LAUNCH();
    CHECK(cudaMemcpy(out.data(), d_out, sizeof(int), cudaMemcpyDeviceToHost));
    std::printf("sum of %d numbers: %d (CPU: %d)\n", n, out[0], expected_sum);
    ok = ok && out[0] == expected_sum;

    // 3. Banks: word w lies in bank w % 32. How many lanes of a warp meet at one bank?
    for (const int stride : {1, 2, 4, 8, 16, 32, 33}) {
        common::GpuTimer timer;
        timer.start();
        read_with_stride<<<1, 1024>>>(stride, common::on_cpu_device ? 10 : 100000, d_out);
        CHECK_LAUNCH();
        const double ms = timer.stop_ms();
        CHECK(cudaMemcpy(out.data(), d_out, 32 * sizeof(int), cudaMemcpyDeviceToHost));
        int lanes[32] = {};  // per bank
        for (int lane = 0; lane < 32; ++lane) {
            ++lanes[lane * stride % 32];
            ok = ok && out[lane] == lane * stride;
        }
        const std::string time = common::on_cpu_device ? "" : ", " + std::to_string(ms) + " ms";
        const int max_lanes = *std::max_element(lanes, lanes + 32);
        std::printf("stride %2d: %2d lanes at one bank%s\n", stride, max_lanes, time.c_str());
    }
    CHECK(cudaFree(d_x));
    CHECK(cudaFree(d_sums));
    CHECK(cudaFree(d_out));
    std::printf(ok ? "ok\n" : "WRONG\n");
    return ok ? 0 : 1;
}
