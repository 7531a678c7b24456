// What ghost_bins cuts the atoms into: square bins of cells, and tiles of the input. The kernels
// are in ghost_bins.cuh.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/device.cuh"
#include "common/shared_memory.cuh"
#include "neighbor_list/cell_grid.hpp"

// --- bins ---------------------------------------------------------------------------------------

// An atom's copy in a bin, 16 or 32 bytes.
template <typename T>
struct alignas(4 * sizeof(T)) BinAtom {
    int n;
    unsigned slot;  // in shared memory: where it came from
    T x;
    T y;
};

// What was found for an atom. It replaces the atom's copy in its own bin. There is room for three
// neighbors; further ones are written straight to the list.
template <typename T>
struct alignas(4 * sizeof(T)) BinFound {
    static constexpr int room = 3;
    int marked_count;  // ~count: negative, where BinAtom has a number that is not
    int neighbors[room];
};

// Both begin with an int, which may be read to learn which one it is.
template <typename T>
union BinSlot {
    BinAtom<T> atom;
    BinFound<T> found;
};

// Atoms that a bin has room for in shared memory, the ghost atoms around it included.
template <typename T>
constexpr unsigned bin_capacity = 48 * 1024 / sizeof(BinAtom<T>);

// Bins of edge * edge cells, numbered row by row.
template <typename T>
struct BinGrid {
    CellGrid<T> grid;
    unsigned edge = 2;        // at least 2: a cell is then at no more than one end of its bin
    unsigned reciprocal = 0;  // 2^32 / edge, rounded down, plus 1
    unsigned columns = 1;
    unsigned rows = 1;

    __host__ __device__ unsigned bins() const { return columns * rows; }
    // Cells along the edge of a bin and its ghost cells, one on each side.
    __host__ __device__ unsigned cells_along() const { return edge + 2; }
    // cell / edge, by a multiplication; exact for cell * edge < 2^32.
    __host__ __device__ unsigned bin_of(unsigned cell) const {
        return static_cast<unsigned>(std::uint64_t{cell} * reciprocal >> 32);
    }
};

// The bin of an atom, and the bins in which it is a ghost atom: none; one to the side; one above or
// below; or both of these and the one across the corner.
template <typename T>
struct BinPlace {
    __device__ BinPlace(const BinGrid<T>& bins, T x, T y) {
        const auto column = static_cast<unsigned>(bins.grid.column(x));
        const auto row = static_cast<unsigned>(bins.grid.row(y));
        const unsigned bin_column = bins.bin_of(column);
        const unsigned bin_row = bins.bin_of(row);
        bin = bin_row * bins.columns + bin_column;
        to_side = neighbor(column - bin_column * bins.edge, bins.edge, bin_column, bins.columns);
        to_row = neighbor(row - bin_row * bins.edge, bins.edge, bin_row, bins.rows) *
                 static_cast<int>(bins.columns);
    }
    __device__ bool has_ghosts() const { return to_side != 0 || to_row != 0; }
    // Calls visit(bin) for each bin in which the atom is a ghost atom.
    template <typename Visit>
    __device__ void for_each_ghost(Visit visit) const {
        if (to_side != 0) {
            visit(bin + to_side);
        }
        if (to_row != 0) {
            visit(bin + to_row);
        }
        if (to_side != 0 && to_row != 0) {
            visit(bin + to_side + to_row);
        }
    }

    unsigned bin;
    int to_side;  // from the number of its bin to that of the bin at its side, or 0
    int to_row;   // to that of the bin above or below, or 0

  private:
    // Cell number `inside` of a bin touches the bin before it (-1), after it (1) or none (0).
    __device__ static int neighbor(unsigned inside, unsigned edge, unsigned bin,
                                   unsigned bins_along) {
        return inside == 0 && bin > 0 ? -1 : inside == edge - 1 && bin + 1 < bins_along ? 1 : 0;
    }
};

// Copies of an atom in the corner of a bin: no atom has more.
constexpr unsigned max_copies = 4;

