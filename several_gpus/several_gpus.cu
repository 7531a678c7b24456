// A sum on several GPUs. The notes are in README.md beside this file.
//
//     nvcc -O3 -arch=native several_gpus.cu -o several_gpus
//
// several_gpus [N]      the lesson: the sum of N numbers (default: 10^8; 10^6 without a GPU)
// several_gpus --help   all variants, timed and checked, with their flags
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "../common/argument.hpp"
#include "../common/error.cuh"
#include "../common/timer.cuh"
#include "2_host_joins.cuh"
#include "3_peer_memory.cuh"
#include "cpu.hpp"
#include "task.cuh"

#ifdef WITH_FLAGS  // defined by CMake: the table of all variants too
#include "flags.cuh"
#endif

int main(int argc, char** argv) {
    take_two_cpu_devices();
    if (common::first_is_flag(argc, argv)) {
        return run_with_flags(argc, argv);
    }
    const int block_size = 256;

    // 1. The input: n numbers on the host.
    const std::size_t n =
        common::size_argument(argc, argv, common::on_cpu_device ? 1000000 : 100000000);
    std::vector<float> h_x(n);
    for (std::size_t i = 0; i < n; ++i) {
        h_x[i] = static_cast<float>(made_up_item(i));
    }
    common::print_device();
    const int gpus = common::device_count();
    std::printf("input: %zu floats, 0 to 255, on %d GPU%s\n\n", n, gpus, gpus == 1 ? "" : "s");

    // 2. The sum on one core of the CPU: the reference.
    double reference = 0;
    const double cpu_ms = common::best_cpu_ms([&] { reference = sum_cpu(h_x.data(), n); });

    // 3. Memory: on each GPU its part and a sum; in pinned memory a sum for each, and the result.
    Parts<Sum> parts(gpus);
    std::vector<float*> d_x(gpus);
    double *h_sums = nullptr, *h_result = nullptr;
    CHECK(cudaMallocHost(&h_sums, gpus * sizeof(double)));
    CHECK(cudaMallocHost(&h_result, sizeof(double)));
    for (int gpu = 0; gpu < gpus; ++gpu) {
        const std::size_t first = n / gpus * gpu;
        const std::size_t size = gpu < gpus - 1 ? n / gpus : n - first;
        CHECK(cudaSetDevice(gpu));                                 // what follows is for this GPU
        CHECK(cudaMalloc(&d_x[gpu], (size + 1) * sizeof(float)));  // never 0 bytes
        CHECK(
            cudaMemcpy(d_x[gpu], h_x.data() + first, size * sizeof(float), cudaMemcpyHostToDevice));
        parts[gpu].d_x = d_x[gpu];
        parts[gpu].n = size;
        CHECK(cudaMalloc(&parts[gpu].d_words, sizeof(double)));
        parts[gpu].h_words = h_sums + gpu;
        CHECK(cudaEventCreateWithFlags(&parts[gpu].done, cudaEventDisableTiming));
    }
    CHECK(cudaSetDevice(0));

    // 4. Each GPU adds up its part, and the host joins the sums.
    const double join_ms =
        common::best_gpu_ms([&](auto&) { launch_host_joins(parts, h_result, block_size); });
    const bool join_ok = *h_result == reference;

    // 5. All GPUs add to one sum, in GPU 0's memory.
    const bool have_access = why_no_peer_atomics(gpus).empty();
    double peer_ms = 0;
    *h_result = -1;  // not the sum of step 4
    if (have_access) {
        set_access_to_gpu_0(gpus, true);
        peer_ms =
            common::best_gpu_ms([&](auto&) { launch_peer_memory(parts, h_result, block_size); });
    }
    const bool peer_ok = !have_access || *h_result == reference;

    // 6. The check: whole numbers, so every sum must be equal.
    std::printf("%-14s %s   the reference\n", "cpu", common::ms_text(cpu_ms).c_str());
    std::printf("%-14s %10.3f ms   %s\n", "host_joins", join_ms, join_ok ? "ok" : "WRONG");
    std::printf("%-14s %10.3f ms   %s\n", "peer_memory", peer_ms,
                !have_access ? "skipped: no atomics between these GPUs"
                : peer_ok    ? "ok"
                             : "WRONG");
    for (int gpu = 0; gpu < gpus; ++gpu) {
        CHECK(cudaFree(d_x[gpu]));
        CHECK(cudaFree(parts[gpu].d_words));
        CHECK(cudaEventDestroy(parts[gpu].done));
    }
    CHECK(cudaFreeHost(h_sums));
    CHECK(cudaFreeHost(h_result));
    return join_ok && peer_ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
