// The problem that all variants of neighbor_list solve: the atoms on the device, room for the
// lists, and the check of a list against the reference.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "common/device_array.cuh"
#include "common/scan.cuh"
#include "common/variant.cuh"
#include "neighbor_list/bin_grid.cuh"
#include "neighbor_list/cell_grid.hpp"
#include "neighbor_list/neighbor_list_cpu.hpp"

// How a kernel lays out d_NL, and where entry k of atom n's list stands then. Reading it back the
// other way gives wrong lists without any error.
enum class Layout { rows, columns };

// What the check says where an atom has more neighbours than there is room for: that the variant
// failed, since such a list is no answer, or that all is well if those are right that there is room
// for.
enum class FullList { fails, holds };

__host__ __device__ inline std::size_t in_rows(int n, int k, int MN) {
    return static_cast<std::size_t>(n) * MN + k;
}
__host__ __device__ inline std::size_t in_columns(int n, int k, int N) {
    return static_cast<std::size_t>(k) * N + n;
}

// The most atoms: their numbers, and the numbers of about twice as many cells, fit an int.
constexpr std::size_t most_atoms = std::size_t{1} << 29;

// Up to so many atoms the reference is the plain loop over all pairs; beyond, the strips.
constexpr std::size_t most_atoms_for_all_pairs_cpu = 32768;

// Scratch of the cell lists, made once. A cell's atoms stand together in `sorted`, from
// start[cell] up to start[cell + 1].
template <typename T>
struct CellArrays {
    // All that a search reads of an atom, in one load.
    struct alignas(4 * sizeof(T)) Atom {
        T x;
        T y;
        int n;
    };

    CellArrays(std::size_t N, std::size_t cells)
        : count(cells),
          start(cells + 1),
          tile_sums(scan_tiles(cells)),
          place(N),
          sorted(N),
          atoms(N) {}

    DeviceArray<int> count;
    DeviceArray<int> start;
    DeviceArray<int> tile_sums;
    DeviceArray<int> place;   // of each atom within its cell
    DeviceArray<int> sorted;  // numbers of atoms
    DeviceArray<Atom> atoms;  // the same with their coordinates, for cell_list_sorted
};

// The problem that all variants solve.
template <typename T>
class NeighborProblem : public Problem {
  public:
    // x, y: finite coordinates. `guard`: elements before and behind d_NN and d_NL that nobody may
    // touch, checked with the result.
    NeighborProblem(const std::vector<T>& x, const std::vector<T>& y, T cutoff_length,
                    int max_neighbors, int threads_a_block, std::size_t guard = 0,
                    FullList full_list = FullList::fails)
        : N(static_cast<int>(x.size())),
          MN(max_neighbors),
          cutoff(cutoff_length),
          cutoff_squared(cutoff_length * cutoff_length),
          block_size(threads_a_block),
          grid(make_cell_grid(bounding_box(x, y), cutoff_length, x.size())),
          cells(x.size(), grid.cells()),
          bins(make_bin_grid(grid, x, y)),
          guard_(guard),
          full_list_(full_list),
          h_x_(x),
          h_y_(y),
          x_(x),
          y_(y),
          NN_(x.size() + 2 * guard),
          NL_(x.size() * static_cast<std::size_t>(max_neighbors) + 2 * guard) {
        if (x.size() != y.size() || x.size() > most_atoms) {
            throw std::invalid_argument("as many x as y are needed, and at most 2^29 of them");
        }
        reference_ = x.size() <= most_atoms_for_all_pairs_cpu
                         ? neighbors_cpu(x, y, cutoff, MN)
                         : neighbors_cpu_strips(x, y, cutoff, MN);
    }

    // What the launchers use.
    int N;
    int MN;
    T cutoff;
    T cutoff_squared;
    int block_size;
    CellGrid<T> grid;
    CellArrays<T> cells;
    BinGrid<T> bins;
    std::unique_ptr<BinMemory<T>> bin_memory;  // made by the first run that needs it
    Layout layout = Layout::rows;              // each launcher says which one it writes

