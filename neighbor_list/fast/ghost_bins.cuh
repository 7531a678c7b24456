// ghost_bins: neighbor lists of many atoms, in any order. Three kernels:
//
//   copy_atoms_to_bins      the plane is cut into square bins that fit in shared memory; an atom is
//                           copied to its own bin, and as a ghost atom to each other bin from which
//                           it is less than a cell away
//   find_neighbors_in_bins  a block for each bin finds the neighbors of the bin's own atoms among
//                           its atoms and its ghost atoms, all in shared memory
//   collect_neighbors       brings what was found into the order of the atoms
//
//     d_x, d_y   b c b a | b a a b           atoms in their order, in two tiles of four; bins a b c
//     d_slots    a a'b b c | a a b b         each tile's copies, sorted by bin. a' is a ghost atom:
//                                            it belongs to b and is copied to a
//     d_starts   0 2 4 5 | 0 2 4 4           where each bin's run begins in the tile, and the end
//
// cell_list_sorted uses words far apart for each atom: once to put it into its cell, and four times
// to write its list. Here what random access there is stays within shared memory or within a tile,
// and memory is read and written in rows. A bin is in as many runs as there are tiles. So no run
// outgrows its place, no two blocks share a counter, and no counter has to be 0 before.
//
// Source of the idea: radix partitioning, as in common/partition.cuh, where an item goes to one
// partition only; and ghost atoms, as LAMMPS and HOOMD copy them from one computer to the next.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

#include "common/block_scan.cuh"
#include "common/error.cuh"
#include "common/launch.cuh"
#include "common/shared_memory.cuh"
#include "neighbor_list/fast/bin_grid.cuh"
#include "neighbor_list/own_list.cuh"

// --- first kernel -------------------------------------------------------------------------------

// Sorts the copies of tile blockIdx.x by bin. A thread keeps its atoms in registers: they are read
// once, and all loads are in flight at the same time. The tile is sorted in shared memory and then
// written in one row.
template <typename T>
__global__ void __launch_bounds__(tile_block_size)
    copy_atoms_to_bins(const T* d_x, const T* d_y, BinGrid<T> bins, BinTiles<T> tiles) {
    T* s_x = common::dynamic_shared<T>();
    T* s_y = s_x + tiles.staged;
    auto* s_starts = reinterpret_cast<unsigned*>(s_y + tiles.staged);               // bins + 1
    auto* s_ghosts = reinterpret_cast<unsigned short*>(s_starts + tiles.bins + 1);  // tile_size
    unsigned short* s_i = s_ghosts + tile_size;
    __shared__ unsigned s_ghost_count;
    const unsigned tid = threadIdx.x;
    const unsigned first = blockIdx.x * tile_size;
    const unsigned count = min(tile_size, tiles.N - first);

    T x[tile_atoms_per_thread];
    T y[tile_atoms_per_thread];
#pragma unroll
    for (int k = 0; k < tile_atoms_per_thread; ++k) {
        const unsigned i = k * tile_block_size + tid;
        if (i < count) {
            x[k] = d_x[first + i];
            y[k] = d_y[first + i];
        }
    }
    for (unsigned bin = tid; bin <= tiles.bins; bin += tile_block_size) {
        s_starts[bin] = 0;
    }
    if (tid == 0) {
        s_ghost_count = 0;
    }
    __syncthreads();  // all counters are 0 before the first copy is counted

    // In its own bin an atom's rank is what the counter was before.
    unsigned bins_and_ranks[tile_atoms_per_thread];
    unsigned with_ghosts = 0;  // bit k: atom k has ghost copies
#pragma unroll
    for (int k = 0; k < tile_atoms_per_thread; ++k) {
        if (k * tile_block_size + tid < count) {
            const BinPlace<T> place(bins, x[k], y[k]);
            bins_and_ranks[k] = place.bin << 16 | atomicAdd(&s_starts[place.bin], 1u);
            with_ghosts |= place.has_ghosts() ? 1u << k : 0;
        }
    }
    // One atom in ten has ghost copies. These atoms are gathered first, so that whole warps work on
    // them.
    for (; with_ghosts != 0; with_ghosts &= with_ghosts - 1) {
        const unsigned i = (__ffs(static_cast<int>(with_ghosts)) - 1) * tile_block_size + tid;
        s_ghosts[atomicAdd(&s_ghost_count, 1u)] = static_cast<unsigned short>(i);
    }
    __syncthreads();  // all own copies are counted, all atoms with ghosts known
    for (unsigned h = tid; h < s_ghost_count; h += tile_block_size) {
        const unsigned n = first + s_ghosts[h];
        BinPlace<T>(bins, d_x[n], d_y[n]).for_each_ghost([&](unsigned bin) {
            atomicAdd(&s_starts[bin], 1u);
        });
    }
    __syncthreads();  // all copies are counted
    const unsigned copies = common::exclusive_scan_shared(s_starts, tiles.bins + 1);
    for (unsigned bin = tid; bin <= tiles.bins; bin += tile_block_size) {
        tiles.starts(blockIdx.x)[bin] = static_cast<unsigned short>(s_starts[bin]);
    }

    BinSlot<T>* d_slots = tiles.d_slots + tiles.first_slot(blockIdx.x);
    const auto put = [&](unsigned place, unsigned i, T x_i, T y_i) {
        if (place < tiles.staged) {
            s_x[place] = x_i;
            s_y[place] = y_i;
            s_i[place] = static_cast<unsigned short>(i);
        } else {  // more ghost copies than usual
            d_slots[place].atom = {static_cast<int>(first + i), 0, x_i, y_i};
        }
    };
#pragma unroll
    for (int k = 0; k < tile_atoms_per_thread; ++k) {
        const unsigned i = k * tile_block_size + tid;
        if (i < count) {
            const unsigned place = s_starts[bins_and_ranks[k] >> 16] + (bins_and_ranks[k] & 0xffff);
            put(place, i, x[k], y[k]);
            tiles.d_places[first + i] = static_cast<unsigned short>(place);
        }
    }
    __syncthreads();  // the starts are read before they move
    for (unsigned h = tid; h < s_ghost_count; h += tile_block_size) {
        const unsigned i = s_ghosts[h];
        const T x_i = d_x[first + i];
        const T y_i = d_y[first + i];
        BinPlace<T>(bins, x_i, y_i).for_each_ghost([&](unsigned bin) {
            put(atomicSub(&s_starts[bin + 1], 1u) - 1, i, x_i, y_i);  // from the run's end down
        });
    }
    __syncthreads();  // the tile is sorted
    for (unsigned place = tid; place < min(copies, tiles.staged); place += tile_block_size) {
        d_slots[place].atom = {static_cast<int>(first + s_i[place]), 0, s_x[place], s_y[place]};
    }
}

