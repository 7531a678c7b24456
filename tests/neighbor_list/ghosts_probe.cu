// ghost_bins for scripts/mutate, with bins that have ghost atoms, and with several tiles: see
// probe.cuh. By itself the variant would take one bin for so few atoms.
#include "neighbor_list/input.hpp"
#include "neighbor_list/variants.cuh"
#include "tests/mutants/probe.cuh"

using namespace common;
using namespace harness;

int main() {
    const auto in_bins_of = [](unsigned edge) {
        return [edge](ProbeSize size) {
            Atoms<float> atoms = sheet<float>(size.n);
            shuffle_atoms(atoms, 1);
            NeighborProblem<float> problem(std::move(atoms), 1.9f, 10);
            problem.use_bins_of_edge(edge);
            return problem;
        };
    };
    auto with_bins = neighbor_variants<float>();  // the variants that prepare bins
    with_bins.erase(std::remove_if(with_bins.begin(), with_bins.end(),
                                   [](const auto& variant) { return variant.prepare == nullptr; }),
                    with_bins.end());
    probe(with_bins, {{90, 40}}, in_bins_of(2));
    probe(with_bins, {{9000, 128}}, in_bins_of(20));
}
