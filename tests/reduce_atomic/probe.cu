// reduce_atomic for scripts/mutate: see probe.cuh.
#include <cmath>

#include "harness/inputs.hpp"
#include "reduce_atomic/variants.cuh"
#include "tests/mutants/probe.cuh"
#include "tests/reduce_atomic/sums_on_gpus.cuh"

using namespace common;
using namespace harness;

namespace {

// Whole numbers, which both sums add up exactly, on two GPUs.
void probe_two_gpus() {
    const std::vector<float> x = random_integers<float>(2003, 9, 1);
    double expected = 0;
    for (const float term : x) {
        expected += term;
    }
    for (const char* const name : {"fixed_point", "exact"}) {
        Generator generator(1);
        for (const float sum : sums_on_gpus(name, x, 2, 96, generator)) {
            if (sum != expected || cpu_device::race::reports() > 0) {
                std::printf("%s on two GPUs: %g\n", name, sum);
                std::exit(EXIT_FAILURE);  // race mode makes it 66 if it has reported
            }
        }
    }
}

}  // namespace

int main() {
    probe_two_gpus();
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