// --- second kernel ------------------------------------------------------------------------------

constexpr int bin_block_size = 512;
template <typename T>
constexpr int bin_atoms_per_thread = bin_capacity<T> / bin_block_size;

// The cells of a block's bin and of its ghost atoms. Columns and rows are counted from the first
// ghost cell: the bin's own cells have columns and rows from 1 to edge - 2.
template <typename T>
struct BinCells {
    __device__ BinCells(const BinGrid<T>& bins, unsigned bin_column, unsigned bin_row)
        : grid(bins.grid),
          edge(static_cast<int>(bins.cells_along())),
          column0(static_cast<int>(bin_column * bins.edge) - 1),
          row0(static_cast<int>(bin_row * bins.edge) - 1) {}

    __device__ int column(T x) const { return grid.column(x) - column0; }
    __device__ int row(T y) const { return grid.row(y) - row0; }
    __device__ int cell(T x, T y) const { return row(y) * edge + column(x); }

    CellGrid<T> grid;
    int edge;  // cells along one side, ghost cells included
    int column0;
    int row0;
};

// Loads atoms number k * bin_block_size + threadIdx.x of a bin, counted through its runs. The run
// is found by binary search, for all of the thread's atoms at the same time. So threads share the
// work evenly, whether there are many short runs (atoms in random order) or a few long ones (in
// rows). s_runs: the number of the first atom of each tile's run; s_starts: where the run is in the
// tile.
template <typename T>
__device__ void load_bin(const BinTiles<T>& tiles, unsigned atoms, const unsigned* s_runs,
                         const unsigned short* s_starts,
                         BinAtom<T> (&atom)[bin_atoms_per_thread<T>]) {
    const unsigned tile_count = tiles.tiles();
    unsigned tile[bin_atoms_per_thread<T>] = {};  // the last whose run begins at or before the atom
    for (unsigned step = 1u << (31 - __clz(static_cast<int>(tile_count))); step > 0; step /= 2) {
#pragma unroll
        for (int k = 0; k < bin_atoms_per_thread<T>; ++k) {
            const unsigned next = tile[k] + step;
            if (next < tile_count && s_runs[next] <= k * bin_block_size + threadIdx.x) {
                tile[k] = next;
            }
        }
    }
#pragma unroll
    for (int k = 0; k < bin_atoms_per_thread<T>; ++k) {
        const unsigned i = k * bin_block_size + threadIdx.x;
        if (i < atoms) {
            const auto slot = static_cast<unsigned>(tiles.first_slot(tile[k])) + s_starts[tile[k]] +
                              (i - s_runs[tile[k]]);
            atom[k] = tiles.d_slots[slot].atom;
            atom[k].slot = slot;
        }
    }
}

