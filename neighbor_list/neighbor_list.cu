// Which atoms are within the cutoff of each other. The notes are in README.md beside this file.
//
//     nvcc -O3 -arch=native neighbor_list.cu -o neighbor_list
//
// neighbor_list [FILE]   the lesson: the neighbors of the atoms in FILE, or in a sheet of graphene
// neighbor_list --help   all variants, timed and checked, with their flags
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <string>
#include <vector>

#include "../common/argument.hpp"
#include "../common/error.cuh"
#include "../common/timer.cuh"
#include "1_atomic.cuh"
#include "2_no_atomic.cuh"
#include "cpu.hpp"
#include "input.hpp"
#include "lesson_check.cuh"

#ifdef WITH_FLAGS  // defined by CMake: the table of all variants too
#include "flags.cuh"
#endif

int main(int argc, char** argv) {
    if (common::first_is_flag(argc, argv)) {
        return run_with_flags(argc, argv);
    }
    const float cutoff = 1.9f;  // angstrom
    const float cutoff_squared = cutoff * cutoff;
    const int MN = 10;                // room for so many neighbors per atom
    const std::size_t max_N = 50000;  // testing all pairs of more atoms takes long
    const int block_size = 128;

    // 1. The input: the coordinates of N atoms.
    const std::string path = common::file_argument(argc, argv);
    const Atoms<float> atoms = atoms_or_exit<float>(path, max_N);
    const int N = static_cast<int>(atoms.x.size());
    common::print_device();
    std::printf("input: %d %s, cutoff %g\n\n", N, words_of_input(path).c_str(), cutoff);

    // 2. The lists on one core of the CPU: the reference.
    std::vector<int> expected_NN(N);
    std::vector<int> expected_NL(atom_major(N, 0, MN));
    const double cpu_ms = common::best_cpu_ms([&] {
        find_neighbors_cpu(atoms.x.data(), atoms.y.data(), N, cutoff_squared, MN,
                           expected_NN.data(), expected_NL.data());
    });
    exit_if_lists_are_full(expected_NN, MN);
    const long long entries = std::accumulate(expected_NN.begin(), expected_NN.end(), 0LL);
    std::printf("%-10s %s   %lld pairs of neighbors\n", "cpu", common::ms_text(cpu_ms).c_str(),
                entries / 2);

    // 3. Memory on the device, and the input copied there.
    const std::size_t x_bytes = N * sizeof(float);
    const std::size_t NN_bytes = N * sizeof(int);
    const std::size_t NL_bytes = expected_NL.size() * sizeof(int);
    float *d_x = nullptr, *d_y = nullptr;
    int *d_NN = nullptr, *d_NL = nullptr;
    CHECK(cudaMalloc(&d_x, std::max<std::size_t>(x_bytes, 1)));
    CHECK(cudaMalloc(&d_y, std::max<std::size_t>(x_bytes, 1)));
    CHECK(cudaMalloc(&d_NN, std::max<std::size_t>(NN_bytes, 1)));
    CHECK(cudaMalloc(&d_NL, std::max<std::size_t>(NL_bytes, 1)));
    CHECK(cudaMemcpy(d_x, atoms.x.data(), x_bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_y, atoms.y.data(), x_bytes, cudaMemcpyHostToDevice));

    // 4. Each pair once: the thread of the first atom writes to both lists, with atomics.
    CHECK(cudaMemset(d_NL, 0xff, NL_bytes));  // the room that stays empty is copied back, too
    const int grid_size = common::blocks_to_cover(N, block_size);
    const double atomic_ms = common::best_gpu_ms([&](auto& timer) {
        CHECK(cudaMemset(d_NN, 0, NN_bytes));  // atomicAdd counts on from what is there
        timer.start();
        find_neighbors_atomic<<<grid_size, block_size>>>(d_x, d_y, N, cutoff_squared, MN, d_NN,
                                                         d_NL);
        CHECK_LAUNCH();
    });
    const bool atomic_ok =
        report("atomic", atomic_ms, d_NN, d_NL, Layout::atom_major, expected_NN, expected_NL);

    // 5. Each pair twice: a thread writes to its own list only, without atomics.
    CHECK(cudaMemset(d_NN, 0xff, NN_bytes));  // so that no old answer is taken for a new one
    CHECK(cudaMemset(d_NL, 0xff, NL_bytes));
    const double no_atomic_ms = common::best_gpu_ms([&](auto& timer) {
        timer.start();
        find_neighbors_no_atomic<<<grid_size, block_size>>>(d_x, d_y, N, cutoff_squared, MN, d_NN,
                                                            d_NL);
        CHECK_LAUNCH();
    });
    const bool no_atomic_ok = report("no_atomic", no_atomic_ms, d_NN, d_NL, Layout::neighbor_major,
                                     expected_NN, expected_NL);
    CHECK(cudaFree(d_NL));
    CHECK(cudaFree(d_NN));
    CHECK(cudaFree(d_y));
    CHECK(cudaFree(d_x));
    return atomic_ok && no_atomic_ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
