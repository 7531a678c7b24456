// histogram for scripts/mutate: see probe.cuh.
#include "histogram/content.hpp"
#include "histogram/variants.cuh"
#include "tests/mutants/probe.cuh"

using namespace common;
using namespace harness;

int main() {
    probe(histogram_variants(), probe_sizes(4003), [](ProbeSize size) {
        // Few bins, so that threads meet; and some bytes that have none.
        std::vector<unsigned char> bytes = contended_bytes(size.n, 0, 1);
        for (unsigned char& value : bytes) {
            value %= 50;
        }
        // All bins at last, so that the one behind them does not exist.
        const int bins = size.n > 1000 && size.block_size > 32 ? byte_values : 45;
        HistogramProblem problem(bytes, bins, "", size.n % 16);
        if (size.n > 1000 && size.block_size == 32) {
            problem.grid_size = 1;  // every thread has more loads than it starts at once
        }
        return problem;
    });
}
