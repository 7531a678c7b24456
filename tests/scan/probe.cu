// scan for scripts/mutate: see probe.cuh.
#include "harness/inputs.hpp"
#include "scan/variants.cuh"
#include "tests/mutants/probe.cuh"

using namespace common;
using namespace harness;

namespace {

// Words of any bits, so that each sum that lacks one is wrong; with an odd length not aligned.
ScanProblem<unsigned> make_scan(ProbeSize size) {
    Generator generator(1);
    std::vector<unsigned> x(size.n);
    for (unsigned& term : x) {
        term = static_cast<unsigned>(generator());
    }
    return ScanProblem<unsigned>(std::move(x), "", size.n % 2);
}

}  // namespace

int main() {
    probe(scan_variants<unsigned>(), probe_sizes(2 * fast_scan_tile + 51), make_scan);
}
