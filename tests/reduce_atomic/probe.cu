// reduce_atomic for scripts/mutate: see probe.cuh.
#include <cmath>

#include "harness/inputs.hpp"
#include "reduce_atomic/variants.cuh"
#include "tests/mutants/probe.cuh"

using namespace common;
using namespace harness;

int main() {
    for (const bool special : {false, true}) {
        probe(sum_variants<float>(), probe_sizes(4003), [special](ProbeSize size) {
            std::vector<float> x = random_integers<float>(size.n, 9, 1);
            if (special) {  // fixed_point has words of its own for what is no number
                for (std::size_t i = 0; i < x.size(); i += 8) {
                    x[i] = i % 16 == 0 ? INFINITY : -INFINITY;
                }
            }
            return SumProblem<float>(x, "", size.n % 2);
        });
    }
}
