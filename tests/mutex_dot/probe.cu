// mutex_dot for scripts/mutate: see probe.cuh.
#include "harness/inputs.hpp"
#include "mutex_dot/variants.cuh"
#include "tests/mutants/probe.cuh"

using namespace common;
using namespace harness;

namespace {

template <typename T>
DotProblem<T> make(ProbeSize size) {
    return DotProblem<T>(random_integers<T>(size.n, 9, 1), random_integers<T>(size.n, 9, 2), "", 1,
                         size.n % 2);
}

}  // namespace

int main() {
    probe(dot_variants<float>(), probe_sizes(2003), make<float>);
    // Where a sum and its count are one word, double has other device code.
    std::vector<harness::Variant<DotProblem<double>>> of_one_word;
    for (const auto& variant : dot_variants<double>()) {
        if (variant.skip_reason == skip_reason_one_word<double>) {
            of_one_word.push_back(variant);
        }
    }
    probe(of_one_word, probe_sizes(2003), make<double>);
}
