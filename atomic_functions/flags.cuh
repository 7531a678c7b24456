// What the program does when it gets flags: the table of variants, by the harness.
#pragma once

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "atomic_functions/more/print_matrix.cuh"
#include "atomic_functions/problem.cuh"
#include "atomic_functions/variants.cuh"
#include "common/device.cuh"
#include "harness/command_line.hpp"
#include "harness/files.hpp"
#include "harness/harness.cuh"

// The numbers in a file, one per line. Throws where there are none, or one is beyond a long long.
inline std::vector<double> operands_from(const std::string& path) {
    const std::vector<double> numbers = harness::read_columns<double>(path, 1);
    for (const double number : numbers) {
        if (!(std::fabs(number) < 0x1p63)) {
            throw harness::FileError(path + ": holds " + harness::format("%g", number) +
                                     "; expected numbers between -2^63 and 2^63");
        }
    }
    if (numbers.empty()) {
        throw harness::FileError(path + ": is empty; expected a number per line, one per thread");
    }
    return numbers;
}

// The problem that the command line describes. Sets options.n.
inline std::unique_ptr<SharedWordProblem> make_word_problem(harness::Options& options) {
    Operands operands{OperandKind::ones, options.seed, {}};
    std::string words = "every operand is 1";
    if (!options.input.empty()) {
        operands = {OperandKind::given, options.seed, operands_from(options.input)};
        options.n = operands.numbers.size();
        words = "operands from " + options.input;
    } else if (options.random) {
        operands.kind = OperandKind::random;
        words = "random operands, seed " + std::to_string(options.seed);
    }
    return std::make_unique<SharedWordProblem>(options.n, operands, words);
}

inline int run_with_flags(int argc, char** argv) {
    harness::CommandLine line("atomic_functions", "Many threads change one word.",
                              "atomic_functions --variant lost_update --variant atomic_add");
    bool matrix = false;
    line.add_n(160, "Number of threads, each of which changes the word once", 1 << 30);
    line.add_random("Random operands and a random first value (variants that count add 1 to 0)");
    line.add_input("Operands from this file, one per line and thread (variants that count add 1)");
    line.add_output("Write each thread's old value, of the last right variant, to this file");
    line.add_seed();
    line.add_flag("--matrix", matrix, "Check every function on every type at every scope instead");
    line.excludes("--matrix", {"--variant", "--all", "--list", "--random", "--input", "--output",
                               "--repeats", "--queued", "--small"});
    line.parse(argc, argv);
    harness::Options& options = line.options;
    return harness::run_main([&] {
        if (matrix) {
            static_cast<void>(common::device_properties());  // without a device, say so first
            harness::check_outputs(options);
            const harness::Report report =
                check_matrix(options.n, options.seed, options.block_size);
            print_matrix(report);
            return harness::finish(report, options);
        }
        // The rows of the matrix are many: they run when they are named.
        const bool by_name = options.list || !options.variants.empty();
        return harness::run_example(line, by_name ? all_variants() : word_variants(),
                                    [&] { return make_word_problem(options); });
    });
}
