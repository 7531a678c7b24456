// mutex_dot for scripts/mutate: see probe.cuh.
#include "common/inputs.hpp"
#include "mutex_dot/mutex_dot_variants.cuh"
#include "tests/mutants/probe.cuh"

namespace {

template <typename T>
DotProblem<T> make(ProbeSize size) {
    return DotProblem<T>(random_integers<T>(size.n, 9, 1), random_integers<T>(size.n, 9, 2),
                         size.block_size, 1, size.n % 2);
}

}  // namespace

int main() {
    probe(dot_variants<float>(), probe_sizes(2003), make<float>);
    // The only variant with other device code for double.
    probe<DotProblem<double>>({{"one_word_mutex", "", Kind::right, run_one_word_mutex<double>}},
                              probe_sizes(2003), make<double>);
}
