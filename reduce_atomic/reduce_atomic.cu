// The sum of an array, finished by atomicAdd. See README.md beside this file.
//
//     nvcc -O3 -std=c++17 -arch=native -I. reduce_atomic/reduce_atomic.cu -o reduce_atomic_example
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "common/command_line.hpp"
#include "common/files.hpp"
#include "common/harness.cuh"
#include "common/inputs.hpp"
#include "reduce_atomic/reduce_atomic_variants.cuh"

namespace {

template <typename T>
int sum(const CommandLine& line) {
    Options options = line.options;
    if (options.list) {
        print_list(sum_variants<T>());
        return EXIT_SUCCESS;
    }
    const auto variants = select(sum_variants<T>(), line);
    static_cast<void>(device_properties());  // without a GPU, say so before reading the input

    std::vector<T> h_x;
    std::string input;
    if (!options.input.empty()) {
        h_x = read_columns<T>(options.input, 1);
        options.n = h_x.size();
        input = std::to_string(h_x.size()) + " numbers from " + options.input;
    } else if (options.random) {
        // No negative numbers: where terms cancel, the sum is small beside the rounding bound, and
        // the check would say little.
        h_x = random_reals<T>(options.n, options.seed);
        std::for_each(h_x.begin(), h_x.end(), [](T& term) { term = std::fabs(term); });
        input = format("%zu random numbers in [0, 1], seed %llu", h_x.size(),
                       static_cast<unsigned long long>(options.seed));
    } else {
        h_x.assign(options.n, static_cast<T>(1.23));
        input = std::to_string(h_x.size()) + " times 1.23";
    }
    SumProblem<T> problem(h_x, options.block_size);
    input += format(" (%s); their sum is %.12Lg", options.precision.c_str(), problem.reference());

    Report report = run_table(variants, problem, "reduce_atomic", input, options, [&](const Row&) {
        if (!options.output.empty()) {
            write_file(options.output, [&](std::ostream& out) {
                out << format("%.17g\n", static_cast<double>(problem.result()));
            });
        }
    });
    if (options.variants.empty()) {
        const T by_hand = sum_by_hand(h_x, problem.block_size_or(chapter_block_size));
        std::printf("\nby hand, in one function:  sum %.9g\n", static_cast<double>(by_hand));
    }
    return finish(report, options);
}

}  // namespace

int main(int argc, char** argv) {
    CommandLine line("reduce_atomic", "The sum of an array, finished by atomicAdd.",
                     "reduce_atomic --n 10M --random --precision double", 0);
    line.add_n(on_cpu_device ? 1000000 : 100000000, "Number of elements");
    line.add_random("Random numbers in [0, 1] instead of 1.23");
    line.add_input("Add up this file's numbers, one a line");
    line.add_output("Write the sum to this file");
    line.add_seed();
    line.add_precision();
    line.parse(argc, argv);
    return run_main(
        [&] { return line.options.precision == "double" ? sum<double>(line) : sum<float>(line); });
}
