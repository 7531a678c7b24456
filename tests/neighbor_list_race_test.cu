// Race mode's suite for neighbor_list.
#include "neighbor_list/neighbor_list_files.hpp"
#include "neighbor_list/neighbor_list_variants.cuh"
#include "tests/race_suite.cuh"

namespace {

// Three blocks of two warps, the last one not full. one_kernel has a block of 1024 for each row of
// cells: fewer atoms give it four.
template <typename T>
std::unique_ptr<NeighborProblem<T>> small_sheet(const Variant<NeighborProblem<T>>& variant) {
    Atoms<T> atoms = sheet<T>(variant.name == "one_kernel" ? 30 : 90);
    shuffle_atoms(atoms, 1);
    auto problem =
        std::make_unique<NeighborProblem<T>>(atoms.x, atoms.y, static_cast<T>(1.9), 10, 40);
    // By itself halo_bins would take one bin for so few atoms, and no halo.
    problem->bins = bins_of_edge(problem->grid, 2);
    return problem;
}

}  // namespace

std::vector<RaceCase> example_cases() {
    return race_cases("neighbor_list", neighbor_variants<float>(), small_sheet<float>, "float") +
           race_cases("neighbor_list", neighbor_variants<double>(), small_sheet<double>, "double");
}
