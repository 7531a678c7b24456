// A hash table filled by all threads at once: chains with a lock per bucket, and better. See
// README.md beside this file.
//
//     nvcc -O3 -std=c++17 -arch=native -I. hash_table/hash_table.cu -o hash_table_example
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "common/command_line.hpp"
#include "common/files.hpp"
#include "common/harness.cuh"
#include "hash_table/hash_table_variants.cuh"

namespace {

struct HashOptions {
    std::uint64_t buckets = 1024;
    std::uint64_t distinct = 0;
};

// A bucket and the number of its entries, one bucket a line.
void write_lengths(const std::string& path, const std::vector<unsigned>& lengths) {
    write_file(path, [&](std::ostream& out) {
        for (std::size_t bucket = 0; bucket < lengths.size(); ++bucket) {
            out << bucket << ' ' << lengths[bucket] << '\n';
        }
    });
}

struct Input {
    std::vector<unsigned> h_keys;
    std::string description;
};

Input read_or_make_keys(const Options& options, const HashOptions& hash_options) {
    if (!options.input.empty()) {
        std::vector<unsigned> h_keys = read_columns<unsigned>(options.input, 1);
        const std::string count = std::to_string(h_keys.size());
        if (h_keys.size() > most_keys) {
            throw FileError(options.input + ": " + count + " keys, expected at most " +
                            std::to_string(most_keys));
        }
        return {std::move(h_keys), count + " keys from " + options.input};
    }
    std::string description = std::to_string(options.n) + " random keys, ";
    if (hash_options.distinct > 0) {
        description += "at most " + std::to_string(hash_options.distinct) + " different, ";
    }
    return {random_keys(options.n, hash_options.distinct, options.seed),
            description + "seed " + std::to_string(options.seed)};
}

int hash_table(const CommandLine& line, const HashOptions& hash_options) {
    Options options = line.options;
    if (options.list) {
        print_list(hash_variants());
        return EXIT_SUCCESS;
    }
    std::vector<Variant<HashProblem>> builds = select(hash_variants(), line);
    const auto middle = std::stable_partition(
        builds.begin(), builds.end(), [](const auto& variant) { return !is_search(variant); });
    const std::vector<Variant<HashProblem>> searches(middle, builds.end());
    builds.erase(middle, builds.end());
    static_cast<void>(device_properties());  // without a GPU, say so before reading the input

    const Input input = read_or_make_keys(options, hash_options);
    options.n = input.h_keys.size();
    const auto buckets = static_cast<unsigned>(hash_options.buckets);
    const std::string description = input.description + "; " + std::to_string(buckets) + " buckets";
    HashProblem problem(input.h_keys, buckets, options.block_size,
                        shuffled(input.h_keys, options.seed));

    bool written = options.output.empty();
    Report report;
    if (!builds.empty()) {
        report =
            run_table(builds, problem, "hash_table", description, options, [&](const Row& row) {
                if (!options.output.empty() && row.verdict.holds() && !problem.lengths().empty()) {
                    write_lengths(options.output, problem.lengths());
                    written = true;
                }
            });
    }
    if (!searches.empty()) {
        if (!builds.empty()) {
            std::printf("\n");
        }
        problem.set_searching(true);
        Report found = run_table(searches, problem, "hash_table",
                                 "a search for each of " + description, options);
        found.extra = {{"search_input_bytes", found.input_bytes},
                       {"search_plain_read_ms", found.plain_read_ms}};
        if (builds.empty()) {
            report = std::move(found);
        } else {
            report.rows.insert(report.rows.end(), found.rows.begin(), found.rows.end());
            report.extra = std::move(found.extra);
        }
    }
    report.extra["buckets"] = buckets;
    report.extra["distinct"] = hash_options.distinct;

    bool by_hand_holds = true;
    if (options.variants.empty()) {
        const HostTable table = build_by_hand(input.h_keys, values_for(input.h_keys.size()),
                                              buckets, options.block_size);
        std::vector<unsigned> lengths;
        const Verdict verdict = check_chains(table.heads, table.pool, input.h_keys, lengths);
        by_hand_holds = verdict.holds();
        std::printf("\nby hand, in one function:  %s%s\n",
                    by_hand_holds ? "" : "WRONG: ", verdict.detail.c_str());
    }
    const int status = finish(report, options);
    if (!written && status == EXIT_SUCCESS) {  // finish() has seen a right variant: a search
        throw FileError(options.output + ": not written, no chained table was built and right");
    }
    return by_hand_holds ? status : EXIT_FAILURE;
}

}  // namespace

int main(int argc, char** argv) {
    CommandLine line("hash_table",
                     "A hash table filled by all threads at once: a lock per bucket, and better.",
                     "hash_table --n 1M --buckets 1000 --distinct 50K", 256);
    HashOptions hash_options;
    line.add_n(on_cpu_device ? 1000000 : 26214400, "Number of keys", most_keys);
    line.add_random("Random keys; they are the default, this changes nothing");
    line.add_input("Keys from this file, one a line (0 to 4294967295)", {"--distinct"});
    line.add_output("Write each bucket's number and number of entries to this file");
    line.add_seed();
    line.add_size("--buckets", hash_options.buckets, "Number of chains", 1, std::uint64_t{1} << 30);
    line.add_size("--distinct", hash_options.distinct,
                  "Draw the random keys from at most this many different ones (0: from all)", 0,
                  most_keys);
    line.parse(argc, argv);
    return run_main([&] { return hash_table(line, hash_options); });
}
