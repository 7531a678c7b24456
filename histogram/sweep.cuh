// Time against the number of blocks: how many does a histogram want? CUDA by Example, chapter 9,
// finds two per multiprocessor; that was another GPU, and each variant has its own answer.
#pragma once

#include <cstdio>
#include <set>
#include <string>
#include <vector>

#include "common/device.cuh"
#include "common/launch.cuh"
#include "harness/harness.cuh"
#include "harness/json.hpp"
#include "histogram/problem.cuh"

// Grid sizes to try: one block; from an eighth of a block per multiprocessor to 32; and from there
// on to the 31,840 blocks of the Numba tutorial, part 4.
inline std::vector<int> swept_grid_sizes(int multiprocessors) {
    std::set<int> sizes{1};
    for (const int eighths : {1, 2, 4, 8, 16, 32, 64, 128, 256}) {
        sizes.insert(std::max(1, multiprocessors * eighths / 8));
    }
    if (!common::on_cpu_device) {  // emulated, so many blocks would take minutes
        sizes.insert({7960, 15920, 31840});
    }
    return {sizes.begin(), sizes.end()};
}

struct Sweep {
    bool holds = true;  // every check of a right variant
    harness::Json json;
};

// Runs each of the variants (but for libraries, which choose their own grid) at each grid size,
// checks it, times `repeats` runs (0: 3), and prints a table: a line per grid size, median
// milliseconds of each variant. All run with blocks of `block_size` threads. A wrong result is
// marked.
inline Sweep sweep_blocks(const std::vector<harness::Variant<HistogramProblem>>& variants,
                          HistogramProblem& problem, const harness::Options& options) {
    const int block_size = options.block_size > 0 ? options.block_size : 256;
    std::vector<harness::Variant<HistogramProblem>> swept;
    for (const auto& variant : variants) {
        if (variant.kind != harness::Kind::library && !variant.block_is_fixed) {
            swept.push_back(variant);
        }
    }
    Sweep sweep;
    std::printf("\nnumber of blocks (of %d threads) against %s\n%10s", block_size,
                common::on_cpu_device ? "emulation ms" : "median ms", "blocks");
    for (const auto& variant : swept) {
        std::printf(" %17s", variant.name.c_str());
    }
    std::printf("\n");
    const std::vector<int> grid_sizes = swept_grid_sizes(common::multiprocessor_count());
    std::vector<std::vector<double>> ms(swept.size());  // by variant, for each grid size
    for (const int grid_size : grid_sizes) {
        problem.grid_size = grid_size;
        std::printf("%10d", grid_size);
        for (std::size_t i = 0; i < swept.size(); ++i) {
            const harness::Variant<HistogramProblem>& variant = swept[i];
            const bool holds = run_and_check(variant, problem, block_size).holds();
            ms[i].push_back(harness::median(harness::time_repeats(
                options.repeats > 0 ? options.repeats : 3,
                options.queued ? harness::Start::queued : harness::Start::idle,
                [&] { variant.run(problem); })));
            std::printf(" %15.4f%s", ms[i].back(), holds ? "  " : " !");
            std::fflush(stdout);
            sweep.holds = sweep.holds && (holds || !harness::is_right(variant.kind));
        }
        // More blocks than asked for: see blocks_for_counters().
        std::printf(problem.launched == grid_size ? "\n" : "  (%d blocks)\n", problem.launched);
    }
    problem.grid_size = 0;
    harness::Json times;
    for (std::size_t i = 0; i < swept.size(); ++i) {
        times.set(swept[i].name, ms[i]);
    }
    sweep.json.set("block_size", block_size).set("grid_sizes", grid_sizes);
    if (!swept.empty()) {
        sweep.json.set("ms", times);
    }
    if (!sweep.holds) {
        std::printf("! the counts were wrong\n");
    }
    return sweep;
}
