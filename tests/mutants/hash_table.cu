// hash_table for scripts/mutate: see probe.cuh.
#include "hash_table/hash_table_variants.cuh"
#include "tests/mutants/probe.cuh"

int main() {
    probe(hash_variants(), probe_sizes(2500), [](ProbeSize size) {
        // Few buckets, so that threads meet; queries that are there, and some that are not.
        return HashProblem(random_keys(size.n, 1000, 1), 7, size.block_size,
                           random_keys(size.n, 2000, 1), size.n % 4);
    });
}
