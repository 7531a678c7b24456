// What the program does when it gets flags: the table of variants, by the harness.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "common/device.cuh"
#include "harness/command_line.hpp"
#include "harness/files.hpp"
#include "harness/harness.cuh"
#include "harness/inputs.hpp"
#include "mutex_dot/problem.cuh"
#include "mutex_dot/variants.cuh"

// The problem that the command line describes. Sets options.n.
template <typename T>
std::unique_ptr<DotProblem<T>> make_dot_problem(harness::Options& options) {
    std::vector<T> h_a;
    std::vector<T> h_b;
    std::string words;
    if (!options.input.empty()) {
        const std::vector<T> rows = harness::read_columns<T>(options.input, 2);
        for (std::size_t i = 0; i < rows.size(); i += 2) {
            h_a.push_back(rows[i]);
            h_b.push_back(rows[i + 1]);
        }
        options.n = h_a.size();
        words = "two vectors of " + std::to_string(options.n) + " numbers from " + options.input;
    } else if (options.random) {
        h_a = harness::random_reals<T>(options.n, options.seed);
        h_b = harness::random_reals<T>(options.n, options.seed + 1);
        words = "two vectors of " + std::to_string(options.n) +
                " random numbers in [-1, 1), seeds " + std::to_string(options.seed) + " and " +
                std::to_string(options.seed + 1);
    } else {
        h_a.assign(options.n, T(1));
        h_b.assign(options.n, static_cast<T>(1.0 / static_cast<double>(options.n)));
        words = std::to_string(options.n) + " times 1 and as many times 1 / " +
                std::to_string(options.n);
    }
    words += " (" + options.precision + ")";
    return std::make_unique<DotProblem<T>>(std::move(h_a), std::move(h_b), words);
}

inline int run_with_flags(int argc, char** argv) {
    harness::CommandLine line("mutex_dot",
                              "The dot product of two vectors, finished under a mutex.",
                              "mutex_dot --n 10M --random --precision double");
    line.add_n(common::on_cpu_device ? 1000000 : 10000000, "Number of elements of each vector");
    line.add_random("Random numbers in [-1, 1) instead of 1 and 1/n");
    line.add_input("Read the vectors from this file, two numbers per line");
    line.add_output("Write the dot product to this file");
    line.add_seed();
    line.add_precision();
    line.parse(argc, argv);
    harness::Options& options = line.options;
    return harness::run_main([&] {
        return options.precision == "double"
                   ? run_example(line, dot_variants<double>(),
                                 [&] { return make_dot_problem<double>(options); })
                   : run_example(line, dot_variants<float>(),
                                 [&] { return make_dot_problem<float>(options); });
    });
}
