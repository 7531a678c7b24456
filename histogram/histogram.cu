// The histogram of bytes. See README.md beside this file.
//
//     nvcc -O3 -std=c++17 -arch=native -I. histogram/histogram.cu -o histogram_example
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <iostream>
#include <string>
#include <vector>

#include "common/command_line.hpp"
#include "common/files.hpp"
#include "common/harness.cuh"
#include "histogram/histogram_variants.cuh"
#include "histogram/letters.hpp"
#include "histogram/options.hpp"
#include "histogram/sweep.cuh"

namespace {

int count(const CommandLine& line, const HistogramOptions& own) {
    Options options = line.options;
    check_combination(line, own);
    const auto variants = select(histogram_variants(), line);
    const bool any_right = std::any_of(variants.begin(), variants.end(),
                                       [](const auto& variant) { return is_right(variant.kind); });
    if (!any_right && (own.letters || !options.output.empty())) {
        line.fail(
            "--letters, --output: only a right variant's counts are shown or written; "
            "expected one among --variant");
    }
    static_cast<void>(device_properties());  // without a GPU, say so before making the input

    std::string input;
    const std::vector<unsigned char> h_bytes = make_input(options, own, input);
    options.n = h_bytes.size();
    input += format("; %d bins", own.bins);
    const auto start = std::chrono::steady_clock::now();
    const std::vector<BinCount> expected = histogram_cpu(h_bytes, own.bins);
    const std::chrono::duration<double, std::milli> cpu = std::chrono::steady_clock::now() - start;

    HistogramProblem problem(h_bytes, own.bins, options.block_size);
    std::vector<BinCount> counts;
    Report report = run_table(variants, problem, "histogram", input, options,
                              [&](const Row&) { counts = problem.result(); });
    report.extra["cpu_reference_ms"] = cpu.count();
    std::printf("\nCPU reference, one core: %.1f ms\n", cpu.count());
    bool holds = all_hold(report);
    if (options.variants.empty()) {
        const bool same = histogram_by_hand(h_bytes, own.bins, problem.block_size) == expected;
        std::printf("by hand, in one function: %s\n", same ? "ok" : "WRONG");
        holds = holds && same;
    }
    if (own.letters) {
        std::cout << '\n';
        print_letters(std::cout, letter_counts(counts));
        std::cout.flush();
    }
    if (own.sweep) {
        const Sweep sweep = sweep_blocks(variants, problem, options);
        holds = holds && sweep.holds;
        report.extra["sweep"] = sweep.json;
    }
    if (!options.output.empty() && holds) {  // a wrong result replaces no file
        write_file(options.output, [&](std::ostream& out) {
            for (std::size_t value = 0; value < counts.size(); ++value) {
                out << value << ' ' << counts[value] << '\n';
            }
        });
    }
    const int status = finish(report, options);
    return holds ? status : EXIT_FAILURE;
}

}  // namespace

int main(int argc, char** argv) {
    CommandLine line("histogram", "How often each value occurs among many bytes.",
                     "histogram --n 1Mi --content text --letters", 0);
    HistogramOptions own;
    line.add_n(on_cpu_device ? 2 << 20 : 100 << 20, "Number of bytes");
    line.add_random("Random bytes: the default, see --content");
    line.add_input("Count the bytes of this file");
    line.add_output("Write a line 'value count' for each bin to this file");
    line.add_seed();
    add_options(line, own);
    line.parse(argc, argv);
    if (line.options.list) {
        print_list(histogram_variants());
        return EXIT_SUCCESS;
    }
    return run_main([&] { return count(line, own); });
}
