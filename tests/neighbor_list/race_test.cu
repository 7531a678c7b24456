// Race mode's suite for neighbor_list.
#include "neighbor_list/input.hpp"
#include "neighbor_list/variants.cuh"
#include "tests/race_suite.cuh"

using namespace common;
using namespace harness;

namespace {

// At most 90 atoms: two blocks, the last one not full. ghost_bins by itself would take one bin for
// so few atoms, and no ghost atoms; hence the small bins.
template <typename T>
std::unique_ptr<NeighborProblem<T>> small_sheet(
    const harness::Variant<NeighborProblem<T>>& variant) {
    Atoms<T> atoms = sheet<T>(std::min<std::size_t>(variant.smallest_n, 90));
    shuffle_atoms(atoms, 1);
    auto problem = std::make_unique<NeighborProblem<T>>(std::move(atoms), static_cast<T>(1.9), 10);
    problem->use_bins_of_edge(2);
    return problem;
}

}  // namespace

std::vector<RaceCase> example_cases() {
    return race_cases("neighbor_list", neighbor_variants<float>(), small_sheet<float>, "float")
#ifdef THOROUGH  // the same kernels once more
           + race_cases("neighbor_list", neighbor_variants<double>(), small_sheet<double>, "double")
#endif
        ;
}
