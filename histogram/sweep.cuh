// Time against the number of blocks: how many does a histogram want? The book finds two for each
// multiprocessor; that was another GPU, and each variant has its own answer.
#pragma once

#include <cstdio>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "common/harness.cuh"
#include "histogram/histogram.cuh"

// Grid sizes to try: one block, and from an eighth of a block a multiprocessor to 32.
inline std::vector<int> swept_grid_sizes(int multiprocessors) {
    std::set<int> sizes{1};
    for (const int eighths : {1, 2, 4, 8, 16, 32, 64, 128, 256}) {
        sizes.insert(std::max(1, multiprocessors * eighths / 8));
    }
    return {sizes.begin(), sizes.end()};
}

struct Sweep {
    bool holds = true;  // every check of a right variant
    nlohmann::ordered_json json;
};

// Runs each of the variants (but for libraries, which choose their own grid) at each grid size,
// checks it, times `repeats` runs (0: 3), and prints a table: a line for each grid size, median
// milliseconds of each variant. A wrong result is marked.
inline Sweep sweep_blocks(const std::vector<Variant<HistogramProblem>>& variants,
                          HistogramProblem& problem, const Options& options) {
    std::vector<Variant<HistogramProblem>> swept;
    for (const auto& variant : variants) {
        if (variant.kind != Kind::library && why_unavailable(variant, problem).empty()) {
            swept.push_back(variant);
        }
    }
    problem.fast_block_size = problem.block_size;  // one block size for the whole table
    Sweep sweep;
    sweep.json = {{"block_size", problem.block_size}, {"grid_sizes", nlohmann::json::array()}};
    std::printf("\nnumber of blocks (of %d threads) against %s\n%10s", problem.block_size,
                on_cpu_device ? "emulation ms" : "median ms", "blocks");
    for (const auto& variant : swept) {
        std::printf(" %17s", variant.name.c_str());
    }
    std::printf("\n");
    for (const int grid_size : swept_grid_sizes(multiprocessor_count())) {
        problem.grid_size = grid_size;
        std::printf("%10d", grid_size);
        sweep.json["grid_sizes"].push_back(grid_size);
        for (const auto& variant : swept) {
            const bool holds = run_and_check(variant, problem).holds();
            const double ms = median(time_repeats(options.repeats > 0 ? options.repeats : 3,
                                                  options.queued ? Start::queued : Start::idle,
                                                  [&] { variant.run(problem); }));
            std::printf(" %15.4f%s", ms, holds ? "  " : " !");
            std::fflush(stdout);
            sweep.json["ms"][variant.name].push_back(ms);
            sweep.holds = sweep.holds && (holds || !is_right(variant.kind));
        }
        // More blocks than asked for: see blocks_for_counters().
        std::printf(problem.launched == grid_size ? "\n" : "  (%d blocks)\n", problem.launched);
    }
    problem.grid_size = 0;
    if (!sweep.holds) {
        std::printf("! the counts were wrong\n");
    }
    return sweep;
}
