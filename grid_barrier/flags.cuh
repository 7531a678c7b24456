// What the program does when it gets flags: the two tables of variants, by the harness.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ostream>
#include <string>
#include <vector>

#include "common/device.cuh"
#include "grid_barrier/cpu.hpp"
#include "grid_barrier/draw.hpp"
#include "grid_barrier/problem.cuh"
#include "grid_barrier/variants.cuh"
#include "harness/command_line.hpp"
#include "harness/files.hpp"
#include "harness/harness.cuh"
#include "harness/inputs.hpp"
#include "harness/output_files.hpp"

struct HeatOptions {
    int steps = common::on_cpu_device ? 100 : 1000;
    int grid_size = 0;
    bool draw = false;
};

struct HeatInput {
    std::vector<float> h_start;
    std::string words;
};

// The plate that the command line describes.
inline HeatInput make_heat_input(const harness::Options& options) {
    HeatInput input;
    std::string kind = "the first row is hot";
    if (!options.input.empty()) {
        input.h_start = harness::read_columns<float>(options.input, 1);
        kind = "temperatures from " + options.input;
    } else if (options.random) {
        input.h_start = harness::random_reals<float>(options.n, options.seed);
        kind = "random temperatures, seed " + std::to_string(options.seed);
    } else {
        input.h_start = start_plate(options.n);
    }
    const std::size_t n = input.h_start.size();
    input.words = "a plate of " + std::to_string(n) + " cells, " + std::to_string(columns_of(n)) +
                  " per row, " + kind;
    return input;
}

// Every row of the second table goes into the report of the first, a wrong one too.
inline void add_second_table(harness::Report& report, const harness::Report& found) {
    for (harness::Row row : found.rows) {
        row.name = row.kind == "cpu" ? "hottest_on_cpu" : row.name;
        report.rows.push_back(row);
    }
}

// Runs the table of barriers and the table of critical sections, as far as the command line asks
// for them. Both become one report: the rows of the first, then those of the second. The result
// that --output writes is the plate, or else the hottest cell.
inline int run_heat_tables(harness::CommandLine& line, const HeatOptions& own) {
    harness::Options& options = line.options;
    if (options.list) {
        harness::print_list(heat_variants());
        harness::print_list(hottest_variants());
        return EXIT_SUCCESS;
    }
    harness::check_names(line, heat_variants(), hottest_variants());
    const auto barriers = harness::selected_from(heat_variants(), options);
    const auto sections = harness::selected_from(hottest_variants(), options);
    if (options.small) {
        harness::apply_small(line, barriers, sections);
    }
    static_cast<void>(common::device_properties());  // without a device, say so first
    HeatInput input = make_heat_input(options);
    options.n = input.h_start.size();
    const auto write = [&](const harness::Problem& problem) {
        if (!options.output.empty()) {
            harness::write_file(options.output, [&](std::ostream& out) { problem.write(out); });
        }
    };

    harness::Report report;
    if (!barriers.empty()) {
        HeatProblem problem(input.h_start, columns_of(options.n), own.steps,
                            input.words + "; " + std::to_string(own.steps) + " steps");
        problem.grid_size = own.grid_size;
        std::string picture;
        report = harness::run_table(barriers, problem, line.program(), problem.input(), options,
                                    [&](const harness::Row&) {
                                        write(problem);
                                        picture = drawn(problem.result(), problem.columns());
                                    });
        std::printf("%s%s", own.draw ? ("\n" + picture).c_str() : "", sections.empty() ? "" : "\n");
    }
    if (!sections.empty()) {
        HottestProblem problem(input.h_start, input.words);
        const auto write_unless_written = [&](const harness::Row&) {
            if (barriers.empty()) {
                write(problem);
            }
        };
        harness::Report found = harness::run_table(sections, problem, line.program(),
                                                   problem.input(), options, write_unless_written);
        if (barriers.empty()) {
            report = std::move(found);
        } else {
            add_second_table(report, found);
        }
    }
    report.extra.set("steps", own.steps);
    return harness::finish(report, options);
}

inline int run_with_flags(int argc, char** argv) {
    harness::CommandLine line("grid_barrier",
                              "Heat on a plate: barriers for a block and for the whole grid; and "
                              "critical sections.",
                              "grid_barrier --n 10K --steps 500 --draw");
    HeatOptions own;
    line.add_n(common::on_cpu_device ? 1024 : 1 << 18, "Number of cells of the plate");
    line.add_random("Random temperatures in [-1, 1) instead of a cold plate with a hot first row");
    line.add_input("Read the plate from this file, one temperature per line");
    line.add_output("Write the plate after the last step to this file, one temperature per line");
    line.add_seed();
    line.add_number("--steps", own.steps, "COUNT", "Steps", 0, 100000000);
    line.add_number("--grid", own.grid_size, "BLOCKS",
                    "Blocks where they wait for each other (0: each variant's own choice)", 0,
                    2147483647);
    line.add_flag("--draw", own.draw, "Draw the plate after the last step");
    line.parse(argc, argv);
    return harness::run_main([&] { return run_heat_tables(line, own); });
}
