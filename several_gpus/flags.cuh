// What the program does when it gets flags: the table of variants, by the harness.
#pragma once

#include <cmath>
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
#include "several_gpus/problem.cuh"
#include "several_gpus/variants.cuh"

// `n` random items: floats in [0, 1], or bytes.
template <typename Item>
std::vector<Item> random_items(std::size_t n, std::uint64_t seed) {
    std::vector<Item> items(n);
    harness::Generator generator(seed);
    for (Item& item : items) {
        item = static_cast<Item>(std::is_same<Item, float>::value ? harness::uniform(generator)
                                                                  : (generator() & 255));
    }
    return items;
}

// The problem that the command line describes. Sets options.n.
template <typename Task>
std::unique_ptr<PartsProblem<Task>> make_parts_problem(harness::Options& options, int gpus) {
    using Item = typename Task::Item;
    constexpr bool is_sum = std::is_same<Task, Sum>::value;
    constexpr std::size_t host_holds = std::size_t{1} << 28;
    const std::string kind = is_sum ? "floats" : "bytes";
    const std::string on = gpus == 1 ? " on one GPU" : " on " + std::to_string(gpus) + " GPUs";
    std::vector<Item> h_x;
    std::string words;
    if (!options.input.empty()) {
        if constexpr (is_sum) {
            h_x = harness::read_columns<Item>(options.input, 1);
        } else {
            h_x = harness::read_bytes(options.input);
        }
        options.n = h_x.size();
        words = std::to_string(options.n) + " " + kind + " from " + options.input;
    } else if (options.random) {
        h_x = random_items<Item>(options.n, options.seed);
        words = std::to_string(options.n) + " random " + kind + ", seed " +
                std::to_string(options.seed);
    } else {
        words = std::to_string(options.n) + " " + kind + ", 0 to 255";
        if (options.n > host_holds) {
            return std::make_unique<PartsProblem<Task>>(options.n, gpus, words + on);
        }
        h_x.resize(options.n);
        for (std::size_t i = 0; i < h_x.size(); ++i) {
            h_x[i] = static_cast<Item>(made_up_item(i));
        }
    }
    return std::make_unique<PartsProblem<Task>>(std::move(h_x), gpus, words + on);
}

template <typename Task>
int run_parts(harness::CommandLine& line, int gpus) {
    return run_example(
        line, parts_variants<Task>(),
        [&] {
            const int there = common::device_count();
            if (gpus > there) {
                line.fail("--gpus: there " +
                          (there == 1 ? std::string("is one device")
                                      : "are " + std::to_string(there) + " devices") +
                          ", and " + std::to_string(gpus) + " are wanted" +
                          (common::on_cpu_device
                               ? "; CPU_DEVICES=" + std::to_string(gpus) +
                                     " before the command gives the CPU device as many"
                               : ""));
            }
            gpus = gpus == 0 ? there : gpus;
            if (line.options.queued && gpus > 1) {
                line.fail(
                    "--queued: holds back GPU 0 alone, so the clock would start after the others' "
                    "work; expected --gpus 1");
            }
            return make_parts_problem<Task>(line.options, gpus);
        },
        [&](PartsProblem<Task>&, harness::Report& report) {
            report.extra.set("gpus", gpus);
            return true;
        });
}

inline int run_with_flags(int argc, char** argv) {
    harness::CommandLine line("several_gpus", "A sum or a histogram on several GPUs.",
                              "several_gpus --gpus 2 --task histogram --n 4Mi");
    int gpus = 0;
    harness::Options& options = line.options;
    options.precision = "sum";
    line.add_n(common::on_cpu_device ? 1000000 : 100000000, "Number of items");
    line.add_random("Random items");
    line.add_input("Sum: the numbers of this file, one per line; histogram: its bytes");
    line.add_output("Write the sum to this file, or a line 'value count' for each value");
    line.add_seed();
    line.add_choice("--task", options.precision, {"sum", "histogram"},
                    "Add up floats, or count the values of bytes");
    line.add_number("--gpus", gpus, "COUNT", "GPUs that share the work; 0: all that there are", 0,
                    64);
    line.parse(argc, argv);
    return harness::run_main([&] {
        return options.precision == "sum" ? run_parts<Sum>(line, gpus)
                                          : run_parts<Histogram>(line, gpus);
    });
}
