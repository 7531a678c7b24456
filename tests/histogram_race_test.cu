// Race mode's suite for histogram.
#include "histogram/content.hpp"
#include "histogram/histogram_variants.cuh"
#include "tests/race_suite.cuh"

namespace {

// Four blocks of two warps; few bins, so that many threads meet in them.
std::unique_ptr<HistogramProblem> small_histogram(const Variant<HistogramProblem>&) {
    constexpr int bins = 100;
    auto problem = std::make_unique<HistogramProblem>(contended_bytes(701, 0.5, 1), bins, 64);
    problem->grid_size = 4;
    return problem;
}

}  // namespace

std::vector<RaceCase> example_cases() {
    return race_cases("histogram", histogram_variants(), small_histogram);
}
