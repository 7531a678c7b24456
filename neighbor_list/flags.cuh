// What the program does when it gets flags: the table of variants, by the harness.
#pragma once

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <ostream>
#include <string>
#include <utility>

#include "common/device.cuh"
#include "common/messages.hpp"
#include "harness/command_line.hpp"
#include "harness/harness.cuh"
#include "harness/output_files.hpp"
#include "neighbor_list/input.hpp"
#include "neighbor_list/problem.cuh"
#include "neighbor_list/variants.cuh"

struct NeighborOptions {
    double cutoff = 1.9;
    std::uint64_t max_neighbors = 10;
    bool shuffle = false;
    std::string write_atoms;  // the file to write them to, instead of a run
};

// The atoms that the command line describes. Sets line.options.n, and `words` to what they are.
template <typename T>
Atoms<T> make_atoms(harness::CommandLine& line, const NeighborOptions& own, std::string& words) {
    harness::Options& options = line.options;
    const std::string with_seed = " seed " + std::to_string(options.seed);
    Atoms<T> atoms;
    if (options.random) {
        atoms = random_atoms<T>(options.n, options.seed);
        words = "random points as dense as graphene," + with_seed;
    } else if (line.given("--n")) {
        atoms = sheet<T>(options.n);
        words = "atoms of a perfect sheet";
    } else {
        atoms = read_atoms_or_sheet<T>(options.input);
        words = words_of_input(options.input);
    }
    options.n = atoms.x.size();
    words = std::to_string(options.n) + " " + words;
    if (own.shuffle) {
        shuffle_atoms(atoms, options.seed);
        words += ", shuffled with" + with_seed;
    }
    return atoms;
}

// Writes the atoms in place of a run, each number with as many digits as its type needs; the exit
// status.
template <typename T>
int write_atoms(harness::CommandLine& line, const NeighborOptions& own) {
    std::string words;
    const Atoms<T> atoms = make_atoms<T>(line, own, words);
    harness::write_file(own.write_atoms, [&](std::ostream& out) {
        for (std::size_t i = 0; i < atoms.x.size(); ++i) {
            char text[64];
            char* end = std::to_chars(text, text + 31, atoms.x[i]).ptr;
            *end++ = ' ';
            end = std::to_chars(end, text + 63, atoms.y[i]).ptr;
            *end++ = '\n';
            out.write(text, end - text);
        }
    });
    std::printf("%s: %s\n", common::visible(own.write_atoms).c_str(), words.c_str());
    return EXIT_SUCCESS;
}

// The problem that the command line describes.
template <typename T>
std::unique_ptr<NeighborProblem<T>> make_neighbor_problem(harness::CommandLine& line,
                                                          const NeighborOptions& own) {
    harness::Options& options = line.options;
    std::string words;
    Atoms<T> atoms = make_atoms<T>(line, own, words);
    // Random points crowd, atoms of a sheet do not.
    const std::uint64_t max_neighbors =
        options.random && !line.given("--max-neighbors") ? 32 : own.max_neighbors;
    words += harness::format(" (%s), cutoff %g, at most %llu neighbors", options.precision.c_str(),
                             own.cutoff, static_cast<unsigned long long>(max_neighbors));
    return std::make_unique<NeighborProblem<T>>(std::move(atoms), static_cast<T>(own.cutoff),
                                                static_cast<int>(max_neighbors), words);
}

inline int run_with_flags(int argc, char** argv) {
    harness::CommandLine line(
        "neighbor_list", "Which atoms are within the cutoff of each other.",
        "neighbor_list --input atoms.txt --output neighbor.txt --precision double");
    NeighborOptions own;
    line.add_n(common::on_cpu_device ? 20000 : 1000000, "Make a perfect sheet of this many atoms",
               max_atoms);
    line.hide_default("--n");  // by itself the program takes the chapter's sheet
    line.add_random("Random points instead of a sheet or file; then at most 32 neighbors");
    line.add_input("File of atoms, x and y per line in angstrom (default: a sheet of graphene)");
    line.add_output("Write the neighbors to this file");
    line.add_seed();
    line.add_precision();
    line.add_real("--cutoff", own.cutoff, "LENGTH",  // its square must fit a float
                  "Neighbors are closer than this, in angstrom", 1e-15, 1e15);
    line.add_size("--max-neighbors", own.max_neighbors, "Room for so many neighbors per atom", 1,
                  1 << 20);
    line.add_flag("--shuffle", own.shuffle, "Put the atoms in random order");
    line.add_text("--write-atoms", own.write_atoms, "FILE",
                  "Write the atoms to this file, x and y per line, and end");
    line.excludes("--write-atoms", {"--input", "--output", "--json"});
    line.parse(argc, argv);
    return harness::run_main([&] {
        if (line.given("--write-atoms")) {
            return line.options.precision == "double" ? write_atoms<double>(line, own)
                                                      : write_atoms<float>(line, own);
        }
        return line.options.precision == "double"
                   ? run_example(line, neighbor_variants<double>(),
                                 [&] { return make_neighbor_problem<double>(line, own); })
                   : run_example(line, neighbor_variants<float>(),
                                 [&] { return make_neighbor_problem<float>(line, own); });
    });
}
