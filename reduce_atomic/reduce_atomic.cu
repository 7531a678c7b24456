// The sum of an array, finished by atomicAdd. The notes are in README.md beside this file.
//
//     nvcc -O3 -arch=native reduce_atomic.cu -o reduce_atomic
//
// reduce_atomic [N]      the lesson: the sum of N numbers (default: 10^8; 10^6 without a GPU)
// reduce_atomic --help   all variants, timed and checked, with their flags
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "../common/argument.hpp"
#include "../common/error.cuh"
#include "../common/timer.cuh"
#include "1_atomic_per_element.cuh"
#include "2_block_tree.cuh"
#include "cpu.hpp"

#ifdef WITH_FLAGS  // defined by CMake: the table of all variants too
#include "flags.cuh"
#endif

int main(int argc, char** argv) {
    if (common::first_is_flag(argc, argv)) {
        return run_with_flags(argc, argv);
    }
    const int block_size = 128;

    // 1. The input: n numbers on the host.
    const std::size_t n =
        common::size_argument(argc, argv, common::on_cpu_device ? 1000000 : 100000000);
    const std::size_t bytes = n * sizeof(float);
    const std::vector<float> h_x(n, 1.23f);
    common::print_device();
    std::printf("input: %zu times 1.23 (float)\n\n", n);

    // 2. The sum on one core of the CPU, in double precision: the reference.
    double reference = 0;
    const double cpu_ms = common::best_cpu_ms([&] { reference = sum_cpu(h_x.data(), n); });
    std::printf("%-20s %s   sum %.9g\n", "cpu", common::ms_text(cpu_ms).c_str(), reference);

    // 3. Memory on the device, and the input copied there.
    float* d_x = nullptr;
    float* d_sum = nullptr;
    CHECK(cudaMalloc(&d_x, bytes + sizeof(float)));  // never 0 bytes
    CHECK(cudaMalloc(&d_sum, sizeof(float)));
    CHECK(cudaMemcpy(d_x, h_x.data(), bytes, cudaMemcpyHostToDevice));

    // 4. One atomicAdd per element.
    const int grid_size = common::blocks_to_cover(n, block_size);
    const double atomic_ms = common::best_gpu_ms([&](auto& timer) {
        CHECK(cudaMemset(d_sum, 0, sizeof(float)));  // atomicAdd adds to what is there
        timer.start();
        reduce_atomic_per_element<<<grid_size, block_size>>>(d_x, n, d_sum);
        CHECK_LAUNCH();
    });
    float atomic_sum = 0;
    CHECK(cudaMemcpy(&atomic_sum, d_sum, sizeof(float), cudaMemcpyDeviceToHost));

    // 5. A tree per block, and one atomicAdd per block.
    const double tree_ms = common::best_gpu_ms([&](auto& timer) {
        CHECK(cudaMemset(d_sum, 0, sizeof(float)));
        timer.start();
        reduce_block_tree<<<grid_size, block_size, block_size * sizeof(float)>>>(d_x, n, d_sum);
        CHECK_LAUNCH();
    });
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
