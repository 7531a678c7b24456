// What halo_bins cuts the atoms into: square bins of cells, tiles of the input, and the memory in
// which the tiles' copies wait for their bins. The kernels are in neighbor_list_bins.cuh.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/device.cuh"
#include "common/device_array.cuh"
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

// What was found for an atom. It takes the place of the atom's copy in its own bin. There is room
// for three neighbours; more of them go straight into the list.
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

// Atoms that a bin has room for in shared memory, those around it included.
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
    // Cells along the edge of a bin with those around it.
    __host__ __device__ unsigned cells_along() const { return edge + 2; }
    // cell / edge, by a multiplication; exact for cell * edge < 2^32.
    __host__ __device__ unsigned bin_of(unsigned cell) const {
        return static_cast<unsigned>(std::uint64_t{cell} * reciprocal >> 32);
    }
};

// The bin of an atom, and the bins whose halo it stands in: one beside it, one above or below it,
// both and the one across the corner, or none.
template <typename T>
struct BinPlace {
    __device__ BinPlace(const BinGrid<T>& bins, T x, T y) {
        const auto column = static_cast<unsigned>(bins.grid.column(x));
        const auto row = static_cast<unsigned>(bins.grid.row(y));
        const unsigned bin_column = bins.bin_of(column);
        const unsigned bin_row = bins.bin_of(row);
        bin = bin_row * bins.columns + bin_column;
        across = side(column - bin_column * bins.edge, bins.edge, bin_column, bins.columns);
        along = side(row - bin_row * bins.edge, bins.edge, bin_row, bins.rows) *
                static_cast<int>(bins.columns);
    }
    __device__ bool in_halo() const { return across != 0 || along != 0; }
    // Calls visit(bin) for each bin whose halo the atom stands in.
    template <typename Visit>
    __device__ void for_each_halo(Visit visit) const {
        if (across != 0) {
            visit(bin + across);
        }
        if (along != 0) {
            visit(bin + along);
        }
        if (across != 0 && along != 0) {
            visit(bin + across + along);
        }
    }

    unsigned bin;
    int across;  // what is to be added to bin, or 0
    int along;

  private:
    // Which neighbour of its bin does a cell touch, counted `inside` it: -1, 1, or 0 for none?
    __device__ static int side(unsigned inside, unsigned edge, unsigned bin, unsigned bins_along) {
        return inside == 0 && bin > 0 ? -1 : inside == edge - 1 && bin + 1 < bins_along ? 1 : 0;
    }
};

// An atom in the corner of a bin has this many copies, and none has more.
constexpr unsigned most_copies = 4;

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

// Bins that about four fifths of bin_capacity atoms stand in where the atoms are as dense as around
// nine atoms of ten, not as on average over the box: that may be mostly empty. As for the box, a
// simulation knows the density beforehand. Denser bins cost time, never the result.
template <typename T>
BinGrid<T> make_bin_grid(const CellGrid<T>& grid, const std::vector<T>& x,
                         const std::vector<T>& y) {
    constexpr std::size_t block = 16;  // the density is taken from squares of so many cells
    constexpr double filled = 0.82;
    constexpr double most_cells_along = 48;
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

    return bins_of_edge(grid, static_cast<unsigned>(std::clamp(along, 4.0, most_cells_along)) - 2);
}

// --- tiles --------------------------------------------------------------------------------------

constexpr int tile_threads = 1024;
constexpr int tile_atoms_a_thread = 8;
constexpr unsigned tile_size = tile_threads * tile_atoms_a_thread;

// Where the copies of each tile's atoms stand, sorted by bin: copy `place` of tile t in
// d_slots[first_slot(t) + place]. There is room for all copies that a tile can have.
template <typename T>
struct BinTiles {
    int N;
    unsigned bins;
    unsigned staged;           // copies of a tile that are sorted in shared memory
    unsigned short* d_starts;  // of each bin in each tile; a tile has bins + 1, the last is the end
    unsigned short* d_places;  // N: the atom's copy in its own bin
    BinSlot<T>* d_slots;

    static_assert(tile_size * most_copies <= 65535, "places fit 16 bits");

    __host__ __device__ unsigned tiles() const { return (N + tile_size - 1) / tile_size; }
    __host__ __device__ static std::size_t first_slot(unsigned tile) {
        return std::size_t{tile} * tile_size * most_copies;
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

// The tiles' memory on the device, for N > 0 atoms: up to 68 bytes an atom (132 with double), and
// the starts.
template <typename T>
class BinMemory {
  public:
    BinMemory(const BinGrid<T>& bins, int N) {
        tiles.N = N;
        tiles.bins = bins.bins();
        starts_ = DeviceArray<unsigned short>(std::size_t{tiles.tiles()} * (tiles.bins + 1));
        places_ = DeviceArray<unsigned short>(N);
        slots_ = DeviceArray<BinSlot<T>>(tiles.first_slot(tiles.tiles()));
        tiles.d_starts = starts_.data();
        tiles.d_places = places_.data();
        tiles.d_slots = slots_.data();
        // Where there are as many copies as in most tiles, all of them; else as many as fit.
        const std::size_t a_copy = tile_bytes(bins, 1) - tile_bytes(bins, 0);
        const std::size_t fit = (most_shared_memory() - tile_bytes(bins, 0)) / a_copy;
        tiles.staged = static_cast<unsigned>(std::min<std::size_t>(tile_size / 8 * 9, fit)) / 4 * 4;
    }

    BinTiles<T> tiles{};

  private:
    DeviceArray<unsigned short> starts_;
    DeviceArray<unsigned short> places_;
    DeviceArray<BinSlot<T>> slots_;
};
