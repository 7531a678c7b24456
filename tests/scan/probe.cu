// scan for scripts/mutate: see probe.cuh.
#include "harness/inputs.hpp"
#include "scan/variants.cuh"
#include "tests/mutants/probe.cuh"

using namespace common;
using namespace harness;

namespace {

// Words of any bits, so that each sum that lacks one is wrong.
std::vector<unsigned> any_words(std::size_t n) {
    Generator generator(1);
    std::vector<unsigned> words(n);
    for (unsigned& word : words) {
        word = static_cast<unsigned>(generator());
    }
    return words;
}

// With an odd length not aligned.
ScanProblem<unsigned> make_scan(ProbeSize size) {
    return ScanProblem<unsigned>(any_words(size.n), "", size.n % 2);
}

// The second kernel of three_kernels with so many sums that its block goes round three times: what
// one round leaves in shared memory, the next one overwrites. An array with so many tiles would be
// too long for race mode.
void probe_rounds_of_scan_sums() {
    constexpr int block_size = 64;
    const std::vector<unsigned> words = any_words(2 * block_size * items_per_thread + 5);
    std::vector<unsigned> expected(words.size());
    scan_cpu(words.data(), words.size(), expected.data());
    const DeviceArray<unsigned> sums(words);
    scan_sums<<<1, block_size>>>(sums.data(), words.size());
    CHECK_LAUNCH();
    if (sums.to_host() != expected || cpu_device::race::reports() > 0) {
        std::printf("scan_sums, n = %zu\n", words.size());
        std::exit(EXIT_FAILURE);  // race mode makes it 66 if it has reported
    }
}

}  // namespace

int main() {
    probe_rounds_of_scan_sums();
    probe(scan_variants<unsigned>(), probe_sizes(2 * fast_scan_tile + 51), make_scan);
}
