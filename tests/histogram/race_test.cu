// Race mode's suite for histogram.
#include "histogram/content.hpp"
#include "histogram/variants.cuh"
#include "tests/race_suite.cuh"

using namespace common;
using namespace harness;

namespace {

// Four blocks of two warps. The values are few, so that many threads meet; fixed_256 needs more
// bins than its blocks have threads.
std::unique_ptr<HistogramProblem> small_histogram(
    const harness::Variant<HistogramProblem>& variant) {
    auto problem =
        std::make_unique<HistogramProblem>(contended_bytes(variant.smallest_n, 0.5, 1), 200);
    problem->grid_size = 4;
    return problem;
}

}  // namespace

std::vector<RaceCase> example_cases() {
    return race_cases("histogram", histogram_variants(), small_histogram);
}
