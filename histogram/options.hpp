// histogram's own options: what to count and what to show. main adds, checks and uses them.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "common/check.hpp"
#include "common/command_line.hpp"
#include "common/files.hpp"
#include "histogram/content.hpp"
#include "histogram/histogram_cpu.hpp"

struct HistogramOptions {
    int bins = byte_values;
    std::string content = "random";
    double contention = 0;
    bool letters = false;
    bool sweep = false;
};

inline void add_options(CommandLine& line, HistogramOptions& own) {
    CLI::App& app = line.app();
    app.add_option("--bins", own.bins, "Bins: values from this one on are not counted")
        ->check(CLI::Range(1, byte_values))
        ->capture_default_str()
        ->type_name("COUNT");
    app.add_option("--content", own.content, "What the bytes are")
        ->check(CLI::IsMember({"random", "equal", "alternating", "text"}))
        ->capture_default_str()
        ->type_name("random|equal|alternating|text");
    app.add_option("--contention", own.contention,
                   "Share of the random bytes that are one value: 0 uniform, 1 all equal")
        ->check(CLI::Range(0.0, 1.0))
        ->capture_default_str()
        ->type_name("SHARE");
    app.add_flag("--letters", own.letters, "Show the letters of the text as bars");
    app.add_flag("--sweep", own.sweep, "Then vary the number of blocks");
}

// What no single option can see.
inline void check_combination(const CommandLine& line, const HistogramOptions& own) {
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
        line.fail(format("--letters: %d bins do not reach 'z'; expected --bins %d or more",
                         own.bins, bins_for_letters));
    }
}

// The bytes that the command line asks for, and what they are in words.
inline std::vector<unsigned char> make_input(const Options& options, const HistogramOptions& own,
                                             std::string& words) {
    const std::size_t n = options.n;
    const std::string seed = ", seed " + std::to_string(options.seed);
    if (!options.input.empty()) {
        std::vector<unsigned char> bytes = read_bytes(options.input);
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
        words += format(", contention %g", own.contention);
    }
    return contended_bytes(n, own.contention, options.seed);
}
