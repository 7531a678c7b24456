// Race mode's suite for mutex_dot.
#include "harness/inputs.hpp"
#include "mutex_dot/variants.cuh"
#include "tests/race_suite.cuh"

using namespace common;
using namespace harness;

namespace {

template <typename T>
std::unique_ptr<DotProblem<T>> small_dot(const harness::Variant<DotProblem<T>>& variant) {
    return std::make_unique<DotProblem<T>>(harness::random_integers<T>(variant.smallest_n, 9, 1),
                                           harness::random_integers<T>(variant.smallest_n, 3, 2));
}

}  // namespace

std::vector<RaceCase> example_cases() {
    return race_cases("mutex_dot", dot_variants<float>(), small_dot<float>, "float")
#ifdef THOROUGH  // the same kernels once more
           + race_cases("mutex_dot", dot_variants<double>(), small_dot<double>, "double")
#endif
        ;
}
