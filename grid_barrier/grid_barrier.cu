// Heat on a plate, in many steps with a barrier after each. The notes are in README.md beside this
// file.
//
//     nvcc -O3 -arch=native grid_barrier.cu -o grid_barrier
//
// grid_barrier [N]      the lesson: a plate of N cells (default: 2^18; 1024 without a GPU)
// grid_barrier --help   all variants, timed and checked, with their flags
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "../common/argument.hpp"
#include "../common/error.cuh"
#include "../common/timer.cuh"
#include "1_kernel_per_step.cuh"
#include "3_counter.cuh"
#include "cpu.hpp"
#include "draw.hpp"

#ifdef WITH_FLAGS  // defined by CMake: the table of all variants too
#include "flags.cuh"
#endif

int main(int argc, char** argv) {
    if (common::first_is_flag(argc, argv)) {
        return run_with_flags(argc, argv);
    }
    const int block_size = common::on_cpu_device ? 256 : 1024;
    int steps = common::on_cpu_device ? 100 : 1000;

    // 1. The input: a cold plate with a hot first row.
    const std::size_t n = common::size_argument(argc, argv, common::on_cpu_device ? 1024 : 1 << 18);
    const std::size_t columns = columns_of(n);
    const std::size_t bytes = n * sizeof(float);
    const std::vector<float> h_start = start_plate(n);
    common::print_device();
    std::printf("input: a plate of %zu cells, %zu per row; %d steps\n\n", n, columns, steps);

    // 2. All steps on one core of the CPU: the reference.
    std::vector<float> reference;
    const double cpu_ms =
        common::best_cpu_ms([&] { reference = heat_cpu(h_start, columns, steps); });

    // 3. Memory on the device: two plates, and the barrier's counter.
    float *d_even = nullptr, *d_odd = nullptr;
    unsigned* d_arrived = nullptr;
    CHECK(cudaMalloc(&d_even, bytes + sizeof(float)));  // never 0 bytes
    CHECK(cudaMalloc(&d_odd, bytes + sizeof(float)));
    CHECK(cudaMalloc(&d_arrived, sizeof(unsigned)));
    float* const d_result = steps % 2 == 0 ? d_even : d_odd;

    // 4. A kernel for each step: a kernel begins when the one before it has ended.
    const double kernels_ms = common::best_gpu_ms([&](auto& timer) {
        CHECK(cudaMemcpy(d_even, h_start.data(), bytes, cudaMemcpyHostToDevice));
        Plate plate{d_even, d_odd, n, columns};
        const int grid_size = common::blocks_to_cover(n, block_size);
        timer.start();
        for (int step = 1; step <= steps; ++step) {
            heat_step<<<grid_size, block_size>>>(plate);
            CHECK_LAUNCH();
            swap_plates(plate);
        }
    });
    std::vector<float> kernels_plate(n);
    CHECK(cudaMemcpy(kernels_plate.data(), d_result, bytes, cudaMemcpyDeviceToHost));

    // 5. One kernel for all steps, with a barrier for the whole grid: as many blocks as fit, and a
    // launch that starts them together.
    const double counter_ms = common::best_gpu_ms([&](auto& timer) {
        CHECK(cudaMemcpy(d_even, h_start.data(), bytes, cudaMemcpyHostToDevice));
        CHECK(cudaMemset(d_arrived, 0, sizeof(unsigned)));
        Plate plate{d_even, d_odd, n, columns};
        void* arguments[] = {&plate, &steps, &d_arrived};  // the addresses of what it is given
        const int grid_size = resident_blocks(heat_counter, n, block_size, 0);
        timer.start();
        CHECK(cudaLaunchCooperativeKernel(heat_counter, grid_size, block_size, arguments));
    });
    std::vector<float> counter_plate(n);
    CHECK(cudaMemcpy(counter_plate.data(), d_result, bytes, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_arrived));
    CHECK(cudaFree(d_odd));
    CHECK(cudaFree(d_even));

    // 6. The check: every cell must have the bits of the reference.
    const bool kernels_ok = kernels_plate == reference;
    const bool counter_ok = counter_plate == reference;
    const auto report = [&](const char* name, double ms, const char* check) {
        std::printf("%-15s %s, %8.3f us per step   %s\n", name, common::ms_text(ms).c_str(),
                    1000 * ms / steps, check);
    };
    if (common::host_is_optimized) {
        report("cpu", cpu_ms, "the reference");
    }
    report("kernel_per_step", kernels_ms, kernels_ok ? "ok" : "WRONG");
    report("counter", counter_ms, counter_ok ? "ok" : "WRONG");
    std::printf("\n%s", drawn(counter_plate, columns).c_str());
    return kernels_ok && counter_ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
