// A tour of CUDA's atomic functions. See README.md beside this file.
//
//     nvcc -O3 -std=c++17 -arch=native -I. atomic_functions/atomic_functions.cu -o tour
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "atomic_functions/atomic_functions_matrix.cuh"
#include "atomic_functions/atomic_functions_variants.cuh"
#include "common/command_line.hpp"
#include "common/files.hpp"
#include "common/harness.cuh"

namespace {

// The numbers that --input names: one a line.
std::vector<double> numbers_from(const std::string& path) {
    std::vector<double> numbers = read_columns<double>(path, 1);
    for (const double number : numbers) {
        if (!(std::fabs(number) < 0x1p63)) {
            throw FileError(path + ": holds " + format("%g", number) +
                            "; expected numbers between -2^63 and 2^63");
        }
    }
    if (numbers.empty()) {
        throw FileError(path + ": is empty; expected a number a line, one for each thread");
    }
    return numbers;
}

int tour(const CommandLine& line) {
    Options options = line.options;
    if (options.list) {
        print_list(word_variants());
        return EXIT_SUCCESS;
    }
    const bool whole_tour = options.variants.empty();
    const auto variants = select(whole_tour ? tour_variants() : word_variants(), line);
    static_cast<void>(device_properties());  // without a GPU, say so before reading the input

    Operands operands{options.random ? Draw::random : Draw::ones, options.seed, {}};
    std::string what = options.random ? format("random operands, seed %llu",
                                               static_cast<unsigned long long>(options.seed))
                                      : "each brings a 1";
    if (!options.input.empty()) {
        operands.draw = Draw::given;
        operands.numbers = numbers_from(options.input);
        options.n = operands.numbers.size();
        what = "operands from " + options.input;
    }
    WordProblem problem(options.n, options.block_size, operands);
    const std::string input =
        format("%zu threads in blocks of %d; ", problem.n, options.block_size) + what;
    Report report =
        run_table(variants, problem, "atomic_functions", input, options, [&](const Row&) {
            if (!options.output.empty()) {
                write_file(options.output, [&](std::ostream& out) { problem.write(out); });
            }
        });
    bool all_right = true;
    if (whole_tour) {
        const std::vector<FunctionVerdict> verdicts = check_all_functions(problem.n, options);
        print_matrix(verdicts);
        all_right = all_hold(verdicts);
        report.extra["functions"] = to_json(verdicts);
        std::printf("\nby hand, in one function:  x = %d\n",
                    count_by_hand(problem.n, options.block_size));
    }
    const int status = finish(report, options);
    return all_right ? status : EXIT_FAILURE;
}

}  // namespace

int main(int argc, char** argv) {
    CommandLine line("atomic_functions", "A tour of CUDA's atomic functions.",
                     "atomic_functions --variant lost_update --variant atomic_add", 16);
    line.add_n(160, "Number of threads, each of which changes the word once", 1 << 30);
    line.add_random(
        "Random operands and a random first value (the variants that count add 1 to 0)");
    line.add_input("Operands from this file, one a line, a thread for each");
    line.add_output(
        "Write each thread's old value, of the last right variant that runs, to this file");
    line.add_seed();
    line.parse(argc, argv);
    return run_main([&] { return tour(line); });
}
