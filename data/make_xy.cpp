// Writes a sheet of polycrystalline graphene: make_xy --seed 1 --size 240 --grains 8 > xy.txt
//
// Exit status: 0 written; 1 the sheet does not hold what it promises, or it cannot be written;
// 2 the command line is wrong. Host code only: g++ -std=c++17 -O2 data/make_xy.cpp -o make_xy
#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <string>

#include "graphene.hpp"

namespace {

// Writes all of text to the file, or to the standard output if path is empty. A full disk shows
// only when the last buffer is flushed, so closing is checked too.
bool write(const std::string& path, const std::string& text) {
    std::FILE* file = path.empty() ? stdout : std::fopen(path.c_str(), "wb");
    if (file == nullptr) {
        return false;
    }
    const bool written = std::fwrite(text.data(), 1, text.size(), file) == text.size();
    return (std::fclose(file) == 0) && written;
}

// The whole range of 64 bits in decimal, and nothing else. CLI11 by itself turns -1 into
// 18446744073709551615 and takes a number past the range for the largest.
std::string check_seed(const std::string& text) {
    const std::string largest = "18446744073709551615";
    const bool plain = !text.empty() && text.find_first_not_of("0123456789") == std::string::npos &&
                       (text[0] != '0' || text == "0");
    if (plain &&
        (text.size() < largest.size() || (text.size() == largest.size() && text <= largest))) {
        return "";  // which is how CLI11 is told that all is well
    }
    return "'" + text + "' is not a whole number from 0 to " + largest;
}

}  // namespace

int main(int argc, char** argv) {
    graphene::Options options;
    std::string output;
    CLI::App app{
        "Makes a sheet of polycrystalline graphene: a line \"x y\" in angstrom for each atom.\n"
        "Example: make_xy --size 1700 --grains 400 --shuffle --output million.txt"};
    app.option_defaults()->always_capture_default();
    app.add_option("--seed", options.seed, "of the random numbers")->check(check_seed);
    app.add_option("--size", options.size, "edge of the square sheet in angstrom")
        ->check(CLI::Range(graphene::min_size, graphene::max_size));
    app.add_option("--grains", options.grains, "number of grains")
        ->check(CLI::Range(1, graphene::max_grains));
    app.add_flag("--shuffle", options.shuffle, "the same atoms in random order");
    app.add_option("--output", output, "file to write instead of the standard output");
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& e) {
        return app.exit(e) == 0 ? 0 : 2;
    }

    graphene::Sheet sheet;
    try {
        sheet = graphene::make_sheet(options);
    } catch (const std::invalid_argument& e) {  // nan, which is neither below nor above a range
        std::fprintf(stderr, "make_xy: %s\n", e.what());
        return 2;
    }
    const graphene::Facts facts = graphene::examine(sheet);
    std::fputs(graphene::describe(sheet, facts).c_str(), stderr);
    for (const std::string& words : facts.not_holding) {
        std::fprintf(stderr, "make_xy: %s\n", words.c_str());
    }
    if (!facts.not_holding.empty()) {
        return 1;
    }
    if (!write(output, graphene::to_text(sheet.atoms))) {
        std::fprintf(stderr, "make_xy: cannot write %s: %s\n",
                     output.empty() ? "the standard output" : output.c_str(), std::strerror(errno));
        return 1;
    }
    return 0;
}
