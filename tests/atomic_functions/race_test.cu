// Race mode's suite for atomic_functions: all variants, and each function on each type at each
// scope.
#include "atomic_functions/variants.cuh"
#include "tests/race_suite.cuh"

using namespace common;
using namespace harness;

namespace {

// Operands on which the functions differ from each other.
std::unique_ptr<SharedWordProblem> small_word(const harness::Variant<SharedWordProblem>& variant) {
    return std::make_unique<SharedWordProblem>(variant.smallest_n,
                                               Operands{OperandKind::small, 1, {}});
}

}  // namespace

std::vector<RaceCase> example_cases() {
    return race_cases("atomic_functions", all_variants(), small_word);
}
