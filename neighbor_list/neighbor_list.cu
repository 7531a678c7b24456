// Which atoms are within the cutoff of each other. The notes are in README.md beside this file.
//
//     nvcc -O3 -std=c++17 -arch=native -I. neighbor_list/neighbor_list.cu -o neighbor_list_example
//
// neighbor_list [FILE]   the lesson: the neighbours of the atoms in FILE (default: data/xy.txt)
// neighbor_list --help   all variants, timed and checked, with their flags
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "common/argument.hpp"
#include "common/error.cuh"
#include "common/timer.cuh"
#include "neighbor_list/1_atomic.cuh"
#include "neighbor_list/2_no_atomic.cuh"
#include "neighbor_list/cpu.hpp"
#include "neighbor_list/input.hpp"

#if __has_include(<nlohmann/json.hpp>) && !defined(LESSON_ONLY)
#include "neighbor_list/flags.cuh"
#define HAS_FLAGS 1
#endif

// How many atoms have another list than in the reference, which is atom-major and ascending? The
// order of a list's entries is open, so each list is sorted before it is compared.
int count_wrong_lists(const std::vector<int>& NN, const std::vector<int>& NL, Layout layout,
                      const std::vector<int>& expected_NN, const std::vector<int>& expected_NL,
                      int MN) {
    const int N = static_cast<int>(NN.size());
    int wrong = 0;
    for (int n = 0; n < N; ++n) {
        bool same = NN[n] == expected_NN[n];
        std::vector<int> list;
        for (int k = 0; same && k < NN[n]; ++k) {
            list.push_back(
                NL[layout == Layout::atom_major ? atom_major(n, k, MN) : neighbor_major(n, k, N)]);
        }
        std::sort(list.begin(), list.end());
        same = same && std::equal(list.begin(), list.end(), &expected_NL[atom_major(n, 0, MN)]);
        wrong += same ? 0 : 1;
    }
    return wrong;
}

int main(int argc, char** argv) {
#ifdef HAS_FLAGS
    if (common::first_is_flag(argc, argv)) {
        return run_with_flags(argc, argv);
    }
#endif
    const float cutoff = 1.9f;  // angstrom
    const float cutoff_squared = cutoff * cutoff;
    const int MN = 10;                // room for so many neighbours per atom
    const std::size_t max_N = 50000;  // testing all pairs of more atoms takes long
    const int block_size = 128;
    const int repeats = 5;  // the first launch of a kernel also loads it, so the best time counts

    // 1. The input: the coordinates of N atoms.
    const std::string path = common::file_argument(argc, argv, default_input());
    const Atoms<float> atoms = read_atoms_or_exit<float>(path, max_N);
    const int N = static_cast<int>(atoms.x.size());
    common::print_device();
    std::printf("input: %d atoms from %s, cutoff %g\n\n", N, path.c_str(), cutoff);

    // 2. The lists on one core of the CPU: the reference.
    std::vector<int> expected_NN(N);
    std::vector<int> expected_NL(atom_major(N, 0, MN));
    common::CpuTimer cpu_timer;
    double cpu_ms = INFINITY;
    for (int i = 0; i < repeats; ++i) {
        cpu_timer.start();
        find_neighbors_cpu(atoms.x.data(), atoms.y.data(), N, cutoff_squared, MN,
                           expected_NN.data(), expected_NL.data());
        cpu_ms = std::min(cpu_ms, cpu_timer.stop_ms());
        const auto most = std::max_element(expected_NN.begin(), expected_NN.end());
        if (most != expected_NN.end() && *most > MN) {
            std::fprintf(stderr, "error: atom %td has %d neighbours; expected at most %d\n",
                         most - expected_NN.begin(), *most, MN);
            return EXIT_FAILURE;
        }
    }
    long long entries = 0;
    for (const int count : expected_NN) {
        entries += count;
    }
    std::printf("%-10s %10.3f ms   %lld pairs of neighbours\n", "cpu", cpu_ms, entries / 2);

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
    common::GpuTimer gpu_timer;
    const int grid_size = std::max(1, (N + block_size - 1) / block_size);
    double atomic_ms = INFINITY;
    for (int i = 0; i < repeats; ++i) {
        CHECK(cudaMemset(d_NN, 0, NN_bytes));  // atomicAdd counts on from what is there
        gpu_timer.start();
        find_neighbors_atomic<<<grid_size, block_size>>>(d_x, d_y, N, cutoff_squared, MN, d_NN,
                                                         d_NL);
        CHECK_LAUNCH();
        atomic_ms = std::min(atomic_ms, gpu_timer.stop_ms());
    }
    std::vector<int> NN(N);
    std::vector<int> NL(expected_NL.size());
    CHECK(cudaMemcpy(NN.data(), d_NN, NN_bytes, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(NL.data(), d_NL, NL_bytes, cudaMemcpyDeviceToHost));
    int wrong = count_wrong_lists(NN, NL, Layout::atom_major, expected_NN, expected_NL, MN);
    int all_wrong = wrong;
    std::printf("%-10s %10.3f ms   %d wrong lists: %s\n", "atomic", atomic_ms, wrong,
                wrong == 0 ? "ok" : "WRONG");

    // 5. Each pair twice: a thread writes to its own list only, without atomics.
    CHECK(cudaMemset(d_NN, 0xff, NN_bytes));  // so that no old answer is taken for a new one
    CHECK(cudaMemset(d_NL, 0xff, NL_bytes));
    double no_atomic_ms = INFINITY;
    for (int i = 0; i < repeats; ++i) {
        gpu_timer.start();
        find_neighbors_no_atomic<<<grid_size, block_size>>>(d_x, d_y, N, cutoff_squared, MN, d_NN,
                                                            d_NL);
        CHECK_LAUNCH();
        no_atomic_ms = std::min(no_atomic_ms, gpu_timer.stop_ms());
    }
    CHECK(cudaMemcpy(NN.data(), d_NN, NN_bytes, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(NL.data(), d_NL, NL_bytes, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_NL));
    CHECK(cudaFree(d_NN));
    CHECK(cudaFree(d_y));
    CHECK(cudaFree(d_x));
    wrong = count_wrong_lists(NN, NL, Layout::neighbor_major, expected_NN, expected_NL, MN);
    all_wrong += wrong;
    std::printf("%-10s %10.3f ms   %d wrong lists: %s\n", "no_atomic", no_atomic_ms, wrong,
                wrong == 0 ? "ok" : "WRONG");
    return all_wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
