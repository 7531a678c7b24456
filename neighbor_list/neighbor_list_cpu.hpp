// The reference: who is whose neighbour, on the CPU, and the one distance test that the reference
// and every kernel share.
#pragma once

#include <cuda_runtime.h>  // __host__ __device__

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <string>
#include <vector>

// The square of the distance of two atoms, in angstrom squared.
//
// One pair, one result, whoever asks: nvcc turns a * b + c into a fused multiply-add, which rounds
// once instead of twice, and then pairs at the cutoff fall on the other side than in plain C++. So
// the fma is written out, and both sides call this function. It is symmetric: x2 - x1 and x1 - x2
// differ only in sign.
template <typename T>
__host__ __device__ inline T squared_distance(T x1, T y1, T x2, T y2) {
    const T x12 = x2 - x1;
    const T y12 = y2 - y1;
    return std::fma(x12, x12, y12 * y12);
}

// Is the distance of two atoms less than the cutoff? Strictly, as in the chapter's code (its text
// has "not greater than"). cutoff_squared is cutoff * cutoff, rounded to T.
//
// Most pairs are too far apart in y alone, and the first half of the test is enough for them. It
// changes no verdict, since rounding keeps order: fma(x12, x12, y) is never less than y.
template <typename T>
__host__ __device__ inline bool within_cutoff(T x1, T y1, T x2, T y2, T cutoff_squared) {
    const T y12 = y2 - y1;
    return y12 * y12 < cutoff_squared && squared_distance(x1, y1, x2, y2) < cutoff_squared;
}

// The neighbours of N atoms. NN[n] is how many atom n has, also where they are more than MN, the
// most that there is room for. NL[n * MN + k], k < min(NN[n], MN), are their numbers, ascending;
// the rest of a row is no_neighbor.
constexpr int no_neighbor = -1;

struct NeighborList {
    NeighborList() = default;
    NeighborList(std::size_t N, int most)
        : MN(most), NN(N, 0), NL(N * static_cast<std::size_t>(most), no_neighbor) {}

    void add(std::size_t n, std::size_t neighbor) {
        const int k = NN[n]++;
        if (k < MN) {
            NL[n * MN + k] = static_cast<int>(neighbor);
        }
    }

    int MN = 0;
    std::vector<int> NN;
    std::vector<int> NL;
};

// What to say of a list that has not room for all neighbours, or nothing: the first atom that has
// too many, and what would be enough.
inline std::string lack_of_room(const NeighborList& list) {
    const auto too_many = [&](int count) { return count > list.MN; };
    const auto first = std::find_if(list.NN.begin(), list.NN.end(), too_many);
    if (first == list.NN.end()) {
        return "";
    }
    return "atom " + std::to_string(first - list.NN.begin()) + " has " + std::to_string(*first) +
           " neighbours, more than the " + std::to_string(list.MN) +
           " that there is room for (of " + std::to_string(list.NN.size()) + " atoms " +
           std::to_string(std::count_if(first, list.NN.end(), too_many)) +
           " have too many; --max-neighbors " +
           std::to_string(*std::max_element(first, list.NN.end())) + " would hold them all)";
}

// All pairs, as the chapter has it: about N * N / 2 tests. x and y are the atoms' coordinates. The
// rows come out ascending: atom n meets the atoms before it, one after another, in their turns of
// the outer loop, and then those behind it in its own.
template <typename T>
NeighborList neighbors_cpu(const std::vector<T>& x, const std::vector<T>& y, T cutoff, int MN) {
    const std::size_t N = x.size();
    const T cutoff_squared = cutoff * cutoff;
    NeighborList list(N, MN);
    for (std::size_t n1 = 0; n1 < N; ++n1) {
        for (std::size_t n2 = n1 + 1; n2 < N; ++n2) {
            if (within_cutoff(x[n1], y[n1], x[n2], y[n2], cutoff_squared)) {
                list.add(n1, n2);
                list.add(n2, n1);
            }
        }
    }
    return list;
}

// The same list in O(N log N) for many atoms. They are sorted by y and cut into strips: a strip
// ends where the next atom is a cutoff or more above the strip's first. Atoms with a whole strip
// between them are then at least that strip's height apart, so only pairs within one strip and in
// strips side by side are tested; and in each, sorted by x, only those less than a cutoff apart in
// x. No rounding can hide a pair: fl(b - a) grows with b, so "a cutoff or more" holds for all.
//
// Where an atom has more than MN neighbours, which MN of them are kept differs from neighbors_cpu.
template <typename T>
NeighborList neighbors_cpu_strips(const std::vector<T>& x, const std::vector<T>& y, T cutoff,
                                  int MN) {
    const std::size_t N = x.size();
    const T cutoff_squared = cutoff * cutoff;
    std::vector<std::size_t> order(N);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](auto a, auto b) { return y[a] < y[b]; });

    std::vector<std::size_t> starts;  // where in `order` each strip begins; N behind the last
    for (std::size_t i = 0; i < N; ++i) {
        if (starts.empty() || y[order[i]] - y[order[starts.back()]] >= cutoff) {
            starts.push_back(i);
        }
    }
    starts.push_back(N);
    const std::size_t strips = starts.size() - 1;
    for (std::size_t s = 0; s < strips; ++s) {
        std::sort(order.begin() + starts[s], order.begin() + starts[s + 1],
                  [&](auto a, auto b) { return x[a] < x[b]; });
    }

    NeighborList list(N, MN);
    const auto test = [&](std::size_t a, std::size_t b) {
        if (within_cutoff(x[a], y[a], x[b], y[b], cutoff_squared)) {
            list.add(a, b);
            list.add(b, a);
        }
    };
    for (std::size_t s = 0; s < strips; ++s) {
        std::size_t first_above = starts[s + 1];  // first of the strip above not too far left
        const std::size_t end_above = s + 1 < strips ? starts[s + 2] : N;
        for (std::size_t i = starts[s]; i < starts[s + 1]; ++i) {
            const std::size_t a = order[i];
            for (std::size_t j = i + 1; j < starts[s + 1] && x[order[j]] - x[a] < cutoff; ++j) {
                test(a, order[j]);
            }
            while (first_above < end_above && x[a] - x[order[first_above]] >= cutoff) {
                ++first_above;
            }
            for (std::size_t j = first_above; j < end_above && x[order[j]] - x[a] < cutoff; ++j) {
                test(a, order[j]);
            }
        }
    }
    for (std::size_t n = 0; n < N; ++n) {
        const auto row = list.NL.begin() + static_cast<std::ptrdiff_t>(n * MN);
        std::sort(row, row + std::min(list.NN[n], MN));
    }
    return list;
}
