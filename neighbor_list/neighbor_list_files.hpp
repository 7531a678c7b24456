// What the neighbour list is made from and where it goes: the file of coordinates, made-up sheets,
// and the file of neighbours.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "common/files.hpp"
#include "common/inputs.hpp"
#include "neighbor_list/neighbor_list_cpu.hpp"

// Coordinates of N atoms in angstrom.
template <typename T>
struct Atoms {
    std::vector<T> x;
    std::vector<T> y;
};

// Reads a file of two numbers a line, x and y; blank lines do not count. Anything else is a
// FileError that names the line, and so is a coordinate that is not finite.
template <typename T>
Atoms<T> read_atoms(const std::string& path) {
    const std::vector<T> numbers = read_columns<T>(path, 2, Accept::finite);
    Atoms<T> atoms;
    for (std::size_t i = 0; i < numbers.size(); i += 2) {
        atoms.x.push_back(numbers[i]);
        atoms.y.push_back(numbers[i + 1]);
    }
    return atoms;
}

// Atoms per square angstrom of graphene with bonds of 1.42 angstrom: two in each rhombus of edge
// sqrt(3) * 1.42.
constexpr double graphene_bond = 1.42;
constexpr double graphene_density = 0.38178;

// One perfect crystal of `n` atoms, about square: rows of zigzag chains, the lowest first. Each
// atom has three neighbours within 1.9 angstrom, at the edges fewer.
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

// `n` random points in a square, as dense as graphene: 4.3 neighbours within 1.9 on average, and in
// a million some atom has 17.
template <typename T>
Atoms<T> random_atoms(std::size_t n, std::uint64_t seed) {
    const double edge = std::sqrt(static_cast<double>(n) / graphene_density);
    Generator generator(seed);
    Atoms<T> atoms;
    atoms.x.reserve(n);
    atoms.y.reserve(n);
    for (std::size_t i = 0; i < n; ++i) {
        atoms.x.push_back(static_cast<T>(edge * uniform(generator)));
        atoms.y.push_back(static_cast<T>(edge * uniform(generator)));
    }
    return atoms;
}

// The same atoms in random order (Fisher and Yates): neighbours are then far apart in memory.
template <typename T>
void shuffle_atoms(Atoms<T>& atoms, std::uint64_t seed) {
    Generator generator(seed);
    for (std::size_t i = atoms.x.size(); i > 1; --i) {
        const std::size_t j = uniform_below(generator, i);
        std::swap(atoms.x[i - 1], atoms.x[j]);
        std::swap(atoms.y[i - 1], atoms.y[j]);
    }
}

// Writes the list: a line for each atom, how many neighbours it has, then MN entries: their numbers
// and "NaN" for the rest, with single blanks between. Where an atom has more than MN neighbours it
// throws a FileError that says which and how many, and leaves the file as it was.
inline void write_neighbors(const std::string& path, const NeighborList& list) {
    const std::string lack = lack_of_room(list);
    if (!lack.empty()) {
        throw FileError(path + ": not written: " + lack);
    }
    write_file(path, [&](std::ostream& out) {
        std::string line;
        for (std::size_t n = 0; n < list.NN.size(); ++n) {
            line = std::to_string(list.NN[n]);
            for (int k = 0; k < list.MN; ++k) {
                line += k < list.NN[n] ? " " + std::to_string(list.NL[n * list.MN + k]) : " NaN";
            }
            line += '\n';
            out << line;
        }
    });
}
