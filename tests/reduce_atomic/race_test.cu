// Race mode's suite for reduce_atomic.
#include "harness/inputs.hpp"
#include "reduce_atomic/variants.cuh"
#include "tests/race_suite.cuh"

using namespace common;
using namespace harness;

namespace {

template <typename T>
std::unique_ptr<SumProblem<T>> small_sum(const harness::Variant<SumProblem<T>>& variant) {
    return std::make_unique<SumProblem<T>>(harness::random_integers<T>(variant.smallest_n, 9, 1));
}

}  // namespace

std::vector<RaceCase> example_cases() {
    return race_cases("reduce_atomic", sum_variants<float>(), small_sum<float>, "float")
#ifdef THOROUGH  // the same kernels once more
           + race_cases("reduce_atomic", sum_variants<double>(), small_sum<double>, "double")
#endif
        ;
}
