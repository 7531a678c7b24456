// What the program does when it gets flags: the table of variants, by the harness, and histogram's
// own options: what to count and what to show.
#pragma once

#include <algorithm>
#include <cstddef>
#include <iostream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "common/device.cuh"
#include "harness/check.hpp"
#include "harness/command_line.hpp"
#include "harness/files.hpp"
#include "harness/harness.cuh"
#include "histogram/content.hpp"
#include "histogram/letters.hpp"
#include "histogram/problem.cuh"
#include "histogram/sweep.cuh"
#include "histogram/variants.cuh"

struct HistogramOptions {
    int bins = byte_values;
    std::string content = "random";
    double contention = 0;
    bool letters = false;
    bool sweep = false;
};

inline void add_options(harness::CommandLine& line, HistogramOptions& own) {
    line.add_number("--bins", own.bins, "COUNT", "Bins: values from this one on are not counted", 1,
                    byte_values);
    line.add_choice("--content", own.content, {"random", "equal", "alternating", "text"},
                    "What the bytes are");
    line.add_real("--contention", own.contention, "SHARE",
                  "Share of the random bytes that are one value: 0 uniform, 1 all equal", 0, 1);
    line.add_flag("--letters", own.letters, "Show the letters of the text as bars");
    line.add_flag("--sweep", own.sweep, "Then vary the number of blocks");
}

// What no single option can see.
inline void check_combination(const harness::CommandLine& line, const HistogramOptions& own) {
    const bool from_file = !line.options.input.empty();
    if (from_file && (line.given("--n") || line.given("--content"))) {
        line.fail("--input: the file's bytes are counted; --n and --content have no place there");
    }
    if (line.options.random && own.content != "random") {
        line.fail("--random: it contradicts --content " + own.content);
    }
    if (line.given("--contention") && (from_file || own.content != "random")) {
        line.fail("--contention: it turns random bytes into equal ones; expected --content random");
    }
    if (own.letters && !from_file && own.content != "text") {
        line.fail("--letters: there is no text; expected --input FILE or --content text");
    }
    if (own.letters && own.bins < bins_for_letters) {
        line.fail(harness::format("--letters: %d bins do not reach 'z'; expected --bins %d or more",
                                  own.bins, bins_for_letters));
    }
}

// The bytes that the command line asks for, and what they are in words.
inline std::vector<unsigned char> make_input(const harness::Options& options,
                                             const HistogramOptions& own, std::string& words) {
    const std::size_t n = options.n;
    const std::string seed = ", seed " + std::to_string(options.seed);
    if (!options.input.empty()) {
        std::vector<unsigned char> bytes = harness::read_bytes(options.input);
        words = std::to_string(bytes.size()) + " bytes from " + options.input;
        return bytes;
    }
    words = std::to_string(n);
    if (own.content == "equal") {
        words += " equal bytes";
        return equal_bytes(n);
    }
    if (own.content == "alternating") {
        words += " bytes of two values in turn";
        return alternating_bytes(n);
    }
    if (own.content == "text") {
        words += " characters of English-like text" + seed;
        return text_bytes(n, options.seed);
    }
    words += " random bytes" + seed;
    if (own.contention > 0) {
        words += harness::format(", contention %g", own.contention);
    }
    return contended_bytes(n, own.contention, options.seed);
}

// The table, and after it the letters and the sweep where they are asked for.
inline int run_histogram_table(harness::CommandLine& line, const HistogramOptions& own) {
    const auto selected = select(histogram_variants(), line);
    if (own.letters && std::none_of(selected.begin(), selected.end(), [](const auto& variant) {
            return harness::is_right(variant.kind);
        })) {
        line.fail("--letters: only a right variant's counts are shown; expected one as --variant");
    }
    const auto make_problem = [&] {
        std::string words;
        std::vector<unsigned char> h_bytes = make_input(line.options, own, words);
        line.options.n = h_bytes.size();
        return std::make_unique<HistogramProblem>(std::move(h_bytes), own.bins, words);
    };
    const auto show_more = [&](HistogramProblem& problem, harness::Report& report) {
        if (own.letters) {
            std::cout << '\n';
            print_letters(std::cout, letter_counts(problem.result()));
            std::cout.flush();
        }
        if (!own.sweep) {
            return true;
        }
        const Sweep sweep = sweep_blocks(selected, problem, line.options);
        report.extra.set("sweep", sweep.json);
        return sweep.holds;
    };
    return run_example(line, histogram_variants(), make_problem, show_more);
}

inline int run_with_flags(int argc, char** argv) {
    harness::CommandLine line("histogram", "How often each value occurs among many bytes.",
                              "histogram --n 1Mi --content text --letters");
    HistogramOptions own;
    line.add_n(common::on_cpu_device ? 2 << 20 : 100 << 20, "Number of bytes");
    line.add_random("Random bytes: the default, see --content");
    line.add_input("Count the bytes of this file");
    line.add_output("Write a line 'value count' for each bin to this file");
    line.add_seed();
    add_options(line, own);
    line.parse(argc, argv);
    check_combination(line, own);
    return harness::run_main([&] { return run_histogram_table(line, own); });
}
