// halo_bins for scripts/mutate, with bins that have a halo, and several tiles: see probe.cuh. By
// itself the variant would take one bin for so few atoms.
#include "neighbor_list/neighbor_list_files.hpp"
#include "neighbor_list/neighbor_list_variants.cuh"
#include "tests/mutants/probe.cuh"

int main() {
    const auto in_bins_of = [](unsigned edge) {
        return [edge](ProbeSize size) {
            Atoms<float> atoms = sheet<float>(size.n);
            shuffle_atoms(atoms, 1);
            NeighborProblem<float> problem(atoms.x, atoms.y, 1.9f, 10, size.block_size);
            problem.bins = bins_of_edge(problem.grid, edge);
            return problem;
        };
    };
    const std::vector<Variant<NeighborProblem<float>>> halo_bins{
        {"halo_bins", "", Kind::right, run_halo_bins<float>}};
    probe(halo_bins, {{90, 40}}, in_bins_of(2));
    probe(halo_bins, {{9000, 128}}, in_bins_of(20));
}
