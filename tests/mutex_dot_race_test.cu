// Race mode's suite for mutex_dot.
#include "common/inputs.hpp"
#include "mutex_dot/mutex_dot_variants.cuh"
#include "tests/race_suite.cuh"

namespace {

// Four blocks of two warps, the last one not full; as many where a thread loads packs of elements.
template <typename T>
std::unique_ptr<DotProblem<T>> small_dot(const Variant<DotProblem<T>>& variant) {
    constexpr int block_size = 64;
    const bool packs = variant.name == "vector_loads" || variant.name == "two_level_mutex" ||
                       variant.name == "one_word_mutex" || variant.name == "mutex_tree";
    const std::size_t n = packs ? 3 * block_size * per_load<T> * (loads_in_flight / 2) + 21 : 250;
    return std::make_unique<DotProblem<T>>(random_integers<T>(n, 9, 1), random_integers<T>(n, 3, 2),
                                           block_size);
}

}  // namespace

std::vector<RaceCase> example_cases() {
    return race_cases("mutex_dot", dot_variants<float>(), small_dot<float>, "float") +
           race_cases("mutex_dot", dot_variants<double>(), small_dot<double>, "double");
}
