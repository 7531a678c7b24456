// The neighbor list of many atoms on one core of the CPU, in O(N log N). It has nothing in common
// with the cells of the kernels, so that the two cannot share a mistake.
#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

#include "neighbor_list/cpu.hpp"

// As find_neighbors_cpu(), which a test compares with it. Where an atom has more than MN
// neighbors, which MN of them are kept differs.
//
// The atoms are sorted by y and cut into strips: a strip ends where the next atom is a cutoff or
// more above the strip's first atom. Atoms with a whole strip between them are then at least that
// far apart. So only pairs within one strip and in neighboring strips are tested; and of these,
// sorted by x, only pairs less than a cutoff apart in x. Rounding hides no pair: fl(b - a) grows
// with b, so "a cutoff or more" holds for all atoms further on.
template <typename T>
void find_neighbors_cpu_strips(const T* x, const T* y, int N, T cutoff, int MN, int* NN, int* NL) {
    const T cutoff_squared = cutoff * cutoff;
    std::vector<int> order(N);
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](int a, int b) { return y[a] < y[b]; });

    std::vector<int> starts;  // where in `order` each strip begins; the last is N
    for (int i = 0; i < N; ++i) {
        if (starts.empty() || y[order[i]] - y[order[starts.back()]] >= cutoff) {
            starts.push_back(i);
        }
    }
    starts.push_back(N);
    const std::size_t strips = starts.size() - 1;
    for (std::size_t s = 0; s < strips; ++s) {
        std::sort(order.begin() + starts[s], order.begin() + starts[s + 1],
                  [&](int a, int b) { return x[a] < x[b]; });
    }

    std::fill(NN, NN + N, 0);
    const auto test = [&](int a, int b) {
        if (within_cutoff(x[a], y[a], x[b], y[b], cutoff_squared)) {
            add_neighbor_cpu(NN, NL, MN, a, b);
            add_neighbor_cpu(NN, NL, MN, b, a);
        }
    };
    for (std::size_t s = 0; s < strips; ++s) {
        int first_above = starts[s + 1];  // the first of the strip above that is not too far left
        const int end_above = s + 1 < strips ? starts[s + 2] : N;
        for (int i = starts[s]; i < starts[s + 1]; ++i) {
            const int a = order[i];
            for (int j = i + 1; j < starts[s + 1] && x[order[j]] - x[a] < cutoff; ++j) {
                test(a, order[j]);
            }
            while (first_above < end_above && x[a] - x[order[first_above]] >= cutoff) {
                ++first_above;
            }
            for (int j = first_above; j < end_above && x[order[j]] - x[a] < cutoff; ++j) {
                test(a, order[j]);
            }
        }
    }
    for (int n = 0; n < N; ++n) {
        int* const row = NL + atom_major(n, 0, MN);
        std::sort(row, row + std::min(NN[n], MN));
    }
}
