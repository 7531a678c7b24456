// What the program does when it gets flags: the table of variants, by the harness.
#pragma once

#include <cmath>
#include <cstddef>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "common/device.cuh"
#include "harness/command_line.hpp"
#include "harness/files.hpp"
#include "harness/harness.cuh"
#include "harness/inputs.hpp"
#include "scan/problem.cuh"
#include "scan/variants.cuh"

// `n` random numbers: floats in [0, 1], or whole numbers of 32 bits.
template <typename T>
std::vector<T> random_terms(std::size_t n, std::uint64_t seed) {
    if constexpr (std::is_floating_point<T>::value) {
        // No negative ones: where terms cancel, a sum is small beside the rounding bound, and the
        // check would say little.
        std::vector<T> terms = harness::random_reals<T>(n, seed);
        for (T& term : terms) {
            term = std::fabs(term);
        }
        return terms;
    } else {
        harness::Generator generator(seed);
        std::vector<T> terms(n);
        for (T& term : terms) {
            term = static_cast<T>(generator());
        }
        return terms;
    }
}

// The problem that the command line describes. Sets options.n.
template <typename T>
std::unique_ptr<ScanProblem<T>> make_scan_problem(harness::Options& options) {
    std::vector<T> h_x;
    std::string words;
    if (!options.input.empty()) {
        h_x = harness::read_columns<T>(options.input, 1);
        options.n = h_x.size();
        words = std::to_string(options.n) + " numbers from " + options.input;
    } else if (options.random) {
        h_x = random_terms<T>(options.n, options.seed);
        words = std::to_string(options.n) + " random numbers, seed " + std::to_string(options.seed);
    } else {
        h_x = digits_in_turn<T>(options.n);
        words = std::to_string(options.n) + " digits, 0 to 9 in turn";
    }
    words += " (" + options.precision + ")";
    return std::make_unique<ScanProblem<T>>(std::move(h_x), words);
}

inline int run_with_flags(int argc, char** argv) {
    harness::CommandLine line("scan", "The prefix sum of an array: blocks hand their sums on.",
                              "scan --n 10M --random --type float");
    harness::Options& options = line.options;
    options.precision = "uint32";
    line.add_n(common::on_cpu_device ? 1000000 : 100000000, "Number of elements");
    line.add_random("Random numbers instead of digits");
    line.add_input("Scan this file's numbers, one per line");
    line.add_output("Write the sums to this file, one per line");
    line.add_seed();
    line.add_choice("--type", options.precision, {"uint32", "float"}, "Type of the numbers");
    line.parse(argc, argv);
    return harness::run_main([&] {
        return options.precision == "float"
                   ? run_example(line, scan_variants<float>(),
                                 [&] { return make_scan_problem<float>(options); })
                   : run_example(line, scan_variants<unsigned>(),
                                 [&] { return make_scan_problem<unsigned>(options); });
    });
}