// The neighbors of s_atoms[i]: up to three go to its slot, more straight to the list.
template <typename T>
__device__ void find_neighbors_of(unsigned i, const BinAtom<T>* s_atoms, const unsigned* s_begins,
                                  const BinCells<T>& cells, const BinTiles<T>& tiles,
                                  T cutoff_squared, int MN, int* d_NL) {
    const BinAtom<T> self = s_atoms[i];
    // Three cells side by side are one range. The threads of a warp read nearly the same atoms at
    // the same time, which is one access to shared memory.
    const unsigned* s_below = s_begins + cells.cell(self.x, self.y) - cells.edge - 1;
    const auto for_each_neighbor = [&](auto visit) {
#pragma unroll 1
        for (int row = 0; row < 3; ++row) {
            const unsigned end = s_below[row * cells.edge + 3];
#pragma unroll 2
            for (unsigned k = s_below[row * cells.edge]; k < end; ++k) {
                const T squared = squared_distance(self.x, self.y, s_atoms[k].x, s_atoms[k].y);
                if (squared < cutoff_squared && k != i) {
                    visit(k);
                }
            }
        }
    };
    // The last neighbors stay in registers, which are shifted, not indexed: that needs neither
    // local memory nor a branch. In a warp nearly every test is a hit for some thread.
    constexpr int room = BinFound<T>::room;
    unsigned last[room] = {};
    int count = 0;
    for_each_neighbor([&](unsigned k) {
#pragma unroll
        for (int place = room - 1; place > 0; --place) {
            last[place] = last[place - 1];
        }
        last[0] = k;
        ++count;
    });
    if (count > room) {  // those that were shifted out, in a second round
        int place = room;
        for_each_neighbor([&](unsigned k) {
            if (place < min(count, MN)) {
                d_NL[neighbor_major(self.n, place, tiles.N)] = s_atoms[k].n;
            }
            ++place;
        });
    }
    BinFound<T> found{~count, {}};
#pragma unroll
    for (int place = 0; place < room; ++place) {
        found.neighbors[place] = place < count ? s_atoms[last[place]].n : 0;
    }
    tiles.d_slots[self.slot].found = found;
}

template <typename T>
__global__ void __launch_bounds__(bin_block_size)
    find_neighbors_in_bins(T cutoff_squared, int MN, BinGrid<T> bins, BinTiles<T> tiles,
                           int* d_NL) {
    const BinCells<T> cells(bins, blockIdx.x, blockIdx.y);
    const unsigned bin = blockIdx.y * bins.columns + blockIdx.x;
    const unsigned cell_count = cells.edge * cells.edge;
    const unsigned tile_count = tiles.tiles();
    const unsigned tid = threadIdx.x;
    auto* s_atoms = common::dynamic_shared<BinAtom<T>>();
    auto* s_begins = reinterpret_cast<unsigned*>(s_atoms + bin_capacity<T>);  // cells + 1
    unsigned* s_runs = s_begins + cell_count + 1;                             // tiles
    auto* s_starts = reinterpret_cast<unsigned short*>(s_runs + tile_count);  // tiles

    for (unsigned cell = tid; cell <= cell_count; cell += bin_block_size) {
        s_begins[cell] = 0;
    }
    for (unsigned tile = tid; tile < tile_count; tile += bin_block_size) {
        s_starts[tile] = tiles.starts(tile)[bin];
        s_runs[tile] = tiles.starts(tile)[bin + 1] - tiles.starts(tile)[bin];
    }
    __syncthreads();  // all counters are 0, all lengths of runs known
    const unsigned atoms = common::exclusive_scan_shared(s_runs, tile_count);
    if (atoms > bin_capacity<T>) {
        return;  // its atoms stay in their slots, for collect_neighbors
    }
    BinAtom<T> atom[bin_atoms_per_thread<T>];
    load_bin(tiles, atoms, s_runs, s_starts, atom);
    // Sorted by cell, by counting; an atom's rank in its cell is what the counter was before.
    unsigned cells_and_ranks[bin_atoms_per_thread<T>];
#pragma unroll
    for (int k = 0; k < bin_atoms_per_thread<T>; ++k) {
        if (k * bin_block_size + tid < atoms) {
            const unsigned cell = cells.cell(atom[k].x, atom[k].y);
            cells_and_ranks[k] = cell << 16 | atomicAdd(&s_begins[cell], 1u);
        }
    }
    __syncthreads();  // all atoms are counted
    common::exclusive_scan_shared(s_begins, cell_count + 1);
#pragma unroll
    for (int k = 0; k < bin_atoms_per_thread<T>; ++k) {
        if (k * bin_block_size + tid < atoms) {
            s_atoms[s_begins[cells_and_ranks[k] >> 16] + (cells_and_ranks[k] & 0xffff)] = atom[k];
        }
    }
    __syncthreads();  // all atoms are in their cells

    // The first and the last row of cells hold ghost atoms, and so do the two ends of each row.
    const unsigned end = s_begins[cell_count - cells.edge];
    for (unsigned i = s_begins[cells.edge] + tid; i < end; i += bin_block_size) {
        const int column = cells.column(s_atoms[i].x);
        if (column >= 1 && column <= cells.edge - 2) {
            find_neighbors_of(i, s_atoms, s_begins, cells, tiles, cutoff_squared, MN, d_NL);
        }
    }
}

