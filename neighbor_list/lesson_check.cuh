// The lesson's check: are two neighbor lists the same?
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "../common/error.cuh"
#include "layout.cuh"

// How many atoms have another list than in the reference, which is atom-major and ascending? The
// order of a list's entries is open, so each list is sorted before it is compared.
inline int count_wrong_lists(const std::vector<int>& NN, const std::vector<int>& NL, Layout layout,
                             const std::vector<int>& expected_NN,
                             const std::vector<int>& expected_NL, int MN) {
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

// Ends the program with status 1 where an atom has more neighbors than its list has room for.
inline void exit_if_lists_are_full(const std::vector<int>& NN, int MN) {
    const auto most = std::max_element(NN.begin(), NN.end());
    if (most != NN.end() && *most > MN) {
        std::fprintf(stderr, "error: atom %td has %d neighbors; expected at most %d\n",
                     most - NN.begin(), *most, MN);
        std::exit(EXIT_FAILURE);
    }
}

// Copies the lists to the host, compares them, and prints a line; returns whether all are right.
// d_NN and d_NL are as long as the reference.
inline bool report(const char* name, double ms, const int* d_NN, const int* d_NL, Layout layout,
                   const std::vector<int>& expected_NN, const std::vector<int>& expected_NL) {
    std::vector<int> NN(expected_NN.size());
    std::vector<int> NL(expected_NL.size());
    CHECK(cudaMemcpy(NN.data(), d_NN, NN.size() * sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(NL.data(), d_NL, NL.size() * sizeof(int), cudaMemcpyDeviceToHost));
    const int MN = static_cast<int>(NN.empty() ? 0 : NL.size() / NN.size());
    const int wrong = count_wrong_lists(NN, NL, layout, expected_NN, expected_NL, MN);
    std::printf("%-10s %10.3f ms   %d wrong lists: %s\n", name, ms, wrong,
                wrong == 0 ? "ok" : "WRONG");
    return wrong == 0;
}
