#include "harness/command_line.hpp"

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "common/messages.hpp"
#include "harness/files.hpp"
#include "harness/output_files.hpp"
#include "harness/place.hpp"

namespace harness {

CommandLine::CommandLine(const std::string& name, const std::string& description,
                         const std::string& example_call, int default_block_size)
    : Arguments(name, description, example_call) {
    options.block_size = default_block_size;
    add_flag("--list", options.list, "List the variants and end");
    add_flag("--table", options.table, "Show the table of the lesson's variants");
    add_flag("--all", options.all, "Show the variants of the record (folder fast/ or more/) too");
    add_flag("--small", options.small,
             "As few elements as the variants need, run once: for race mode");
    add_list("--variant", options.variants, "NAME",
             "Run only this variant (repeatable); wrong ones run only when asked for");
    add_number("--block", options.block_size, "THREADS",
               default_block_size > 0 ? "Threads a block"
                                      : "Threads a block (default: each variant's own choice)",
               1, 1024);
    add_number("--repeats", options.repeats, "COUNT",
               "Timed runs of each variant (default: at most 20, or about a second)", 1, 1000000);
    add_flag("--queued", options.queued,
             "Time the device alone: it begins when the host has queued all of a run");
    add_text("--json", options.json, "FILE", "Write the table with all samples to this file");
}

void CommandLine::add_n(std::uint64_t default_n, const std::string& description,
                        std::uint64_t max) {
    options.n = default_n;
    add_size("--n", options.n, description, 0, max);
}

void CommandLine::add_random(const std::string& description) {
    add_flag("--random", options.random, description);
}

void CommandLine::add_seed() {
    add_number("--seed", options.seed, "NUMBER", "Seed of the random content", 0,
               std::uint64_t{1} << 62);
}

void CommandLine::add_input(const std::string& description,
                            const std::vector<std::string>& made_up) {
    add_text("--input", options.input, "FILE", description);
    excludes("--input", {"--n", "--random"});
    excludes("--input", made_up);
}

void CommandLine::add_output(const std::string& description) {
    add_text("--output", options.output, "FILE", description);
}

void CommandLine::add_precision() {
    add_choice("--precision", options.precision, {"float", "double"}, "Type of the numbers");
}

void CommandLine::parse(int argc, const char* const* argv) {
    Arguments::parse(argc, argv);
    if (options.list) {
        return;
    }
    try {
        refuse_same_file("--output", options.output, "--json", options.json);
        refuse_same_file("--output", options.output, "--input", options.input);
        refuse_same_file("--json", options.json, "--input", options.input);
        if (given("--output")) {
            check_can_create(options.output);
        }
        if (given("--json")) {
            check_can_create(options.json);
        }
    } catch (const FileError& error) {
        std::fprintf(stderr, "error: %s\n", error.what());
        std::exit(EXIT_FAILURE);
    }
}

void CommandLine::refuse_same_file(const char* option, const std::string& path,
                                   const char* other_option, const std::string& other_path) const {
    if (!path.empty() && !other_path.empty() && same_file(path, other_path)) {
        fail(std::string(option) + " and " + other_option + " name the same file, " +
             common::visible(path) + "; expected two files");
    }
}

}  // namespace harness
