// The dot product of two vectors, finished under a mutex. The notes are in README.md beside this
// file.
//
//     nvcc -O3 -arch=native mutex_dot.cu -o mutex_dot
//
// mutex_dot [N]      the lesson: two vectors of N numbers (default: 10^7; 10^6 without a GPU)
// mutex_dot --help   all variants, timed and checked, with their flags
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "../common/argument.hpp"
#include "../common/error.cuh"
#include "../common/timer.cuh"
#include "2_mutex.cuh"
#include "5_atomic_add.cuh"
#include "cpu.hpp"

#ifdef WITH_FLAGS  // defined by CMake: the table of all variants too
#include "flags.cuh"
#endif

int main(int argc, char** argv) {
    if (common::first_is_flag(argc, argv)) {
        return run_with_flags(argc, argv);
    }
    const int block_size = 256;

    // 1. The input: two vectors on the host, with a dot product of about 1.
    const std::size_t n =
        common::size_argument(argc, argv, common::on_cpu_device ? 1000000 : 10000000);
    const std::size_t bytes = n * sizeof(float);
    const std::vector<float> h_a(n, 1.0f);
    const std::vector<float> h_b(n, 1.0f / static_cast<float>(n));
    common::print_device();
    std::printf("input: %zu times 1 and as many times 1 / %zu (float)\n\n", n, n);

    // 2. The dot product on one core of the CPU, in double precision: the reference.
    double reference = 0;
    const double cpu_ms =
        common::best_cpu_ms([&] { reference = dot_cpu(h_a.data(), h_b.data(), n); });
    std::printf("%-12s %s   dot %.9g\n", "cpu", common::ms_text(cpu_ms).c_str(), reference);

    // 3. Memory on the device: the vectors, the result, and the mutex.
    float* d_a = nullptr;
    float* d_b = nullptr;
    float* d_dot = nullptr;
    int* d_mutex = nullptr;
    CHECK(cudaMalloc(&d_a, bytes + sizeof(float)));  // never 0 bytes
    CHECK(cudaMalloc(&d_b, bytes + sizeof(float)));
    CHECK(cudaMalloc(&d_dot, sizeof(float)));
    CHECK(cudaMalloc(&d_mutex, sizeof(int)));
    CHECK(cudaMemcpy(d_a, h_a.data(), bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_b, h_b.data(), bytes, cudaMemcpyHostToDevice));

    // 4. Each block adds its partial sum under the mutex.
    const int grid_size = dot_blocks(n, block_size);
    const std::size_t shared_bytes = block_size * sizeof(float);
    const double mutex_ms = common::best_gpu_ms([&](auto& timer) {
        CHECK(cudaMemset(d_dot, 0, sizeof(float)));
        CHECK(cudaMemset(d_mutex, 0, sizeof(int)));  // 0 means free
        timer.start();
        dot_mutex<<<grid_size, block_size, shared_bytes>>>(d_a, d_b, n, d_mutex, d_dot);
        CHECK_LAUNCH();
    });
    float mutex_result = 0;
    CHECK(cudaMemcpy(&mutex_result, d_dot, sizeof(float), cudaMemcpyDeviceToHost));

    // 5. The same with one atomicAdd per block in place of the mutex.
    const double atomic_ms = common::best_gpu_ms([&](auto& timer) {
        CHECK(cudaMemset(d_dot, 0, sizeof(float)));
        timer.start();
        dot_atomic_add<<<grid_size, block_size, shared_bytes>>>(d_a, d_b, n, d_dot);
        CHECK_LAUNCH();
    });
    float atomic_result = 0;
    CHECK(cudaMemcpy(&atomic_result, d_dot, sizeof(float), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_mutex));
    CHECK(cudaFree(d_dot));
    CHECK(cudaFree(d_b));
    CHECK(cudaFree(d_a));

    // 6. The check. A product passes through so many additions, and each may round by 2^-24.
    const double additions = std::ceil(static_cast<double>(n) / (grid_size * block_size)) +
                             std::log2(block_size) + grid_size + 1;
    const double bound = additions * std::ldexp(1.0, -24) * reference;
    const auto report = [&](const char* name, double ms, float dot) {
        const double error = std::fabs(dot - reference);
        const bool ok = error <= bound;
        std::printf("%-12s %10.3f ms   dot %.9g   error %.2g, at most %.2g: %s\n", name, ms, dot,
                    error, bound, ok ? "ok" : "WRONG");
        return ok;
    };
    const bool mutex_ok = report("mutex", mutex_ms, mutex_result);
    const bool atomic_ok = report("atomic_add", atomic_ms, atomic_result);
    return mutex_ok && atomic_ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
