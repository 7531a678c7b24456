// Many threads change one word: by plain additions, and by atomic functions. Notes: README.md.
//
//     nvcc -O3 -arch=native atomic_functions.cu -o atomic_functions
//
// atomic_functions [N]      the lesson, with N threads (default: 10^7)
// atomic_functions --help   all variants, timed and checked, with their flags
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "../common/argument.hpp"
#include "../common/error.cuh"
#include "../common/timer.cuh"
#include "1_atomic_add.cuh"
#include "3_float_max_cas.cuh"
#include "cpu.hpp"
#include "lesson_check.cuh"
#include "wrong_lost_update.cuh"

#ifdef WITH_FLAGS  // defined by CMake: the table of all variants too
#include "flags.cuh"
#endif

int main(int argc, char** argv) {
    if (common::first_is_flag(argc, argv)) {
        return run_with_flags(argc, argv);
    }
    const int block_size = 256;

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
    std::vector<int> h_olds(n);
    int cpu_count = 0;
    const double cpu_ms = common::best_cpu_ms([&] { cpu_count = count_cpu(n, h_olds.data()); });
    const float reference = max_cpu(h_values.data(), n, -INFINITY);
    print_count("cpu", cpu_ms, cpu_count, different_olds(h_olds), "the reference");

    // 3. Memory on the device: the word x, and each thread's old value.
    const std::size_t bytes = n * sizeof(int);
    int *d_x = nullptr, *d_olds = nullptr;
    CHECK(cudaMalloc(&d_x, sizeof(int)));
    CHECK(cudaMalloc(&d_olds, bytes + sizeof(int)));

    // 4. The wrong way: a plain read and a plain write. A run may be right by luck: see them all.
    const int grid_size = common::blocks_to_cover(n, block_size);
    Counts lost(d_x, d_olds, n);
    const auto add_plainly = [&](auto& timer) {
        CHECK(cudaMemset(d_x, 0, sizeof(int)));
        timer.start();
        count_lost_update<<<grid_size, block_size>>>(d_x, n, d_olds);
        CHECK_LAUNCH();
    };
    lost.print_wrong_runs("lost_update", common::best_gpu_ms(add_plainly, [&] { lost.read(); }));

    // 5. The right way: atomicAdd.
    Counts atomic(d_x, d_olds, n);
    const auto add_atomically = [&](auto& timer) {
        CHECK(cudaMemset(d_x, 0, sizeof(int)));
        CHECK(cudaMemset(d_olds, 0xff, bytes));  // so that no old answer is taken for a new one
        timer.start();
        count_atomic_add<<<grid_size, block_size>>>(d_x, n, d_olds);
        CHECK_LAUNCH();
    };
    atomic.print_check("atomic_add", common::best_gpu_ms(add_atomically, [&] { atomic.read(); }));

    // 6. A function that CUDA does not have: the maximum of floats, by a loop of atomicCAS.
    const float lowest = -INFINITY;
    float *d_values = nullptr, *d_max = nullptr, *d_old_maxima = nullptr;
    CHECK(cudaMalloc(&d_values, bytes + sizeof(float)));  // never 0 bytes
    CHECK(cudaMalloc(&d_max, sizeof(float)));
    CHECK(cudaMalloc(&d_old_maxima, bytes + sizeof(float)));
    CHECK(cudaMemcpy(d_values, h_values.data(), bytes, cudaMemcpyHostToDevice));
    const double max_ms = common::best_gpu_ms([&](auto& timer) {
        CHECK(cudaMemcpy(d_max, &lowest, sizeof(float), cudaMemcpyHostToDevice));
        timer.start();
        float_max_cas<<<grid_size, block_size>>>(d_values, n, d_max, d_old_maxima);
        CHECK_LAUNCH();
    });
    float max = 0;
    CHECK(cudaMemcpy(&max, d_max, sizeof(float), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_old_maxima));
    CHECK(cudaFree(d_max));
    CHECK(cudaFree(d_values));
    CHECK(cudaFree(d_olds));
    CHECK(cudaFree(d_x));
    std::printf("float_max_cas %10.3f ms   maximum %.9g, expected %.9g: %s\n", max_ms, max,
                reference, max == reference ? "ok" : "WRONG");
    std::puts("\nWhich accesses of lost_update meet: scripts/race atomic_functions lost_update");
    return atomic.wrong_runs() == 0 && max == reference ? EXIT_SUCCESS : EXIT_FAILURE;
}
