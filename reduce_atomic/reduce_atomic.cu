// The sum of an array, finished by atomicAdd. The notes are in README.md beside this file.
//
//     nvcc -O3 -std=c++17 -arch=native -I. reduce_atomic/reduce_atomic.cu -o reduce_atomic_example
//
// reduce_atomic [N]      the lesson: the sum of N numbers (default: 10^8; 10^6 without a GPU)
// reduce_atomic --help   all variants, timed and checked, with their flags
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "common/argument.hpp"
#include "common/error.cuh"
#include "common/timer.cuh"
#include "reduce_atomic/1_atomic_per_element.cuh"
#include "reduce_atomic/2_block_tree.cuh"
#include "reduce_atomic/cpu.hpp"

#if __has_include(<nlohmann/json.hpp>) && !defined(LESSON_ONLY)
#include "reduce_atomic/flags.cuh"
#define HAS_FLAGS 1
#endif

int main(int argc, char** argv) {
#ifdef HAS_FLAGS
    if (common::first_is_flag(argc, argv)) {
        return run_with_flags(argc, argv);
    }
#endif
    const int block_size = 128;
    const int repeats = 5;  // the first launch of a kernel also loads it, so the best time counts

    // 1. The input: n numbers on the host.
    const std::size_t n =
        common::size_argument(argc, argv, common::on_cpu_device ? 1000000 : 100000000);
    const std::size_t bytes = n * sizeof(float);
    const std::vector<float> h_x(n, 1.23f);
    common::print_device();
    std::printf("input: %zu times 1.23 (float)\n\n", n);

    // 2. The sum on one core of the CPU, in double precision: the reference.
    common::CpuTimer cpu_timer;
    double cpu_ms = INFINITY;
    double reference = 0;
    for (int i = 0; i < repeats; ++i) {
        cpu_timer.start();
        reference = sum_cpu(h_x.data(), n);
        cpu_ms = std::min(cpu_ms, cpu_timer.stop_ms());
    }
    std::printf("%-20s %10.3f ms   sum %.9g\n", "cpu", cpu_ms, reference);

    // 3. Memory on the device, and the input copied there.
    float* d_x = nullptr;
    float* d_sum = nullptr;
    CHECK(cudaMalloc(&d_x, std::max(bytes, sizeof(float))));
    CHECK(cudaMalloc(&d_sum, sizeof(float)));
    CHECK(cudaMemcpy(d_x, h_x.data(), bytes, cudaMemcpyHostToDevice));

    // 4. One atomicAdd per element.
    common::GpuTimer gpu_timer;
    const int grid_size =
        static_cast<int>(std::max<std::size_t>(1, (n + block_size - 1) / block_size));
    double atomic_ms = INFINITY;
    for (int i = 0; i < repeats; ++i) {
        CHECK(cudaMemset(d_sum, 0, sizeof(float)));  // atomicAdd adds to what is there
        gpu_timer.start();
        reduce_atomic_per_element<<<grid_size, block_size>>>(d_x, n, d_sum);
        CHECK_LAUNCH();
        atomic_ms = std::min(atomic_ms, gpu_timer.stop_ms());
    }
    float atomic_sum = 0;
    CHECK(cudaMemcpy(&atomic_sum, d_sum, sizeof(float), cudaMemcpyDeviceToHost));

    // 5. A tree per block, and one atomicAdd per block.
    double tree_ms = INFINITY;
    for (int i = 0; i < repeats; ++i) {
        CHECK(cudaMemset(d_sum, 0, sizeof(float)));
        gpu_timer.start();
        reduce_block_tree<<<grid_size, block_size, block_size * sizeof(float)>>>(d_x, n, d_sum);
        CHECK_LAUNCH();
        tree_ms = std::min(tree_ms, gpu_timer.stop_ms());
    }
    float block_tree_sum = 0;
    CHECK(cudaMemcpy(&block_tree_sum, d_sum, sizeof(float), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_sum));
    CHECK(cudaFree(d_x));

    // 6. The check. A float holds 24 bits, so each addition may round by 2^-24 of the sum; the
    // error may grow with the number of additions that a term passes through.
    const double unit_roundoff = std::ldexp(1.0, -24);
    const double tree_bound = (std::log2(block_size) + grid_size) * unit_roundoff * reference;
    const double tree_error = std::fabs(block_tree_sum - reference);
    const bool ok = tree_error <= tree_bound;
    std::printf(
        "%-20s %10.3f ms   sum %.9g   error %.2g: see \"How exact is the sum?\" in the notes\n",
        "atomic_per_element", atomic_ms, atomic_sum, std::fabs(atomic_sum - reference));
    std::printf("%-20s %10.3f ms   sum %.9g   error %.2g, at most %.2g: %s\n", "block_tree",
                tree_ms, block_tree_sum, tree_error, tree_bound, ok ? "ok" : "WRONG");
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
