// neighbor_list for scripts/mutate: see probe.cuh.
#include "neighbor_list/input.hpp"
#include "neighbor_list/variants.cuh"
#include "tests/mutants/probe.cuh"

using namespace common;
using namespace harness;

namespace {

constexpr std::size_t guard = 600;  // words around the lists that no kernel may touch

NeighborProblem<float> random_points(ProbeSize size) {
    return {random_atoms<float>(size.n, 2), 1.9f, 8, "", guard, FullList::holds};
}

// Nearly all atoms in one row of cells, more than fused_rows has room for in shared memory.
NeighborProblem<double> crowded_row(ProbeSize size) {
    Atoms<double> atoms{std::vector<double>(size.n), std::vector<double>(size.n)};
    for (std::size_t i = 0; i < size.n; ++i) {
        atoms.x[i] = 0.7 * static_cast<double>(i * 7 % size.n);
        atoms.y[i] = i % 100 == 99 ? 0.09 * static_cast<double>(i) : 0;
    }
    return {atoms, 1.9, 8, "", guard, FullList::holds};
}

}  // namespace

int main() {
    probe(neighbor_variants<float>(), probe_sizes(150), random_points);
    auto fixed_blocks = neighbor_variants<double>();  // among them those that fill shared memory
    fixed_blocks.erase(std::remove_if(fixed_blocks.begin(), fixed_blocks.end(),
                                      [](const auto& variant) { return !variant.block_is_fixed; }),
                       fixed_blocks.end());
    probe(fixed_blocks, {{ThreeRows<double>::capacity + 20, 32}}, crowded_row);
}
