// Many threads change one word: by a plain addition, which loses updates, and by atomic functions.
// The notes are in README.md beside this file.
//
//     nvcc -O3 -std=c++17 -arch=native -I. atomic_functions/atomic_functions.cu -o atomic_example
//
// atomic_functions [N]      the lesson, with N threads (default: 10^7)
// atomic_functions --help   all variants, timed and checked, with their flags
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "atomic_functions/1_atomic_add.cuh"
#include "atomic_functions/3_float_max_cas.cuh"
#include "atomic_functions/cpu.hpp"
#include "atomic_functions/wrong_lost_update.cuh"
#include "common/argument.hpp"
#include "common/error.cuh"
#include "common/timer.cuh"

#if __has_include(<nlohmann/json.hpp>) && !defined(LESSON_ONLY)
#include "atomic_functions/flags.cuh"
#define HAS_FLAGS 1
#endif

// Copies the count and the old values to the host and prints them. Right is n, and every old value
// from 0 to n - 1 once.
bool report(const char* name, double ms, const int* d_x, const int* d_olds, std::size_t n) {
    int x = 0;
    std::vector<int> h_olds(n);
    CHECK(cudaMemcpy(&x, d_x, sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(h_olds.data(), d_olds, n * sizeof(int), cudaMemcpyDeviceToHost));
    const std::size_t different = different_olds(h_olds);
    std::printf("%-14s %9.3f ms   x = %d, %zu different old values", name, ms, x, different);
    return x == static_cast<int>(n) && different == n;
}

int main(int argc, char** argv) {
#ifdef HAS_FLAGS
    if (common::first_is_flag(argc, argv)) {
        return run_with_flags(argc, argv);
    }
#endif
    const int block_size = 256;
    const int repeats = 5;  // the first launch of a kernel also loads it, so the best time counts

    // 1. The input: n threads, and a number for each of them.
    const std::size_t n = common::size_argument(argc, argv, 10000000, std::size_t{1} << 30);
    std::vector<float> h_values(n);
    for (std::size_t i = 0; i < n; ++i) {
        h_values[i] = std::sin(static_cast<float>(i)) * 41.5f;
    }
    common::print_device();
    std::printf("%zu threads in blocks of %d; each adds 1 to x and keeps the old value\n\n", n,
                block_size);

    // 2. The count and the maximum on one core of the CPU: the reference.
    common::CpuTimer cpu_timer;
    std::vector<int> h_olds(n);
    double cpu_ms = INFINITY;
    int cpu_count = 0;
    for (int i = 0; i < repeats; ++i) {
        cpu_timer.start();
        cpu_count = count_cpu(n, h_olds.data());
        cpu_ms = std::min(cpu_ms, cpu_timer.stop_ms());
    }
    const float reference = max_cpu(h_values.data(), n, -INFINITY);
    std::printf("%-14s %9.3f ms   x = %d, %zu different old values\n", "cpu", cpu_ms, cpu_count,
                different_olds(h_olds));

    // 3. Memory on the device: the word x, and each thread's old value.
    const std::size_t bytes = n * sizeof(int);
    int* d_x = nullptr;
    int* d_olds = nullptr;
    CHECK(cudaMalloc(&d_x, sizeof(int)));
    CHECK(cudaMalloc(&d_olds, std::max(bytes, sizeof(int))));

    // 4. The wrong way: every thread adds 1 by a plain read and a plain write.
    common::GpuTimer gpu_timer;
    const int grid_size =
        static_cast<int>(std::max<std::size_t>(1, (n + block_size - 1) / block_size));
    double lost_ms = INFINITY;
    for (int i = 0; i < repeats; ++i) {
        CHECK(cudaMemset(d_x, 0, sizeof(int)));
        gpu_timer.start();
        count_lost_update<<<grid_size, block_size>>>(d_x, n, d_olds);
        CHECK_LAUNCH();
        lost_ms = std::min(lost_ms, gpu_timer.stop_ms());
    }
    const bool lost_right = report("lost_update", lost_ms, d_x, d_olds, n);
    std::printf(": %s\n", lost_right ? "right this time, by luck" : "updates are lost");

    // 5. The right way: atomicAdd. First remove the old values of step 4.
    CHECK(cudaMemset(d_olds, 0xff, bytes));
    double atomic_ms = INFINITY;
    for (int i = 0; i < repeats; ++i) {
        CHECK(cudaMemset(d_x, 0, sizeof(int)));
        gpu_timer.start();
        count_atomic_add<<<grid_size, block_size>>>(d_x, n, d_olds);
        CHECK_LAUNCH();
        atomic_ms = std::min(atomic_ms, gpu_timer.stop_ms());
    }
    const bool atomic_ok = report("atomic_add", atomic_ms, d_x, d_olds, n);
    std::printf(": %s\n", atomic_ok ? "ok" : "WRONG");
    CHECK(cudaFree(d_olds));
    CHECK(cudaFree(d_x));

    // 6. A function that CUDA does not have: the maximum of floats, by a loop of atomicCAS.
    const float lowest = -INFINITY;
    float* d_values = nullptr;
    float* d_max = nullptr;
    float* d_old_maxima = nullptr;
    CHECK(cudaMalloc(&d_values, std::max(bytes, sizeof(float))));
    CHECK(cudaMalloc(&d_max, sizeof(float)));
    CHECK(cudaMalloc(&d_old_maxima, std::max(bytes, sizeof(float))));
    CHECK(cudaMemcpy(d_values, h_values.data(), bytes, cudaMemcpyHostToDevice));
    double max_ms = INFINITY;
    for (int i = 0; i < repeats; ++i) {
        CHECK(cudaMemcpy(d_max, &lowest, sizeof(float), cudaMemcpyHostToDevice));
        gpu_timer.start();
        float_max_cas<<<grid_size, block_size>>>(d_values, n, d_max, d_old_maxima);
        CHECK_LAUNCH();
        max_ms = std::min(max_ms, gpu_timer.stop_ms());
    }
    float max = 0;
    CHECK(cudaMemcpy(&max, d_max, sizeof(float), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_old_maxima));
    CHECK(cudaFree(d_max));
    CHECK(cudaFree(d_values));
    const bool max_ok = max == reference;
    std::printf("%-14s %9.3f ms   maximum %.9g, expected %.9g: %s\n", "float_max_cas", max_ms, max,
                reference, max_ok ? "ok" : "WRONG");
    std::printf(
        "\nWhich two accesses of lost_update meet: scripts/race atomic_functions lost_update\n");
    return atomic_ok && max_ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
