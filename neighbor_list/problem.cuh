// The neighbor list as the harness sees it: the memory of all variants, the reference, and the
// check.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <memory>
#include <ostream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "common/device_array.cuh"
#include "common/scan.cuh"
#include "harness/variant.cuh"
#include "neighbor_list/4_cell_list.cuh"
#include "neighbor_list/5_cell_list_sorted.cuh"
#include "neighbor_list/check.hpp"
#include "neighbor_list/cpu.hpp"
#include "neighbor_list/cpu_strips.hpp"
#include "neighbor_list/fast/bin_grid.cuh"
#include "neighbor_list/fast/bin_memory.cuh"
#include "neighbor_list/input.hpp"
#include "neighbor_list/list.hpp"

// What the check says where an atom has more neighbors than there is room for: that the variant
// failed, since such a list is no answer; or, for tests, that all is well if the entries that there
// is room for are right.
enum class FullList { fails, holds };

// The most atoms: their numbers, and the numbers of about twice as many cells, fit an int.
constexpr std::size_t max_atoms = std::size_t{1} << 29;

// Up to this many atoms the reference tests all pairs.
constexpr std::size_t max_atoms_for_all_pairs_cpu = 32768;

template <typename T>
class NeighborProblem : public harness::Problem {
  public:
    // atoms: finite coordinates; `words`: what they are. `guard`: words before and after the lists
    // that no kernel may write to; the check looks at them. Throws where the atoms are too many, or
    // so close together that their pairs would take minutes.
    NeighborProblem(Atoms<T> atoms, T cutoff, int max_neighbors, const std::string& words = "",
                    std::size_t guard = 0, FullList full_list = FullList::fails)
        : cutoff_(cutoff),
          MN_(max_neighbors),
          words_(words),
          guard_(static_cast<std::ptrdiff_t>(guard)),
          full_list_(full_list),
          atoms_(std::move(atoms)),
          grid_(checked_grid()),
          bins_(make_bin_grid(grid_, atoms_.x, atoms_.y)),
          reference_(n(), max_neighbors),
          x_(atoms_.x),
          y_(atoms_.y),
          NN_(n() + 2 * guard),
          NL_(reference_.NL.size() + 2 * guard),
          count_(grid_.cells()),
          start_(grid_.cells() + 1),
          tile_sums_(common::scan_tiles(grid_.cells())),
          place_(n()),
          sorted_(n()),
          cell_atoms_(n()) {
        find_on_cpu(reference_);
    }

    // What the table's rows use.
    std::size_t n() const { return atoms_.x.size(); }
    int N() const { return static_cast<int>(n()); }
    int MN() const { return MN_; }
    T cutoff_squared() const { return cutoff_ * cutoff_; }
    const T* d_x() const { return x_.data(); }
    const T* d_y() const { return y_.data(); }
    int* d_NN() { return NN_.data() + guard_; }
    int* d_NL() { return NL_.data() + guard_; }
    const CellGrid<T>& grid() const { return grid_; }
    CellArrays cells() {
        return {count_.data(), start_.data(), tile_sums_.data(), place_.data(), sorted_.data()};
    }
    CellAtom<T>* d_cell_atoms() { return cell_atoms_.data(); }
    const BinGrid<T>& bins() const { return bins_; }
    BinTiles<T>& tiles() { return bin_memory_->tiles; }
    // Memory for ghost_bins, in its prepare step. The bins are planned before, from the density.
    void reserve_bins() {
        if (bin_memory_ == nullptr) {
            bin_memory_ = std::make_unique<BinMemory<T>>(bins_, N());
        }
    }
    void use_bins_of_edge(unsigned edge) { bins_ = bins_of_edge(grid_, edge); }
    Layout layout = Layout::unknown;  // what the last run's launcher returned

    // The last checked result, rows ascending.
    const NeighborList& result() const { return result_; }
    const NeighborList& reference() const { return reference_; }

