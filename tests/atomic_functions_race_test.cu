// Race mode's suite for atomic_functions: the tour, and each function on each type at each scope.
#include "atomic_functions/atomic_functions_variants.cuh"
#include "tests/race_suite.cuh"

namespace {

// Three blocks of two warps, the last one not full. The functions get operands on which they differ
// from each other.
std::unique_ptr<WordProblem> small_word(const Variant<WordProblem>&) {
    return std::make_unique<WordProblem>(100, 40, Operands{Draw::small, 1, {}});
}

}  // namespace

std::vector<RaceCase> example_cases() {
    return race_cases("atomic_functions", word_variants(), small_word);
}
