// A quick look at an example's right variants in race mode: every variant on small inputs, until
// something is wrong. scripts/mutate builds such a program for each mutant, so they hold no more
// than they must: an example's table, and how to make a small problem.
//
// Exit status: 0 all is well, 1 a check failed, 66 race mode reported something.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <vector>

#include "cpu_device/race.h"
#include "harness/variant.cuh"

struct ProbeSize {
    std::size_t n;
    int block_size;
};

// Nothing, one element; a few blocks of one warp; blocks of more warps, the last one not full. At
// last `most` elements, for variants of which a thread takes many.
inline std::vector<ProbeSize> probe_sizes(std::size_t most) {
    return {{0, 32}, {1, 32}, {70, 32}, {129, 40}, {300, 96}, {most, 32}, {most, 96}};
}

// Runs each right variant of the table on make(size), a new problem of each size; twice, with other
// turns, since a variant may leave behind what the next run must not find.
template <typename P, typename Make>
void probe(const std::vector<harness::Variant<P>>& table, const std::vector<ProbeSize>& sizes,
           Make make) {
    for (const ProbeSize& size : sizes) {
        for (const auto& variant : table) {
            P problem = make(size);
            if (!harness::is_right(variant.kind) ||
                !harness::why_skipped(variant, problem).empty()) {
                continue;
            }
            for (const unsigned seed : {1, 2}) {
                cpu_device::race::set_seed(seed);
                const harness::Verdict verdict =
                    harness::run_and_check(variant, problem, size.block_size);
                if (cpu_device::race::reports() > 0 || !verdict.holds()) {
                    std::printf("%s, n = %zu, blocks of %d, seed %u: %s\n", variant.name.c_str(),
                                size.n, size.block_size, seed, verdict.detail.c_str());
                    std::exit(EXIT_FAILURE);  // race mode makes it 66 if it has reported
                }
            }
        }
    }
}