    std::string input() const override {
        std::map<int, std::size_t> atoms_with;
        std::size_t entries = 0;
        for (const int count : reference_.NN) {
            ++atoms_with[count];
            entries += count;
        }
        std::string text = words_ + "; " + std::to_string(entries / 2) + " pairs of neighbors";
        for (const auto& [count, atoms] : atoms_with) {
            text += "; atoms with " + std::to_string(count) + ": " + std::to_string(atoms);
        }
        return text;
    }
    std::vector<Span> inputs() const override {
        return {{x_.data(), x_.bytes()}, {y_.data(), y_.bytes()}};
    }
    bool run_on_cpu() override {
        if (cpu_.NN.size() != n()) {
            cpu_ = NeighborList(n(), MN_);
        }
        find_on_cpu(cpu_);
        return true;
    }
    harness::Verdict check_cpu() override {
        return {cpu_.NN == reference_.NN ? harness::Outcome::ok : harness::Outcome::wrong,
                n() <= max_atoms_for_all_pairs_cpu ? "the reference, all pairs"
                                                   : "the reference, atoms sorted into strips"};
    }
    void poison() override {
        layout = Layout::unknown;
        for (common::DeviceArray<int>* array :
             {&NN_, &NL_, &count_, &start_, &tile_sums_, &place_, &sorted_}) {
            harness::poison(*array);
        }
        harness::poison(cell_atoms_);
        if (bin_memory_ != nullptr) {
            bin_memory_->poison();
        }
    }
    harness::Verdict check(double) override {  // exact: no bound is needed
        const std::vector<int> h_NN = NN_.to_host();
        const std::vector<int> h_NL = NL_.to_host();
        if (layout == Layout::unknown) {
            return wrong("the launcher did not say which layout it writes");
        }
        if (!guards_hold(h_NN) || !guards_hold(h_NL)) {
            return wrong("memory before or after the list was written to");
        }
        const RawList raw{h_NL.data() + guard_, layout, N(), MN_};
        result_ = sorted_rows(raw, h_NN.data() + guard_);
        const harness::Verdict lists =
            check_list(raw, result_, reference_, atoms_, cutoff_squared());
        const std::string lack = lack_of_room(result_);
        if (!lists.holds() || lack.empty()) {
            return lists;
        }
        return {full_list_ == FullList::holds ? harness::Outcome::ok : harness::Outcome::wrong,
                lack};
    }
    void write(std::ostream& out) const override { write_list(out, result_); }

  private:
    static harness::Verdict wrong(const std::string& detail) {
        return {harness::Outcome::wrong, detail};
    }

    // The grid of cells. Throws as the constructor says.
    CellGrid<T> checked_grid() const {
        if (n() != atoms_.y.size() || n() > max_atoms) {
            throw std::invalid_argument("expected as many x as y, and at most 2^29 of them");
        }
        const CellGrid<T> grid = make_cell_grid(bounding_box(atoms_.x, atoms_.y), cutoff_, n());
        refuse_crowd(grid, atoms_.x, atoms_.y);
        return grid;
    }

    void find_on_cpu(NeighborList& list) const {
        const T* const x = atoms_.x.data();
        const T* const y = atoms_.y.data();
        if (n() <= max_atoms_for_all_pairs_cpu) {
            find_neighbors_cpu(x, y, N(), cutoff_squared(), MN_, list.NN.data(), list.NL.data());
        } else {
            find_neighbors_cpu_strips(x, y, N(), cutoff_, MN_, list.NN.data(), list.NL.data());
        }
    }

    bool guards_hold(const std::vector<int>& array) const {
        return std::all_of(array.begin(), array.begin() + guard_, is_poison) &&
               std::all_of(array.end() - guard_, array.end(), is_poison);
    }
    T cutoff_;
    int MN_;
    std::string words_;
    std::ptrdiff_t guard_;
    FullList full_list_;
    Atoms<T> atoms_;
    CellGrid<T> grid_;
    BinGrid<T> bins_;
    NeighborList reference_;
    NeighborList result_;
    NeighborList cpu_;
    common::DeviceArray<T> x_;
    common::DeviceArray<T> y_;
    common::DeviceArray<int> NN_;
    common::DeviceArray<int> NL_;
    common::DeviceArray<int> count_;
    common::DeviceArray<int> start_;
    common::DeviceArray<int> tile_sums_;
    common::DeviceArray<int> place_;
    common::DeviceArray<int> sorted_;
    common::DeviceArray<CellAtom<T>> cell_atoms_;
    std::unique_ptr<BinMemory<T>> bin_memory_;
};
