// The prefix sum of an array. The notes are in README.md beside this file.
//
//     nvcc -O3 -arch=native scan.cu -o scan
//
// scan [N]      the lesson: the prefix sums of N numbers (default: 10^8; 10^6 without a GPU)
// scan --help   all variants, timed and checked, with their flags
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "../common/argument.hpp"
#include "../common/error.cuh"
#include "../common/timer.cuh"
#include "1_three_kernels.cuh"
#include "3_look_back.cuh"
#include "cpu.hpp"

#ifdef WITH_FLAGS  // defined by CMake: the table of all variants too
#include "flags.cuh"
#endif

int main(int argc, char** argv) {
    if (common::first_is_flag(argc, argv)) {
        return run_with_flags(argc, argv);
    }
    const int block_size = 256;

    // 1. The input: n numbers on the host.
    const std::size_t n =
        common::size_argument(argc, argv, common::on_cpu_device ? 1000000 : 100000000);
    const std::size_t bytes = n * sizeof(unsigned);
    const std::vector<unsigned> h_x = digits_in_turn<unsigned>(n);
    common::print_device();
    std::printf("input: %zu digits, 0 to 9 in turn (uint32)\n\n", n);

    // 2. The prefix sums on one core of the CPU: the reference.
    std::vector<unsigned> reference(n);
    const double cpu_ms = common::best_cpu_ms([&] { scan_cpu(h_x.data(), n, reference.data()); });

    // 3. Memory on the device: input, output, the tiles' sums or words, and the ticket.
    const int tiles = tiles_of(n, block_size);
    unsigned *d_x = nullptr, *d_y = nullptr, *d_sums = nullptr, *d_ticket = nullptr;
    TileWord* d_words = nullptr;
    CHECK(cudaMalloc(&d_x, bytes + sizeof(unsigned)));  // never 0 bytes
    CHECK(cudaMalloc(&d_y, bytes + sizeof(unsigned)));
    CHECK(cudaMalloc(&d_sums, tiles * sizeof(unsigned)));
    CHECK(cudaMalloc(&d_ticket, sizeof(unsigned)));
    CHECK(cudaMalloc(&d_words, tiles * sizeof(TileWord)));
    CHECK(cudaMemcpy(d_x, h_x.data(), bytes, cudaMemcpyHostToDevice));

    // 4. Three kernels: the tiles, the sums of the tiles, and the sums added to the tiles.
    const double three_ms = common::best_gpu_ms([&](auto& timer) {
        timer.start();
        scan_tiles<<<tiles, block_size>>>(d_x, n, d_y, d_sums);
        scan_sums<<<1, block_size>>>(d_sums, static_cast<std::size_t>(tiles));
        add_sums<<<tiles, block_size>>>(d_y, n, d_sums);
        CHECK_LAUNCH();
    });
    std::vector<unsigned> three_sums(n);
    CHECK(cudaMemcpy(three_sums.data(), d_y, bytes, cudaMemcpyDeviceToHost));

    // 5. One kernel: each block says its sum, and looks back at the blocks before it.
    CHECK(cudaMemset(d_y, 0xff, bytes));  // not the sums of step 4
    const double look_back_ms = common::best_gpu_ms([&](auto& timer) {
        timer.start();
        CHECK(cudaMemsetAsync(d_ticket, 0, sizeof(unsigned)));
        CHECK(cudaMemsetAsync(d_words, 0, tiles * sizeof(TileWord)));  // no tile has said anything
        scan_look_back<<<tiles, block_size>>>(d_x, n, d_y, d_ticket, d_words);
        CHECK_LAUNCH();
    });
    std::vector<unsigned> look_back_sums(n);
    CHECK(cudaMemcpy(look_back_sums.data(), d_y, bytes, cudaMemcpyDeviceToHost));
    for (void* d_memory :
         {static_cast<void*>(d_x), static_cast<void*>(d_y), static_cast<void*>(d_sums),
          static_cast<void*>(d_ticket), static_cast<void*>(d_words)}) {
        CHECK(cudaFree(d_memory));
    }

    // 6. The check: whole numbers, so every sum must be equal.
    const bool three_ok = three_sums == reference;
    const bool look_back_ok = look_back_sums == reference;
    std::printf("%-14s %s   the reference\n", "cpu", common::ms_text(cpu_ms).c_str());
    std::printf("%-14s %10.3f ms   %s\n", "three_kernels", three_ms, three_ok ? "ok" : "WRONG");
    std::printf("%-14s %10.3f ms   %s\n", "look_back", look_back_ms, look_back_ok ? "ok" : "WRONG");
    return three_ok && look_back_ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
