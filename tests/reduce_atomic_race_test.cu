// Race mode's suite for reduce_atomic.
#include "common/inputs.hpp"
#include "reduce_atomic/reduce_atomic_variants.cuh"
#include "tests/race_suite.cuh"

namespace {

// Four blocks of two warps, the last one not full; as many where a thread loads packs of elements.
template <typename T>
std::unique_ptr<SumProblem<T>> small_sum(const Variant<SumProblem<T>>& variant) {
    constexpr int block_size = 64;
    const std::size_t n =
        variant.name == "vector_loads" ? 3 * block_size * per_load<T> * loads_in_flight + 21 : 250;
    return std::make_unique<SumProblem<T>>(random_integers<T>(n, 9, 1), block_size);
}

}  // namespace

std::vector<RaceCase> example_cases() {
    return race_cases("reduce_atomic", sum_variants<float>(), small_sum<float>, "float") +
           race_cases("reduce_atomic", sum_variants<double>(), small_sum<double>, "double");
}
