// Which atoms are within the cutoff of each other. See README.md beside this file.
//
//     nvcc -O3 -std=c++17 -arch=native -I. neighbor_list/neighbor_list.cu -o neighbor_list_example
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <map>
#include <numeric>
#include <string>
#include <vector>

#include "common/command_line.hpp"
#include "common/harness.cuh"
#include "neighbor_list/neighbor_list_files.hpp"
#include "neighbor_list/neighbor_list_variants.cuh"

namespace {

struct NeighborOptions {
    double cutoff = 1.9;
    std::uint64_t max_neighbors = 10;
    bool shuffle = false;
};

// The sheet that comes with the project: below the current directory, which is the project's root
// for a program built by hand, else where CMake says that the project is.
std::string default_input() {
    std::string path = "data/xy.txt";
#ifdef PROJECT_SOURCE_DIR_STRING
    if (!std::filesystem::exists(path)) {
        path = PROJECT_SOURCE_DIR_STRING "/" + path;
    }
#endif
    return path;
}

// The atoms that the command line asks for, and what they are in words.
template <typename T>
Atoms<T> make_atoms(const CommandLine& line, const NeighborOptions& own, std::string* words) {
    const Options& options = line.options;
    const auto seed = static_cast<unsigned long long>(options.seed);
    Atoms<T> atoms;
    if (options.random) {
        atoms = random_atoms<T>(options.n, options.seed);
        *words = format("%zu random points as dense as graphene, seed %llu", atoms.x.size(), seed);
    } else if (line.given("--n")) {
        atoms = sheet<T>(options.n);
        *words = format("a sheet of %zu atoms", atoms.x.size());
    } else {
        const std::string path = options.input.empty() ? default_input() : options.input;
        atoms = read_atoms<T>(path);
        *words = format("%zu atoms from %s", atoms.x.size(), path.c_str());
    }
    if (own.shuffle) {
        shuffle_atoms(atoms, options.seed);
        *words += format(", shuffled with seed %llu", seed);
    }
    *words += format(" (%s), cutoff %g, at most %llu neighbours", options.precision.c_str(),
                     own.cutoff, static_cast<unsigned long long>(own.max_neighbors));
    return atoms;
}

std::size_t pairs_in(const NeighborList& list) {
    return std::accumulate(list.NN.begin(), list.NN.end(), std::size_t{0}) / 2;
}

// How many atoms have how many neighbours.
void print_counts(const NeighborList& list) {
    std::map<int, std::size_t> atoms_with;
    for (const int count : list.NN) {
        ++atoms_with[count];
    }
    std::printf("\npairs of neighbours: %zu\n", pairs_in(list));
    for (const auto& [count, atoms] : atoms_with) {
        std::printf("atoms with %d: %zu\n", count, atoms);
    }
}

template <typename T>
int find_neighbors(const CommandLine& line, const NeighborOptions& own) {
    Options options = line.options;
    if (options.list) {
        print_list(neighbor_variants<T>());
        return EXIT_SUCCESS;
    }
    const auto variants = select(neighbor_variants<T>(), line);
    static_cast<void>(device_properties());  // without a GPU, say so before reading the input

    std::string input;
    const Atoms<T> atoms = make_atoms<T>(line, own, &input);
    options.n = atoms.x.size();
    const auto cutoff = static_cast<T>(own.cutoff);
    const auto MN = static_cast<int>(own.max_neighbors);
    NeighborProblem<T> problem(atoms.x, atoms.y, cutoff, MN, options.block_size);

    // Every right variant finds the same list, so the first one's is written. Made-up atoms and
    // wrong variants leave a file only where one is asked for.
    Options to_write = options;
    const bool has_right = std::any_of(variants.begin(), variants.end(),
                                       [](const auto& variant) { return is_right(variant.kind); });
    if ((options.random || line.given("--n") || !has_right) && !line.given("--output")) {
        to_write.output.clear();
    }
    const std::string& output = to_write.output;
    bool kept = false;
    const Report report =
        run_table(variants, problem, "neighbor_list", input, to_write, [&](const Row&) {
            if (!output.empty() && !kept) {
                write_neighbors(output, problem.result());
                kept = true;
            }
        });
    print_counts(problem.reference());
    if (options.variants.empty() && unavailable_beyond_all_pairs(problem).empty()) {
        const NeighborList by_hand =
            neighbors_by_hand(atoms.x, atoms.y, cutoff, MN, options.block_size);
        std::printf("pairs found by hand, in one function: %zu\n", pairs_in(by_hand));
    }
    if (kept) {
        std::printf("written: %s\n", output.c_str());
    }
    return finish(report, to_write);
}

}  // namespace

int main(int argc, char** argv) {
    CommandLine line("neighbor_list", "Which atoms are within the cutoff of each other.",
                     "neighbor_list --input data/xy.txt --output neighbor.txt --precision double",
                     128);
    NeighborOptions own;
    line.add_n(on_cpu_device ? 20000 : 1000000, "Make a sheet of this many atoms, read no file",
               most_atoms);
    line.app().get_option("--n")->default_str("");  // counts only where atoms are made up
    line.add_random("Random points instead of a sheet or file; then at most 32 neighbours");
    line.add_input("File of atoms, x and y a line in angstrom (default: data/xy.txt)");
    line.add_output("File for the neighbours; not written for --n and --random unless given",
                    "neighbor.txt");
    line.add_seed();
    line.add_precision();
    line.app()
        .add_option("--cutoff", own.cutoff, "Neighbours are closer than this, in angstrom")
        ->capture_default_str()
        ->type_name("LENGTH");
    line.add_size("--max-neighbors", own.max_neighbors, "Room for so many neighbours of each atom",
                  1, 1 << 20);
    line.app().add_flag("--shuffle", own.shuffle, "Put the atoms in random order");
    line.parse(argc, argv);
    if (!(own.cutoff >= 1e-15 && own.cutoff <= 1e15)) {  // its square must fit a float; NaN fails
        line.fail("--cutoff: expected a length from 1e-15 to 1e15 angstrom");
    }
    if (line.options.random && !line.given("--max-neighbors")) {
        own.max_neighbors = 32;  // random points crowd, atoms of a sheet do not
    }
    return run_main([&] {
        return line.options.precision == "double" ? find_neighbors<double>(line, own)
                                                  : find_neighbors<float>(line, own);
    });
}
