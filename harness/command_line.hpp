// The command line that all examples share: one name, one meaning, one error behaviour.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "harness/arguments.hpp"

namespace harness {

struct Options {
    bool table = false;                 // --table: no more than that there is a flag
    bool all = false;                   // --all: the variants of the record too
    bool small = false;                 // --small: the sizes of race mode
    bool list = false;                  // --list: print the table of variants and end
    std::vector<std::string> variants;  // --variant, repeatable; empty: all right ones
    std::uint64_t n = 0;                // --n: number of elements
    bool random = false;                // --random: random content, not the chapter's constants
    std::string input;                  // --input: file to read instead
    std::string output;                 // --output: file to write the result to
    std::uint64_t seed = 1;             // --seed of what is random
    int block_size = 0;                 // --block: threads a block; 0: each variant's own choice
    int repeats = 0;                    // --repeats: timed runs of each variant; 0: by time
    bool queued = false;                // --queued: time the device alone, see timer.cuh
    std::string precision = "float";    // --precision float|double
    std::string json;                   // --json: file to write the table to
};

// An example's command line. Construct it, add the options that the example has, then parse().
class CommandLine : public Arguments {
  public:
    // `default_block_size` 0: each variant has its own.
    CommandLine(const std::string& name, const std::string& description,
                const std::string& example_call, int default_block_size = 0);

    void add_n(std::uint64_t default_n, const std::string& description,
               std::uint64_t max = std::uint64_t{1} << 36);
    void add_random(const std::string& description);
    void add_seed();
    // Input from a file has its own length and content: --n, --random and the options `made_up`,
    // which describe input that the program makes up, would be ignored, so they are refused.
    void add_input(const std::string& description, const std::vector<std::string>& made_up = {});
    void add_output(const std::string& description);
    void add_precision();

    // Reads the arguments into `options`, or ends the program.
    void parse(int argc, const char* const* argv);

    Options options;

  private:
    // No file is written twice, and none is read and then replaced.
    void refuse_same_file(const char* option, const std::string& path, const char* other_option,
                          const std::string& other_path) const;
};

}  // namespace harness
