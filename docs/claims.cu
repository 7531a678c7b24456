// What some texts say about the machine, asked of the machine. docs/sources.md says which sentence
// each line belongs to. On the CPU device it prints results and no times.
//
//     scripts/run docs/claims.cu
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

#include "../common/device.cuh"
#include "../common/error.cuh"
#include "../common/timer.cuh"

constexpr int block_size = 256;

// The median of 9 runs of `work` in milliseconds, by events around it.
template <typename Work>
double median_ms(Work work) {
    work();  // the first launch of a kernel also loads it
    std::vector<double> times;
    for (int i = 0; i < 9; ++i) {
        common::GpuTimer timer;
        timer.start();
        work();
        times.push_back(timer.stop_ms());
    }
    std::sort(times.begin(), times.end());
    return times[4];
}

void print_ms(const char* what, double ms) {
    if (!common::on_cpu_device) {
        std::printf("    %-52s %9.4f ms\n", what, ms);
    }
}

// Each thread does `count` atomicAdd in its block's shared memory; the lanes of a warp use `words`
// words. Block 0 stores the sum of all words in *d_sum.
template <typename T>
__global__ void add_in_shared(int words, int count, T* d_sum) {
    __shared__ T s_words[32];
    if (threadIdx.x < 32) {
        s_words[threadIdx.x] = 0;
    }
    __syncthreads();
    for (int i = 0; i < count; ++i) {
        atomicAdd(&s_words[(threadIdx.x + i) % words], static_cast<T>(1));
    }
    __syncthreads();
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        *d_sum = 0;
        for (const T word : s_words) {
            *d_sum += word;
        }
    }
}

template <typename T>
bool time_shared(const char* type) {
    const int count = common::on_cpu_device ? 4 : 1024;
    T *d_sum, sum = 0;
    CHECK(cudaMalloc(&d_sum, sizeof(T)));
    bool ok = true;
    for (const int words : {1, 32}) {
        const double ms = median_ms([&] {
            add_in_shared<<<common::multiprocessor_count(), block_size>>>(words, count, d_sum);
            CHECK_LAUNCH();
        });
        CHECK(cudaMemcpy(&sum, d_sum, sizeof(T), cudaMemcpyDeviceToHost));
        ok = ok && sum == static_cast<T>(block_size) * count;
        char what[80];
        std::snprintf(what, sizeof what, "%d atomicAdd of %s per thread, %d word%s", count, type,
                      words, words == 1 ? "" : "s");
        print_ms(what, ms);
    }
    CHECK(cudaFree(d_sum));
    return ok;
}

// Half of the threads add 1 by an atomic, the others by a plain load and a plain store.
__global__ void add_both_ways(unsigned* d_count) {
    if (threadIdx.x % 2 == 0) {
        atomicAdd(d_count, 1u);
    } else {
        *static_cast<volatile unsigned*>(d_count) = *static_cast<volatile unsigned*>(d_count) + 1;
    }
}

__global__ void add_vectors(const float* d_x, const float* d_y, float* d_z, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        d_z[i] = d_x[i] + d_y[i];
    }
}

__global__ void distance(const float* d_x, float* d_d, bool print) {
    const int i = threadIdx.x;
    d_d[i] = std::sqrt((d_x[i] - 0.5f) * (d_x[i] - 0.5f));
    if (print) {
        std::printf("i = %2d: from 0.5 to %f the distance is %f\n", i, d_x[i], d_d[i]);
    }
}

int main(int argc, char**) {
    bool ok = true;
    const cudaDeviceProp device = common::device_properties();
    std::printf("1. How many threads try at once? The grid has 2560 * 128 = %d.\n", 2560 * 128);
    std::printf("    the device holds %d threads at once\n",
                device.multiProcessorCount * device.maxThreadsPerMultiProcessor);

    std::printf("2. Is an atomicAdd in shared memory one instruction, whatever the type?\n");
    ok = time_shared<int>("int") && time_shared<unsigned long long>("unsigned long long") &&
         time_shared<float>("float") && time_shared<double>("double") && ok;

    std::printf("3. May no other thread touch the word while an atomic is at work?\n");
    unsigned *d_count, count = 0;
    const unsigned adds = common::on_cpu_device ? 1 << 14 : 1 << 24;
    CHECK(cudaMalloc(&d_count, sizeof(unsigned)));
    CHECK(cudaMemset(d_count, 0, sizeof(unsigned)));
    add_both_ways<<<adds / block_size, block_size>>>(d_count);
    CHECK_LAUNCH();
    CHECK(cudaMemcpy(&count, d_count, sizeof(unsigned), cudaMemcpyDeviceToHost));
    std::printf("    %u additions, half of them atomic: %u are in the word\n", adds, count);
    ok = ok && count <= adds;

    const int n = common::on_cpu_device ? 1 << 12 : 1 << 24;
    float *d_x, *d_y, *d_z;
    std::vector<float> x(n, 1), y(n, 2), z(n);
    CHECK(cudaMalloc(&d_x, n * sizeof(float)));
    CHECK(cudaMalloc(&d_y, n * sizeof(float)));
    CHECK(cudaMalloc(&d_z, n * sizeof(float)));
    CHECK(cudaMemcpy(d_x, x.data(), n * sizeof(float), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_y, y.data(), n * sizeof(float), cudaMemcpyHostToDevice));
    std::printf("4. What is timed: %d sums, the kernel alone, or with allocation and copies?\n", n);
    const auto add = [&](int threads) {
        add_vectors<<<(n + threads - 1) / threads, threads>>>(d_x, d_y, d_z, n);
        CHECK_LAUNCH();
    };
    print_ms("the kernel alone, blocks of 256", median_ms([&] { add(block_size); }));
    print_ms("with cudaMalloc, a copy and cudaFree", median_ms([&] {
                 float* d_copy;
                 CHECK(cudaMalloc(&d_copy, n * sizeof(float)));
                 CHECK(cudaMemcpy(d_copy, x.data(), n * sizeof(float), cudaMemcpyHostToDevice));
                 add(block_size);
                 CHECK(cudaFree(d_copy));
             }));
    std::printf("5. One block per element?\n");
    print_ms("blocks of one thread: 31 lanes of a warp idle", median_ms([&] { add(1); }));
    CHECK(cudaMemcpy(z.data(), d_z, n * sizeof(float), cudaMemcpyDeviceToHost));
    ok = ok && std::count(z.begin(), z.end(), 3.0f) == n;

    std::printf("6. What does a printf in the timed kernel cost? And sqrt(x * x) for fabs(x)?\n");
    const auto print_distance = [&](bool print) {
        distance<<<1, 64>>>(d_x, d_z, print);
        CHECK_LAUNCH();
    };
    print_ms("64 distances", median_ms([&] { print_distance(false); }));
    if (argc > 1) {  // prints 640 lines
        print_ms("64 distances, each printed", median_ms([&] { print_distance(true); }));
    }
    const float large = 2e19f;
    std::printf("    x = %g: sqrt(x * x) is %g, fabs(x) is %g\n", large, std::sqrt(large * large),
                std::fabs(large));
    CHECK(cudaFree(d_count));
    CHECK(cudaFree(d_x));
    CHECK(cudaFree(d_y));
    CHECK(cudaFree(d_z));
    std::printf(ok ? "ok\n" : "WRONG\n");
    return ok ? 0 : 1;
}
