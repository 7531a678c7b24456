// neighbor_list for scripts/mutate: see probe.cuh.
#include "neighbor_list/neighbor_list_files.hpp"
#include "neighbor_list/neighbor_list_variants.cuh"
#include "tests/mutants/probe.cuh"

namespace {

constexpr std::size_t guard = 600;  // words around the lists that nobody may touch

NeighborProblem<float> random_points(ProbeSize size) {
    const Atoms<float> atoms = random_atoms<float>(size.n, 2);
    return {atoms.x, atoms.y, 1.9f, 8, size.block_size, guard, FullList::holds};
}

// Nearly all atoms in one row of cells, more than one_kernel has shared memory for.
NeighborProblem<double> crowded_row(ProbeSize size) {
    std::vector<double> x(size.n);
    std::vector<double> y(size.n, 0);
    for (std::size_t i = 0; i < size.n; ++i) {
        x[i] = 0.7 * static_cast<double>(i * 7 % size.n);
        y[i] = i % 100 == 99 ? 0.09 * static_cast<double>(i) : 0;
    }
    return {x, y, 1.9, 8, size.block_size, guard, FullList::holds};
}

}  // namespace

int main() {
    probe(neighbor_variants<float>(), probe_sizes(150), random_points);
    probe<NeighborProblem<double>>({{"one_kernel", "", Kind::right, run_one_kernel<double>}},
                                   {{Band<double>::capacity + 20, 32}}, crowded_row);
}
