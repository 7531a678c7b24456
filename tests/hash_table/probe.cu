// hash_table for scripts/mutate: see probe.cuh.
#include "hash_table/variants.cuh"
#include "tests/mutants/probe.cuh"

using namespace common;
using namespace harness;

int main() {
    // Few buckets, so that threads meet; queries that are there, and some that are not.
    probe(build_variants(), probe_sizes(2500), [](ProbeSize size) {
        return BuildProblem(random_keys(size.n, 1000, 1), 7, "", size.n % 4);
    });
    probe(find_variants(), probe_sizes(2500), [](ProbeSize size) {
        return FindProblem(random_keys(size.n, 1000, 1), random_keys(size.n, 2000, 1), "",
                           size.n % 4);
    });
}
