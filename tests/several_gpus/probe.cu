// several_gpus for scripts/mutate: see probe.cuh.
#include "several_gpus/flags.cuh"
#include "tests/mutants/probe.cuh"
#include "tests/several_gpus/two_devices.cuh"

namespace {

// Not of GPU 0 alone, and no two parts of one length.
template <typename Task>
PartsProblem<Task> make_parts(ProbeSize size) {
    return PartsProblem<Task>(random_items<typename Task::Item>(size.n, 1), 2);
}

}  // namespace

int main() {
    probe(parts_variants<Sum>(), probe_sizes(2051), make_parts<Sum>);
    probe(parts_variants<Histogram>(), probe_sizes(2051), make_parts<Histogram>);
}
