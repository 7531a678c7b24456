// The command line that all examples share: one name, one meaning, one error behaviour. A wrong
// command line ends the program with status 2 and a message; --help ends it with 0.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

constexpr int exit_wrong_command_line = 2;

struct Options {
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
class CommandLine {
  public:
    // `example_call` is a command that works, shown at the end of --help. `default_block_size` 0:
    // each variant has its own.
    CommandLine(const std::string& name, const std::string& description,
                const std::string& example_call, int default_block_size)
        : app_(description, name) {
        options.block_size = default_block_size;
        app_.footer("Example:\n  " + example_call);
        app_.add_flag("--list", options.list, "List the variants and end");
        app_.add_option("--variant", options.variants,
                        "Run only this variant (repeatable); wrong ones run only when asked for")
            ->allow_extra_args(false)
            ->type_name("NAME");
        CLI::Option* block = app_.add_option(
            "--block", options.block_size, "Threads a block (default: each variant's own choice)");
        block->check(CLI::Range(1, 1024))->type_name("THREADS");
        if (default_block_size > 0) {
            block->description("Threads a block")->capture_default_str();
        }
        app_.add_option("--repeats", options.repeats,
                        "Timed runs of each variant (default: at most 20, or about a second)")
            ->check(CLI::Range(1, 1000000))
            ->type_name("COUNT");
        app_.add_flag("--queued", options.queued,
                      "Time the device alone: it begins when the host has queued all of a run");
        app_.add_option("--json", options.json, "Write the table with all samples to this file")
            ->type_name("FILE");
    }

    // --n SIZE. Suffixes K, M, G are decimal, Ki, Mi, Gi binary.
    void add_n(std::uint64_t default_n, const std::string& description,
               std::uint64_t most = std::uint64_t{1} << 36) {
        options.n = default_n;
        add_size("--n", options.n, description, 0, most);
    }

    // Any other count with the same suffixes, between `least` and `most`.
    void add_size(const std::string& name, std::uint64_t& value, const std::string& description,
                  std::uint64_t least, std::uint64_t most) {
        const auto to_number = [](std::string& text) -> std::string {
            try {
                std::string number = text;  // on its way to an error it loses its unit
                const std::string error = CLI::AsSizeValue(true)(number);
                text = number;
                return error;
            } catch (const CLI::ValidationError&) {
                return "'" + text +
                       "' is no size; expected a whole number, if wanted with K, M or " +
                       "G (thousands), Ki, Mi or Gi (1024s)";
            }
        };
        // Range looks at the number that to_number made of the text; without it a negative size
        // would wrap around to a huge one.
        app_.add_option(name, value, description)
            ->transform(CLI::Validator(to_number, ""))
            ->check(CLI::Range(least, most))
            ->default_str(std::to_string(value))
            ->type_name("SIZE");
    }

    void add_random(const std::string& description) {
        app_.add_flag("--random", options.random, description);
    }
    void add_seed() {
        app_.add_option("--seed", options.seed, "Seed of the random content")
            ->check(CLI::Range(std::uint64_t{0}, std::uint64_t{1} << 62))
            ->capture_default_str()
            ->type_name("NUMBER");
    }
    // `made_up`: options beside --n and --random that describe input which the program makes up.
    void add_input(const std::string& description, const std::vector<std::string>& made_up = {}) {
        app_.add_option("--input", options.input, description)->type_name("FILE");
        made_up_.insert(made_up_.end(), made_up.begin(), made_up.end());
    }
    void add_output(const std::string& description, const std::string& default_path = "") {
        options.output = default_path;
        app_.add_option("--output", options.output, description)
            ->default_str(default_path)
            ->type_name("FILE");
    }
    void add_precision() {
        app_.add_option("--precision", options.precision, "Type of the numbers")
            ->check(CLI::IsMember({"float", "double"}))
            ->capture_default_str()
            ->type_name("float|double");
    }

    // For options that only one example has.
    CLI::App& app() { return app_; }

    // Was this option given?
    bool given(const std::string& name) const { return app_.count(name) > 0; }

    // Reads the arguments into `options`, or ends the program. Input from a file has its own length
    // and content: --n and its like would be ignored, so they are refused.
    void parse(int argc, char** argv) {
        if (CLI::Option* const input = app_.get_option_no_throw("--input")) {
            for (const std::string& made_up : made_up_) {
                if (CLI::Option* const option = app_.get_option_no_throw(made_up)) {
                    input->excludes(option);
                }
            }
        }
        try {
            app_.parse(argc, argv);
        } catch (const CLI::ParseError& error) {
            const int status = app_.exit(error);
            std::exit(status == 0 ? EXIT_SUCCESS : exit_wrong_command_line);
        }
    }

    // Ends the program as for any other wrong command line.
    [[noreturn]] void fail(const std::string& message) const {
        std::fprintf(stderr, "%s\nRun with --help for more information.\n", message.c_str());
        std::exit(exit_wrong_command_line);
    }

    Options options;

  private:
    CLI::App app_;
    std::vector<std::string> made_up_{"--n", "--random"};
};
