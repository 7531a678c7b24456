// How a list that a kernel has left in the device's memory is compared with the reference.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "harness/check.hpp"
#include "harness/poison.cuh"
#include "neighbor_list/distance.cuh"
#include "neighbor_list/input.hpp"
#include "neighbor_list/list.hpp"

inline bool is_poison(int value) {
    return value == harness::poison_byte * 0x01010101;
}

// A copy of d_NL in the layout that the kernel wrote.
struct RawList {
    const int* h_NL;
    Layout layout;
    int N;
    int MN;

    int entry(int n, int k) const {
        return h_NL[layout == Layout::atom_major ? atom_major(n, k, MN) : neighbor_major(n, k, N)];
    }
};

// The same list with sorted rows. NN: the counts.
inline NeighborList sorted_rows(const RawList& raw, const int* NN) {
    NeighborList list(raw.N, raw.MN);
    std::copy_n(NN, raw.N, list.NN.begin());
    for (int n = 0; n < raw.N; ++n) {
        int* const row = list.row(n);
        for (int k = 0; k < list.length(n); ++k) {
            row[k] = raw.entry(n, k);
        }
        std::sort(row, row + list.length(n));
    }
    return list;
}

// Is the row of atom n right? Where there is room for all neighbors it equals the reference's.
// Else any MN different ones of them are right, since which come first is open.
template <typename T>
bool row_holds(const NeighborList& list, const NeighborList& reference, std::size_t n,
               const Atoms<T>& atoms, T cutoff_squared) {
    const int* const row = list.row(n);
    if (list.NN[n] <= list.MN) {
        return std::equal(row, row + list.MN, reference.row(n));
    }
    for (int k = 0; k < list.MN; ++k) {
        const auto other = static_cast<std::size_t>(row[k]);
        if (row[k] < 0 || other >= atoms.x.size() || other == n ||
            (k > 0 && row[k] == row[k - 1]) ||
            !within_cutoff(atoms.x[n], atoms.y[n], atoms.x[other], atoms.y[other],
                           cutoff_squared)) {
            return false;
        }
    }
    return true;
}

// Is the memory of a row after its last entry untouched?
inline bool rest_of_row_holds(const RawList& raw, int n, int length) {
    for (int k = length; k < raw.MN; ++k) {
        if (!is_poison(raw.entry(n, k))) {
            return false;
        }
    }
    return true;
}

inline std::string row_in_words(const NeighborList& list, std::size_t n) {
    std::string text;
    for (int k = 0; k < list.length(n); ++k) {
        text += " " + std::to_string(list.row(n)[k]);
    }
    return text.empty() ? " (none)" : text;
}

// Compares the list, as sorted_rows() gives it, with the reference: all counts, all rows, and what
// the kernel has left alone. Whether there was room for all is not judged here.
template <typename T>
harness::Verdict check_list(const RawList& raw, const NeighborList& list,
                            const NeighborList& reference, const Atoms<T>& atoms,
                            T cutoff_squared) {
    using harness::Outcome;
    const harness::Verdict counts =
        harness::check_equal(list.NN, reference.NN, "neighbor count of atom");
    if (!counts.holds()) {
        return counts;
    }
    for (std::size_t n = 0; n < list.NN.size(); ++n) {
        if (!row_holds(list, reference, n, atoms, cutoff_squared)) {
            return {Outcome::wrong, "atom " + std::to_string(n) + " has the list" +
                                        row_in_words(list, n) + ", expected" +
                                        row_in_words(reference, n)};
        }
        if (!rest_of_row_holds(raw, static_cast<int>(n), list.length(n))) {
            return {Outcome::wrong, "the list of atom " + std::to_string(n) +
                                        " was written to after its " +
                                        std::to_string(list.length(n)) + " entries"};
        }
    }
    return {Outcome::ok, "equal"};
}
