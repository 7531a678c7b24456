// What the program does when it gets flags: the table of variants, by the harness.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "common/device.cuh"
#include "harness/command_line.hpp"
#include "harness/harness.cuh"
#include "neighbor_list/input.hpp"
#include "neighbor_list/problem.cuh"
#include "neighbor_list/variants.cuh"

struct NeighborOptions {
    double cutoff = 1.9;
    std::uint64_t max_neighbors = 10;
    bool shuffle = false;
};

// The problem that the command line describes. Sets line.options.n.
template <typename T>
std::unique_ptr<NeighborProblem<T>> make_neighbor_problem(harness::CommandLine& line,
                                                          const NeighborOptions& own) {
    harness::Options& options = line.options;
    const std::string with_seed = " seed " + std::to_string(options.seed);
    std::uint64_t max_neighbors = own.max_neighbors;
    Atoms<T> atoms;
    std::string words;
    if (options.random) {
        atoms = random_atoms<T>(options.n, options.seed);
        words = " random points as dense as graphene," + with_seed;
        // Random points crowd, atoms of a sheet do not.
        max_neighbors = line.given("--max-neighbors") ? max_neighbors : 32;
    } else if (line.given("--n")) {
        atoms = sheet<T>(options.n);
        words = " atoms of a perfect sheet";
    } else {
        const std::string path = options.input.empty() ? default_input() : options.input;
        atoms = read_atoms<T>(path);
        words = " atoms from " + path;
    }
    options.n = atoms.x.size();
    words = std::to_string(options.n) + words;
    if (own.shuffle) {
        shuffle_atoms(atoms, options.seed);
        words += ", shuffled with" + with_seed;
    }
    words += harness::format(" (%s), cutoff %g, at most %llu neighbours", options.precision.c_str(),
                             own.cutoff, static_cast<unsigned long long>(max_neighbors));
    return std::make_unique<NeighborProblem<T>>(std::move(atoms), static_cast<T>(own.cutoff),
                                                static_cast<int>(max_neighbors), words);
}

inline int run_with_flags(int argc, char** argv) {
    harness::CommandLine line(
        "neighbor_list", "Which atoms are within the cutoff of each other.",
        "neighbor_list --input data/xy.txt --output neighbor.txt --precision double");
    NeighborOptions own;
    line.add_n(common::on_cpu_device ? 20000 : 1000000,
               "Make a perfect sheet of this many atoms, read no file", max_atoms);
    line.hide_default("--n");  // it is not used where a file is read
    line.add_random("Random points instead of a sheet or file; then at most 32 neighbours");
    line.add_input("File of atoms, x and y per line in angstrom (default: data/xy.txt)");
    line.add_output("Write the neighbours to this file");
    line.add_seed();
    line.add_precision();
    line.add_real("--cutoff", own.cutoff, "LENGTH",  // its square must fit a float
                  "Neighbours are closer than this, in angstrom", 1e-15, 1e15);
    line.add_size("--max-neighbors", own.max_neighbors, "Room for so many neighbours per atom", 1,
                  1 << 20);
    line.add_flag("--shuffle", own.shuffle, "Put the atoms in random order");
    line.parse(argc, argv, default_input());
    return harness::run_main([&] {
        return line.options.precision == "double"
                   ? run_example(line, neighbor_variants<double>(),
                                 [&] { return make_neighbor_problem<double>(line, own); })
                   : run_example(line, neighbor_variants<float>(),
                                 [&] { return make_neighbor_problem<float>(line, own); });
    });
}
