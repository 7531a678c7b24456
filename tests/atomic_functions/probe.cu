// atomic_functions for scripts/mutate: see probe.cuh.
#include "atomic_functions/variants.cuh"
#include "tests/mutants/probe.cuh"

using namespace common;
using namespace harness;

int main() {
    // All rows of the matrix go through one kernel, so one function at each scope will do.
    std::vector<harness::Variant<SharedWordProblem>> variants = word_variants();
    add_rows_at_all_scopes<AtomicAdd, int>(variants);
    add_rows_at_all_scopes<AtomicCas, unsigned>(variants);
    for (const OperandKind kind : {OperandKind::small, OperandKind::random}) {
        probe(variants, probe_sizes(160), [kind](ProbeSize size) {
            return SharedWordProblem(size.n, {kind, 1, {}});
        });
    }
}
