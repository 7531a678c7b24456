// The histogram of bytes: how often each value occurs. The notes are in README.md beside this file.
//
//     nvcc -O3 -arch=native histogram.cu -o histogram
//
// histogram [N]      the lesson: N random bytes (default: 100 MiB; 2 MiB without a GPU)
// histogram --help   all variants, timed and checked, with their flags
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

#include "../common/argument.hpp"
#include "../common/error.cuh"
#include "../common/timer.cuh"
#include "1_global.cuh"
#include "2_shared.cuh"
#include "cpu.hpp"

#ifdef WITH_FLAGS  // defined by CMake: the table of all variants too
#include "flags.cuh"
#endif

int main(int argc, char** argv) {
    if (common::first_is_flag(argc, argv)) {
        return run_with_flags(argc, argv);
    }
    const int bins = byte_values;
    const int block_size = 256;

    // 1. The input: n random bytes on the host.
    const std::size_t n =
        common::size_argument(argc, argv, common::on_cpu_device ? 2 << 20 : 100 << 20);
    std::mt19937 generator(1);
    std::vector<unsigned char> h_bytes(n);
    for (unsigned char& byte : h_bytes) {
        byte = static_cast<unsigned char>(generator());
    }
    common::print_device();
    std::printf("input: %zu random bytes, %d bins\n\n", n, bins);

    // 2. The histogram on one core of the CPU: the reference.
    std::vector<BinCount> reference;
    const double cpu_ms = common::best_cpu_ms([&] { reference = histogram_cpu(h_bytes, bins); });
    std::printf("%-8s %s\n", "cpu", common::ms_text(cpu_ms).c_str());

    // 3. Memory on the device, and the input copied there.
    const std::size_t bins_bytes = bins * sizeof(BinCount);
    unsigned char* d_bytes = nullptr;
    BinCount* d_bins = nullptr;
    CHECK(cudaMalloc(&d_bytes, n + 1));  // never 0 bytes
    CHECK(cudaMalloc(&d_bins, bins_bytes));
    CHECK(cudaMemcpy(d_bytes, h_bytes.data(), n, cudaMemcpyHostToDevice));

    // 4. Every thread adds to the bins in global memory.
    const int grid_size = blocks_for_counters(n, common::blocks_to_fill_device(n, block_size));
    const double global_ms = common::best_gpu_ms([&](auto& timer) {
        CHECK(cudaMemset(d_bins, 0, bins_bytes));  // atomicAdd adds to what is there
        timer.start();
        histogram_global<<<grid_size, block_size>>>(d_bytes, n, bins, d_bins);
        CHECK_LAUNCH();
    });
    std::vector<BinCount> global_counts(bins);
    CHECK(cudaMemcpy(global_counts.data(), d_bins, bins_bytes, cudaMemcpyDeviceToHost));

    // 5. Every block counts in shared memory first.
    const double shared_ms = common::best_gpu_ms([&](auto& timer) {
        CHECK(cudaMemset(d_bins, 0, bins_bytes));
        timer.start();
        histogram_shared<<<grid_size, block_size, bins * sizeof(unsigned)>>>(d_bytes, n, bins,
                                                                             d_bins);
        CHECK_LAUNCH();
    });
    std::vector<BinCount> shared_counts(bins);
    CHECK(cudaMemcpy(shared_counts.data(), d_bins, bins_bytes, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_bins));
    CHECK(cudaFree(d_bytes));

    // 6. The check: every count must be the reference's.
    const bool global_ok = global_counts == reference;
    const bool shared_ok = shared_counts == reference;
    std::printf("%-8s %10.3f ms   %s\n", "global", global_ms, global_ok ? "ok" : "WRONG");
    std::printf("%-8s %10.3f ms   %s\n", "shared", shared_ms, shared_ok ? "ok" : "WRONG");
    return global_ok && shared_ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
