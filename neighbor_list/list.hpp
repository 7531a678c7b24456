// A neighbor list in the host's memory, as the check and the output file use it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <ostream>
#include <string>
#include <vector>

#include "neighbor_list/layout.cuh"

// The neighbors of N atoms, atom-major. NN[n] is how many neighbors atom n has, also where they
// are more than MN. The first min(NN[n], MN) entries of its row in NL are their numbers; the others
// are no_neighbor.
struct NeighborList {
    static constexpr int no_neighbor = -1;

    NeighborList() = default;
    NeighborList(std::size_t N, int max_neighbors)
        : MN(max_neighbors),
          NN(N, 0),
          NL(N * static_cast<std::size_t>(max_neighbors), no_neighbor) {}

    int length(std::size_t n) const { return std::clamp(NN[n], 0, MN); }
    int* row(std::size_t n) { return NL.data() + n * MN; }
    const int* row(std::size_t n) const { return NL.data() + n * MN; }

    int MN = 0;
    std::vector<int> NN;
    std::vector<int> NL;
};

// Where a list has no room for all neighbors: the first atom that has too many, and how much room
// would be enough. Else empty.
inline std::string lack_of_room(const NeighborList& list) {
    const auto too_many = [&](int count) { return count > list.MN; };
    const auto first = std::find_if(list.NN.begin(), list.NN.end(), too_many);
    if (first == list.NN.end()) {
        return "";
    }
    return "atom " + std::to_string(first - list.NN.begin()) + " has " + std::to_string(*first) +
           " neighbors, more than the " + std::to_string(list.MN) + " that there is room for (of " +
           std::to_string(list.NN.size()) + " atoms " +
           std::to_string(std::count_if(first, list.NN.end(), too_many)) +
           " have too many; --max-neighbors " +
           std::to_string(*std::max_element(first, list.NN.end())) + " would hold them all)";
}

// Writes a line for each atom: how many neighbors it has, then MN entries, their numbers and "NaN"
// for the rest, with single blanks between. The format is that of Fan, CUDA Programming, section
// 9.3.1 (print_neighbor).
inline void write_list(std::ostream& out, const NeighborList& list) {
    std::string line;
    for (std::size_t n = 0; n < list.NN.size(); ++n) {
        line = std::to_string(list.NN[n]);
        for (int k = 0; k < list.MN; ++k) {
            line += k < list.NN[n] ? " " + std::to_string(list.row(n)[k]) : " NaN";
        }
        line += '\n';
        out << line;
    }
}
