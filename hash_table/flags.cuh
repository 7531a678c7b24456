// What the program does when it gets flags: the two tables of variants, by the harness.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "common/device.cuh"
#include "harness/command_line.hpp"
#include "harness/files.hpp"
#include "harness/harness.cuh"
#include "harness/output_files.hpp"
#include "hash_table/find_problem.cuh"
#include "hash_table/keys.hpp"
#include "hash_table/problem.cuh"
#include "hash_table/variants.cuh"

struct HashOptions {
    std::uint64_t buckets = 1024;
    std::uint64_t distinct = 0;
};

struct HashInput {
    std::vector<unsigned> h_keys;
    std::string words;
};

// The keys that the command line describes.
inline HashInput make_hash_input(const harness::Options& options, const HashOptions& own) {
    if (!options.input.empty()) {
        std::vector<unsigned> h_keys = harness::read_columns<unsigned>(options.input, 1);
        const std::string count = std::to_string(h_keys.size());
        if (h_keys.size() > max_keys) {
            throw harness::FileError(options.input + ": " + count + " keys, expected at most " +
                                     std::to_string(max_keys));
        }
        return {std::move(h_keys), count + " keys from " + options.input};
    }
    std::string words = std::to_string(options.n) + " random keys, ";
    if (own.distinct > 0) {
        words += "at most " + std::to_string(own.distinct) + " different, ";
    }
    return {random_keys(options.n, own.distinct, options.seed),
            words + "seed " + std::to_string(options.seed)};
}

// Runs the table of builds and the table of searches, as far as the command line asks for them.
// Both tables become one report: the rows of the first, then those of the second.
inline int run_hash_tables(harness::CommandLine& line, HashOptions own) {
    harness::Options& options = line.options;
    if (options.list) {
        harness::print_list(build_variants());
        harness::print_list(find_variants());
        return EXIT_SUCCESS;
    }
    harness::check_names(line, build_variants(), find_variants());
    const auto builds = harness::selected_from(build_variants(), options);
    const auto searches = harness::selected_from(find_variants(), options);
    if (options.small) {
        harness::apply_small(line, builds, searches);
        own.buckets = line.given("--buckets") ? own.buckets : 20;
    }
    static_cast<void>(common::device_properties());  // without a device, say so first
    const HashInput input = make_hash_input(options, own);
    options.n = input.h_keys.size();

    harness::Report report;
    bool written = options.output.empty();
    if (!builds.empty()) {
        BuildProblem problem(input.h_keys, static_cast<unsigned>(own.buckets), input.words);
        if (options.small) {
            problem.plan = small_partition_plan;
        }
        report = harness::run_table(
            builds, problem, line.program(), problem.input(), options, [&](const harness::Row&) {
                if (!options.output.empty() && !problem.lengths().empty()) {
                    harness::write_file(options.output,
                                        [&](std::ostream& out) { problem.write(out); });
                    written = true;
                }
            });
        std::printf(searches.empty() ? "" : "\n");
    }
    if (!searches.empty()) {
        FindProblem problem(input.h_keys, shuffled(input.h_keys, options.seed), input.words);
        if (options.small) {
            problem.plan = small_partition_plan;
        }
        harness::Report found =
            harness::run_table(searches, problem, line.program(), problem.input(), options);
        found.extra.set("search_input_bytes", found.input_bytes)
            .set("search_plain_read_ms", found.plain_read_ms);
        if (builds.empty()) {
            report = std::move(found);
        } else {
            report.extra = std::move(found.extra);
            for (harness::Row& row : found.rows) {
                row.name = row.kind == "cpu" ? "find_on_cpu" : row.name;
                report.rows.push_back(row);
            }
        }
    }
    report.extra.set("buckets", own.buckets);
    report.extra.set("distinct", own.distinct);
    const int status = harness::finish(report, options);
    if (!written && status == EXIT_SUCCESS) {  // finish() has seen a right variant: a search
        throw harness::FileError(options.output +
                                 ": not written, no chained table was built and right");
    }
    return status;
}

inline int run_with_flags(int argc, char** argv) {
    harness::CommandLine line("hash_table",
                              "A hash table that all threads fill at once: a lock per bucket, and "
                              "without a lock.",
                              "hash_table --n 1M --buckets 1000 --distinct 50K");
    HashOptions own;
    line.add_n(common::on_cpu_device ? 1000000 : 26214400, "Number of keys", max_keys);
    line.add_random("Random keys; they are the default, this changes nothing");
    line.add_input("Keys from this file, one per line (0 to 4294967295)", {"--distinct"});
    line.add_output("Write each bucket's number and number of entries to this file");
    line.add_seed();
    line.add_size("--buckets", own.buckets, "Number of chains", 1, std::uint64_t{1} << 30);
    line.add_size("--distinct", own.distinct,
                  "Draw the random keys from at most this many different ones (0: from all)", 0,
                  max_keys);
    line.parse(argc, argv);
    return harness::run_main([&] { return run_hash_tables(line, own); });
}
