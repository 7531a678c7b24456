// The dot product of two vectors, finished under a mutex. See README.md beside this file.
//
//     nvcc -O3 -std=c++17 -arch=native -I. mutex_dot/mutex_dot.cu -lcublas -o mutex_dot_example
#include <cstdio>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "common/command_line.hpp"
#include "common/files.hpp"
#include "common/harness.cuh"
#include "common/inputs.hpp"
#include "mutex_dot/mutex_dot_variants.cuh"

namespace {

// The two columns of a file.
template <typename T>
std::pair<std::vector<T>, std::vector<T>> read_vectors(const std::string& path) {
    const std::vector<T> rows = read_columns<T>(path, 2);
    std::vector<T> h_a(rows.size() / 2);
    std::vector<T> h_b(rows.size() / 2);
    for (std::size_t i = 0; i < h_a.size(); ++i) {
        h_a[i] = rows[2 * i];
        h_b[i] = rows[2 * i + 1];
    }
    return {std::move(h_a), std::move(h_b)};
}

template <typename T>
int dot(const CommandLine& line) {
    Options options = line.options;
    if (options.list) {
        print_list(dot_variants<T>());
        return EXIT_SUCCESS;
    }
    const auto variants = select(dot_variants<T>(), line);
    static_cast<void>(device_properties());  // without a GPU, say so before reading the input

    std::vector<T> h_a;
    std::vector<T> h_b;
    std::string input;
    if (!options.input.empty()) {
        std::tie(h_a, h_b) = read_vectors<T>(options.input);
        input = format("two vectors of %zu numbers from %s", h_a.size(), options.input.c_str());
    } else if (options.random) {
        h_a = random_reals<T>(options.n, options.seed);
        h_b = random_reals<T>(options.n, options.seed + 1);
        input = format("two vectors of %zu random numbers in [-1, 1), seeds %llu and %llu",
                       h_a.size(), static_cast<unsigned long long>(options.seed),
                       static_cast<unsigned long long>(options.seed + 1));
    } else {
        h_a.assign(options.n, T(1));
        h_b.assign(options.n, static_cast<T>(1.0 / static_cast<double>(options.n)));
        input = format("%zu times 1 and as many times 1 / %zu", h_a.size(), h_a.size());
    }
    options.n = h_a.size();
    DotProblem<T> problem(h_a, h_b, options.block_size);
    input +=
        format(" (%s); the dot product is %.12Lg", options.precision.c_str(), problem.reference());

    Report report = run_table(variants, problem, "mutex_dot", input, options, [&](const Row&) {
        if (!options.output.empty()) {
            write_file(options.output, [&](std::ostream& out) {
                out << format("%.17g\n", static_cast<double>(problem.result()));
            });
        }
    });
    if (options.variants.empty()) {
        std::printf(
            "\nby hand, in one function:  dot %.9g\n",
            static_cast<double>(dot_by_hand(h_a, h_b, problem.block_size_or(tutorial_block_size))));
    }
    return finish(report, options);
}

}  // namespace

int main(int argc, char** argv) {
    CommandLine line("mutex_dot", "The dot product of two vectors, finished under a mutex.",
                     "mutex_dot --n 10M --random --precision double", 0);
    line.add_n(on_cpu_device ? 1000000 : 10000000, "Number of elements of each vector");
    line.add_random("Random numbers in [-1, 1) instead of 1 and 1/n");
    line.add_input("Read the vectors from this file, two numbers a line");
    line.add_output("Write the dot product to this file");
    line.add_seed();
    line.add_precision();
    line.parse(argc, argv);
    return run_main(
        [&] { return line.options.precision == "double" ? dot<double>(line) : dot<float>(line); });
}
