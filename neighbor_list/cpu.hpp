// The neighbor list on one core of the CPU: what the GPU is compared with.
//
// Source of the idea: Fan, CUDA Programming, section 9.3.1.
#pragma once

#include <algorithm>

#include "distance.cuh"
#include "layout.cuh"

// Gives atom n the neighbor `other`. The count goes on past MN, and entries past MN are left out.
inline void add_neighbor_cpu(int* NN, int* NL, int MN, int n, int other) {
    const int k = NN[n]++;  // the value before the addition is the place of the new entry
    if (k < MN) {
        NL[atom_major(n, k, MN)] = other;
    }
}

// x, y: coordinates of N atoms. NN: N counts. NL: N * MN words, atom-major.
//
// If n2 is a neighbor of n1, then n1 is a neighbor of n2. So n2 starts after n1, and each of the
// N * (N - 1) / 2 pairs is tested once. The entries of a list come in ascending order: first the
// smaller numbers, in their turns of the outer loop, then the larger ones in the atom's own turn.
template <typename T>
[[gnu::noinline]] void find_neighbors_cpu(const T* x, const T* y, int N, T cutoff_squared, int MN,
                                          int* NN, int* NL) {
    std::fill(NN, NN + N, 0);
    for (int n1 = 0; n1 < N; ++n1) {
        for (int n2 = n1 + 1; n2 < N; ++n2) {
            if (within_cutoff(x[n1], y[n1], x[n2], y[n2], cutoff_squared)) {
                add_neighbor_cpu(NN, NL, MN, n1, n2);
                add_neighbor_cpu(NN, NL, MN, n2, n1);
            }
        }
    }
}