// Bins of edge x edge cells; edge is at least 2.
template <typename T>
BinGrid<T> bins_of_edge(const CellGrid<T>& grid, unsigned edge) {
    BinGrid<T> bins;
    bins.grid = grid;
    bins.edge = edge;
    bins.reciprocal = static_cast<unsigned>((std::uint64_t{1} << 32) / edge + 1);
    bins.columns = (grid.columns + edge - 1) / edge;
    bins.rows = (grid.rows + edge - 1) / edge;
    return bins;
}

// Bins with about four fifths of bin_capacity atoms each. The density is that around nine of ten
// atoms, not the average over the box, which may be mostly empty. A simulation knows it beforehand,
// like the box. Denser bins cost time, never the result.
template <typename T>
BinGrid<T> make_bin_grid(const CellGrid<T>& grid, const std::vector<T>& x,
                         const std::vector<T>& y) {
    constexpr std::size_t block = 16;  // the density is taken from squares of so many cells
    constexpr double filled = 0.82;
    constexpr double max_cells_along = 48;
    const std::size_t columns = grid.columns / block + 1;
    std::vector<std::size_t> counts(columns * (grid.rows / block + 1));
    for (std::size_t n = 0; n < std::min(x.size(), y.size()); ++n) {
        ++counts[grid.row(y[n]) / block * columns + grid.column(x[n]) / block];
    }
    std::sort(counts.begin(), counts.end());
    std::size_t atoms = 0;
    double in_a_block = 1;
    for (const std::size_t count : counts) {
        atoms += count;
        in_a_block = std::max(in_a_block, static_cast<double>(count));
        if (10 * atoms >= 9 * x.size()) {
            break;
        }
    }
    const double along = block * std::sqrt(filled * bin_capacity<T> / in_a_block);

    return bins_of_edge(grid, static_cast<unsigned>(std::clamp(along, 4.0, max_cells_along)) - 2);
}

// --- tiles --------------------------------------------------------------------------------------

constexpr int tile_block_size = 1024;
constexpr int tile_atoms_per_thread = 8;
constexpr unsigned tile_size = tile_block_size * tile_atoms_per_thread;

// The copies of each tile's atoms, sorted by bin: copy `place` of tile t is in
// d_slots[first_slot(t) + place]. There is room for all copies that a tile can have.
template <typename T>
struct BinTiles {
    int N;
    unsigned bins;
    unsigned staged;           // copies of a tile that are sorted in shared memory
    unsigned short* d_starts;  // of each bin in each tile; a tile has bins + 1, the last is the end
    unsigned short* d_places;  // N: the atom's copy in its own bin
    BinSlot<T>* d_slots;

    static_assert(tile_size * max_copies <= 65535, "places fit 16 bits");

    __host__ __device__ unsigned tiles() const { return (N + tile_size - 1) / tile_size; }
    __host__ __device__ static std::size_t first_slot(unsigned tile) {
        return std::size_t{tile} * tile_size * max_copies;
    }
    // d_starts of one tile.
    __host__ __device__ unsigned short* starts(unsigned tile) const {
        return d_starts + std::size_t{tile} * (bins + 1);
    }
};

// --- memory -------------------------------------------------------------------------------------

// Dynamic shared memory of the kernels, in bytes.
template <typename T>
std::size_t tile_bytes(const BinGrid<T>& bins, unsigned staged) {
    return staged * (2 * sizeof(T) + sizeof(unsigned short)) +
           (bins.bins() + std::size_t{1}) * sizeof(unsigned) + tile_size * sizeof(unsigned short);
}
template <typename T>
std::size_t bin_bytes(const BinGrid<T>& bins, unsigned tiles) {
    const std::size_t cells = bins.cells_along() * bins.cells_along();
    return bin_capacity<T> * sizeof(BinAtom<T>) + (cells + 1) * sizeof(unsigned) +
           tiles * (sizeof(unsigned) + sizeof(unsigned short));
}
