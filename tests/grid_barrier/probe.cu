// grid_barrier for scripts/mutate: see probe.cuh.
#include "grid_barrier/variants.cuh"
#include "harness/inputs.hpp"
#include "tests/mutants/probe.cuh"

using namespace common;
using namespace harness;

namespace {

HeatProblem make_heat(ProbeSize size) {
    return {random_reals<float>(size.n, 1), columns_of(size.n), 3};
}
// Many equal temperatures: of equally hot cells the lowest number counts.
HottestProblem make_hottest(ProbeSize size) {
    return {random_integers<float>(size.n, 9, 1)};
}

}  // namespace

int main() {
    // More than 16 blocks, so that a tree of counters has more than one group; no more than race
    // mode keeps alive at one time.
    probe(heat_variants(), {{0, 32}, {1, 32}, {70, 32}, {129, 40}, {300, 96}, {900, 32}},
          make_heat);
    probe(hottest_variants(), probe_sizes(2003), make_hottest);
}
