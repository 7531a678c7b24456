// Race mode's suite for several_gpus, on two devices.
#include <memory>

#include "several_gpus/flags.cuh"
#include "tests/race_suite.cuh"
#include "tests/several_gpus/two_devices.cuh"

namespace {

template <typename Task>
std::unique_ptr<PartsProblem<Task>> small_parts(
    const harness::Variant<PartsProblem<Task>>& variant) {
    return std::make_unique<PartsProblem<Task>>(
        random_items<typename Task::Item>(variant.smallest_n, 1), 2);
}

}  // namespace

std::vector<RaceCase> example_cases() {
    return race_cases("several_gpus", parts_variants<Sum>(), small_parts<Sum>, "sum") +
           race_cases("several_gpus", parts_variants<Histogram>(), small_parts<Histogram>,
                      "histogram");
}
