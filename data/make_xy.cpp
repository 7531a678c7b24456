// Writes a sheet of polycrystalline graphene: make_xy --seed 1 --size 240 --grains 8 > xy.txt
//
// Exit status: 0 written; 1 the sheet does not hold what it promises, or it cannot be written;
// 2 the command line is wrong. Host code only: g++ -std=c++17 -O2 -I. data/make_xy.cpp -o make_xy
#include <cstdio>
#include <exception>
#include <limits>
#include <string>

#include "data/facts.hpp"
#include "data/graphene.hpp"
#include "harness/arguments.hpp"
#include "harness/output_files.hpp"

namespace {

// Makes the sheet and writes it; the exit status.
int make(const graphene::Options& options, const std::string& output) {
    if (!output.empty()) {
        harness::check_can_create(output);  // before the work
    }
    const graphene::Sheet sheet = graphene::make_sheet(options);
    const graphene::Facts facts = graphene::examine(sheet);
    std::fputs(graphene::describe(sheet, facts).c_str(), stderr);
    for (const std::string& words : facts.not_holding) {
        std::fprintf(stderr, "make_xy: %s\n", words.c_str());
    }
    if (!facts.not_holding.empty()) {
        return 1;
    }
    const std::string text = graphene::to_text(sheet.atoms);
    if (output.empty()) {
        std::fwrite(text.data(), 1, text.size(), stdout);  // an error shows when the program ends
    } else {
        harness::write_file(output, [&](std::ostream& out) { out << text; });
    }
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    graphene::Options options;
    std::string output;
    harness::Arguments line(
        "make_xy",
        "Makes a sheet of polycrystalline graphene: a line \"x y\" in angstrom for each atom.",
        "make_xy --size 1700 --grains 400 --shuffle --output million.txt");
    line.add_number("--seed", options.seed, "NUMBER", "of the random numbers", 0,
                    std::numeric_limits<std::uint64_t>::max());
    line.add_real("--size", options.size, "LENGTH", "edge of the square sheet in angstrom",
                  graphene::min_size, graphene::max_size);
    line.add_number("--grains", options.grains, "COUNT", "number of grains", 1,
                    graphene::max_grains);
    line.add_flag("--shuffle", options.shuffle, "the same atoms in random order");
    line.add_text("--output", output, "FILE", "file to write instead of the standard output");
    line.parse(argc, argv);

    try {
        return make(options, output);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "make_xy: %s\n", error.what());
        return 1;
    }
}