// --- third kernel -------------------------------------------------------------------------------

// An atom whose bin has more atoms than shared memory can hold is tested against all atoms of the
// bin. That is slow, but each atom has a thread of its own.
template <typename T>
__device__ void find_neighbors_in_crowd(const BinAtom<T>& self, T cutoff_squared, int MN,
                                        const BinGrid<T>& bins, const BinTiles<T>& tiles, int* d_NN,
                                        int* d_NL) {
    const unsigned bin = BinPlace<T>(bins, self.x, self.y).bin;
    OwnList<T> list(d_NL, tiles.N, MN, self.n, self.x, self.y, cutoff_squared);
    for (unsigned tile = 0; tile < tiles.tiles(); ++tile) {
        const BinSlot<T>* d_slots = tiles.d_slots + tiles.first_slot(tile);
        const unsigned end = tiles.starts(tile)[bin + 1];
        for (unsigned place = tiles.starts(tile)[bin]; place < end; ++place) {
            const BinAtom<T> other = d_slots[place].atom;
            list.test(other.n, other.x, other.y);
        }
    }
    d_NN[self.n] = list.count();
}

// One thread per atom, in the order of the atoms. What a thread reads is within its tile, in a few
// hundred kilobytes.
template <typename T>
__global__ void collect_neighbors(T cutoff_squared, int MN, BinGrid<T> bins, BinTiles<T> tiles,
                                  int* d_NN, int* d_NL) {
    const int n = blockIdx.x * blockDim.x + threadIdx.x;
    if (n >= tiles.N) {
        return;
    }
    // All of the slot in one load.
    const BinSlot<T> slot = tiles.d_slots[tiles.first_slot(n / tile_size) + tiles.d_places[n]];
    if (slot.found.marked_count >= 0) {  // the number of an atom, not a count
        find_neighbors_in_crowd(slot.atom, cutoff_squared, MN, bins, tiles, d_NN, d_NL);
        return;
    }
    const BinFound<T> found = slot.found;
    const int count = ~found.marked_count;
    d_NN[n] = count;
#pragma unroll
    for (int k = 0; k < BinFound<T>::room; ++k) {
        if (k < min(count, MN)) {
            d_NL[neighbor_major(n, k, tiles.N)] = found.neighbors[k];
        }
    }
}

// N = tiles.N; d_NN, d_NL: as for find_neighbors_in_cells (4_cell_list.cuh).
template <typename T>
Layout launch_ghost_bins(const T* d_x, const T* d_y, T cutoff_squared, int MN,
                         const BinGrid<T>& bins, const BinTiles<T>& tiles, int* d_NN, int* d_NL,
                         int block_size) {
    if (tiles.N == 0) {
        return Layout::neighbor_major;
    }
    static const bool allowed = [] {  // more shared memory than a block gets without asking
        common::allow_shared_memory(copy_atoms_to_bins<T>, common::max_shared_memory());
        common::allow_shared_memory(find_neighbors_in_bins<T>, common::max_shared_memory());
        return true;
    }();
    static_cast<void>(allowed);
    copy_atoms_to_bins<<<tiles.tiles(), tile_block_size, tile_bytes(bins, tiles.staged)>>>(
        d_x, d_y, bins, tiles);
    CHECK_LAUNCH();
    const dim3 bin_blocks(bins.columns, bins.rows);
    find_neighbors_in_bins<<<bin_blocks, bin_block_size, bin_bytes(bins, tiles.tiles())>>>(
        cutoff_squared, MN, bins, tiles, d_NL);
    CHECK_LAUNCH();
    const int grid_size = common::blocks_to_cover(tiles.N, block_size);
    collect_neighbors<<<grid_size, block_size>>>(cutoff_squared, MN, bins, tiles, d_NN, d_NL);
    CHECK_LAUNCH();
    return Layout::neighbor_major;
}
