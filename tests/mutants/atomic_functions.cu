// atomic_functions for scripts/mutate: see probe.cuh.
#include "atomic_functions/atomic_functions_variants.cuh"
#include "tests/mutants/probe.cuh"

int main() {
    constexpr Scope device = Scope::device;
    std::vector<WordVariant> variants = tour_variants();
    // Of the functions one by one a sample: all of them are made by one macro.
    variants.push_back({"add_int", "", Kind::right, run_function<AtomicAdd, int, device>});
    variants.push_back({"cas_uint", "", Kind::right, run_function<AtomicCas, unsigned, device>});
    for (const Draw draw : {Draw::small, Draw::random}) {
        probe(variants, probe_sizes(160), [draw](ProbeSize size) {
            return WordProblem(size.n, size.block_size, {draw, 1, {}});
        });
    }
}
