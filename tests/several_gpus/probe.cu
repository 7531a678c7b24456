// several_gpus for scripts/mutate: see probe.cuh.
#include "harness/inputs.hpp"
#include "several_gpus/variants.cuh"
#include "tests/mutants/probe.cuh"
#include "tests/several_gpus/two_devices.cuh"

using namespace harness;

namespace {

// Items of any value, on two GPUs.
template <typename Task>
PartsProblem<Task> make_parts(ProbeSize size) {
    Generator generator(1);
    std::vector<typename Task::Item> items(size.n);
    for (auto& item : items) {
        item = static_cast<typename Task::Item>(generator() & 255);
    }
    return PartsProblem<Task>(std::move(items), 2);
}

}  // namespace

int main() {
    probe(parts_variants<Sum>(), probe_sizes(2051), make_parts<Sum>);
    probe(parts_variants<Histogram>(), probe_sizes(2051), make_parts<Histogram>);
}
