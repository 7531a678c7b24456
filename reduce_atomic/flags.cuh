// What the program does when it gets flags: the table of variants, by the harness.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "common/device.cuh"
#include "harness/command_line.hpp"
#include "harness/files.hpp"
#include "harness/harness.cuh"
#include "harness/inputs.hpp"
#include "reduce_atomic/problem.cuh"
#include "reduce_atomic/variants.cuh"

// The problem that the command line describes. Sets options.n.
template <typename T>
std::unique_ptr<SumProblem<T>> make_sum_problem(harness::Options& options) {
    std::vector<T> h_x;
    std::string words;
    if (!options.input.empty()) {
        h_x = harness::read_columns<T>(options.input, 1);
        options.n = h_x.size();
        words = std::to_string(options.n) + " numbers from " + options.input;
    } else if (options.random) {
        // No negative numbers: where terms cancel, the sum is small beside the rounding bound, and
        // the check would say little.
        h_x = harness::random_reals<T>(options.n, options.seed);
        std::for_each(h_x.begin(), h_x.end(), [](T& term) { term = std::fabs(term); });
        words = std::to_string(options.n) + " random numbers in [0, 1], seed " +
                std::to_string(options.seed);
    } else {
        h_x.assign(options.n, static_cast<T>(1.23));
        words = std::to_string(options.n) + " times 1.23";
    }
    words += " (" + options.precision + ")";
    return std::make_unique<SumProblem<T>>(std::move(h_x), words);
}

inline int run_with_flags(int argc, char** argv) {
    harness::CommandLine line("reduce_atomic", "The sum of an array, finished by atomicAdd.",
                              "reduce_atomic --n 10M --random --precision double");
    line.add_n(common::on_cpu_device ? 1000000 : 100000000, "Number of elements");
    line.add_random("Random numbers in [0, 1] instead of 1.23");
    line.add_input("Add up this file's numbers, one per line");
    line.add_output("Write the sum to this file");
    line.add_seed();
    line.add_precision();
    line.parse(argc, argv);
    harness::Options& options = line.options;
    return harness::run_main([&] {
        return options.precision == "double"
                   ? run_example(line, sum_variants<double>(),
                                 [&] { return make_sum_problem<double>(options); })
                   : run_example(line, sum_variants<float>(),
                                 [&] { return make_sum_problem<float>(options); });
    });
}