    const T* d_x() const { return x_.data(); }
    const T* d_y() const { return y_.data(); }
    int* d_NN() { return NN_.data() + guard_; }
    int* d_NL() { return NL_.data() + guard_; }
    std::size_t n() const { return h_x_.size(); }

    // The last checked result, rows ascending.
    const NeighborList& result() const { return result_; }
    const NeighborList& reference() const { return reference_; }

    std::vector<Span> inputs() const override {
        return {{x_.data(), x_.bytes()}, {y_.data(), y_.bytes()}};
    }
    void poison() override {
        NN_.poison();
        NL_.poison();
    }
    Verdict check() override {
        const std::vector<int> h_NN = NN_.to_host();
        const std::vector<int> h_NL = NL_.to_host();
        if (!guards_hold(h_NN) || !guards_hold(h_NL)) {
            return {Outcome::wrong, "memory before or behind the list was written to"};
        }
        result_ = NeighborList(n(), MN);
        std::copy_n(h_NN.begin() + guard_, n(), result_.NN.begin());
        const Verdict counts = check_equal(result_.NN, reference_.NN, "neighbour count of atom");
        gather_rows(h_NL.data() + guard_);
        if (!counts.holds()) {
            return counts;
        }
        for (std::size_t n = 0; n < result_.NN.size(); ++n) {
            if (!row_holds(n)) {
                return {Outcome::wrong, "atom " + std::to_string(n) + " has the list" + row(n) +
                                            ", expected" + row_of(reference_, n)};
            }
        }
        const std::string lack = lack_of_room(result_);
        return {lack.empty() || full_list_ == FullList::holds ? Outcome::ok : Outcome::wrong,
                lack.empty() ? "equal" : lack};
    }

  private:
    bool guards_hold(const std::vector<int>& array) const {
        constexpr int untouched = poison_byte * 0x01010101;
        const auto is_untouched = [](int value) { return value == untouched; };
        return std::all_of(array.begin(), array.begin() + guard_, is_untouched) &&
               std::all_of(array.end() - guard_, array.end(), is_untouched);
    }

    // Brings the device's list, in the layout that the variant wrote, into sorted rows.
    void gather_rows(const int* h_NL) {
        for (int n = 0; n < N; ++n) {
            int* row = result_.NL.data() + in_rows(n, 0, MN);
            const int length = std::clamp(result_.NN[n], 0, MN);
            for (int k = 0; k < length; ++k) {
                row[k] = h_NL[layout == Layout::rows ? in_rows(n, k, MN) : in_columns(n, k, N)];
            }
            std::sort(row, row + length);
        }
    }

    // Is the row of atom n right? Where there is room for all neighbours it equals the reference's;
    // else any MN different ones of them will do, since which come first is open.
    bool row_holds(std::size_t n) const {
        const int* row = result_.NL.data() + n * MN;
        if (result_.NN[n] <= MN) {
            return std::equal(row, row + MN, reference_.NL.data() + n * MN);
        }
        for (int k = 0; k < MN; ++k) {
            const auto other = static_cast<std::size_t>(row[k]);
            if (row[k] < 0 || other >= h_x_.size() || other == n ||
                (k > 0 && row[k] == row[k - 1]) ||
                !within_cutoff(h_x_[n], h_y_[n], h_x_[other], h_y_[other], cutoff_squared)) {
                return false;
            }
        }
        return true;
    }

    std::string row(std::size_t n) const { return row_of(result_, n); }
    static std::string row_of(const NeighborList& list, std::size_t n) {
        std::string text;
        for (int k = 0; k < std::min(list.NN[n], list.MN); ++k) {
            text += " " + std::to_string(list.NL[n * list.MN + k]);
        }
        return text.empty() ? " (none)" : text;
    }

    std::ptrdiff_t guard_;
    FullList full_list_;
    std::vector<T> h_x_;
    std::vector<T> h_y_;
    NeighborList reference_;
    NeighborList result_;
    DeviceArray<T> x_;
    DeviceArray<T> y_;
    DeviceArray<int> NN_;
    DeviceArray<int> NL_;
};
