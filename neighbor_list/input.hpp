// The atoms: the chapter's sheet, from a file of coordinates, or made up.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "../harness/files.hpp"
#include "../harness/inputs.hpp"
#include "graphene.hpp"

// Coordinates of atoms in angstrom.
template <typename T>
struct Atoms {
    std::vector<T> x;
    std::vector<T> y;
};

// The sheet of graphene that the chapter looks at.
template <typename T>
Atoms<T> graphene_sheet() {
    Atoms<T> atoms;
    for (const graphene::Atom& atom : graphene::make_sheet()) {
        atoms.x.push_back(static_cast<T>(static_cast<double>(atom.x) / graphene::angstrom));
        atoms.y.push_back(static_cast<T>(static_cast<double>(atom.y) / graphene::angstrom));
    }
    return atoms;
}

// Reads a file of two numbers per line, x and y; blank lines do not count. Throws a
// harness::FileError that names the line of anything else, also of a number that is not finite.
template <typename T>
Atoms<T> read_atoms(const std::string& path) {
    const std::vector<T> numbers = harness::read_columns<T>(path, 2, harness::Accept::finite);
    Atoms<T> atoms;
    for (std::size_t i = 0; i < numbers.size(); i += 2) {
        atoms.x.push_back(numbers[i]);
        atoms.y.push_back(numbers[i + 1]);
    }
    return atoms;
}

// The atoms of a file, or those of the chapter's sheet where the path is "".
template <typename T>
Atoms<T> read_atoms_or_sheet(const std::string& path) {
    return path.empty() ? graphene_sheet<T>() : read_atoms<T>(path);
}
inline std::string words_of_input(const std::string& path) {
    return path.empty() ? "atoms of a sheet of graphene" : "atoms from " + path;
}

// The same for a program without flags. Prints what is wrong, also more than max_atoms atoms, and
// ends the program with status 1.
template <typename T>
Atoms<T> atoms_or_exit(const std::string& path, std::size_t max_atoms) {
    try {
        Atoms<T> atoms = read_atoms_or_sheet<T>(path);
        if (atoms.x.size() > max_atoms) {
            throw harness::FileError(path + ": " + std::to_string(atoms.x.size()) +
                                     " atoms; expected at most " + std::to_string(max_atoms) +
                                     ", or --input FILE --variant cell_list");
        }
        return atoms;
    } catch (const harness::FileError& error) {
        std::fprintf(stderr, "error: %s\n", error.what());
        std::exit(EXIT_FAILURE);
    }
}

constexpr double graphene_bond = 1.42;  // angstrom
// Atoms per square angstrom: two in each rhombus of edge sqrt(3) * graphene_bond, whose area is
// sqrt(3) / 2 times the square of its edge.
constexpr double graphene_density =
    2 / (1.7320508075688772 / 2 * 3 * graphene_bond * graphene_bond);

// One perfect crystal of `n` atoms, about square: rows of zigzag chains, the lowest first. Each
// atom has three neighbors within 1.9 angstrom, at the edges fewer.
template <typename T>
Atoms<T> sheet(std::size_t n) {
    const double across = std::sqrt(3.0) * graphene_bond;  // from atom to atom in half a chain
    const double edge = std::sqrt(static_cast<double>(n) / graphene_density);
    const auto in_a_row = static_cast<std::size_t>(std::ceil(2 * edge / across)) + 1;
    Atoms<T> atoms;
    atoms.x.reserve(n);
    atoms.y.reserve(n);
    for (std::size_t i = 0; i < n; ++i) {
        const std::size_t chain = i / in_a_row;
        const std::size_t place = i % in_a_row;
        const bool up = (place + chain) % 2 == 1;  // the zigzag; chains mirror each other
        atoms.x.push_back(static_cast<T>(across / 2 * static_cast<double>(place)));
        atoms.y.push_back(static_cast<T>(1.5 * graphene_bond * static_cast<double>(chain) +
                                         (up ? graphene_bond / 2 : 0)));
    }
    return atoms;
}

// `n` random points in a square, as dense as graphene: 4.3 neighbors within 1.9 on average, and in
// a million some atom has 17.
template <typename T>
Atoms<T> random_atoms(std::size_t n, std::uint64_t seed) {
    const double edge = std::sqrt(static_cast<double>(n) / graphene_density);
    harness::Generator generator(seed);
    Atoms<T> atoms;
    atoms.x.reserve(n);
    atoms.y.reserve(n);
    for (std::size_t i = 0; i < n; ++i) {
        atoms.x.push_back(static_cast<T>(edge * harness::uniform(generator)));
        atoms.y.push_back(static_cast<T>(edge * harness::uniform(generator)));
    }
    return atoms;
}

// The same atoms in random order (Fisher and Yates): neighbors are then far apart in memory.
template <typename T>
void shuffle_atoms(Atoms<T>& atoms, std::uint64_t seed) {
    harness::Generator generator(seed);
    for (std::size_t i = atoms.x.size(); i > 1; --i) {
        const std::size_t j = harness::uniform_below(generator, i);
        std::swap(atoms.x[i - 1], atoms.x[j]);
        std::swap(atoms.y[i - 1], atoms.y[j]);
    }
}
