// halo_bins: neighbour lists of many atoms, in whatever order they come. Three kernels:
//
//   copy_atoms_to_bins      the plane is cut into square bins that fit shared memory; an atom is
//                           copied into its own bin, and into the bins from which it stands less
//                           than a cell away: their halo
//   find_neighbors_in_bins  a block for each bin finds the neighbours of the bin's own atoms among
//                           its atoms and its halo, all in shared memory
//   collect_neighbors       brings what was found into the order of the atoms
//
//     d_x, d_y   b c b a | b a a b           atoms in their order, in two tiles of four; bins a b c
//     d_slots    a b b c | a a b b b         each tile's copies, sorted by bin; one halo copy
//     d_starts   0 1 3 4 | 0 2 5 5           where each bin's run begins in the tile
//
// cell_list_sorted goes to far places in memory for every atom, once to put it into its cell, and
// four times to write its list. Here what random access there is stays within shared memory or one
// tile, and memory is read and written in rows. A bin lies in as many runs as there are tiles: so
// none can outgrow its place, no counter is shared by two blocks, and none has to be zeroed before.
//
// Idea: radix partitioning, as in common/partition.cuh, where an item goes to one part, however,
// and not to the parts around as well; and halos, as simulations on several computers have them.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "common/error.cuh"
#include "common/launch.cuh"
#include "common/scan_shared.cuh"
#include "common/shared_memory.cuh"
#include "neighbor_list/bin_grid.cuh"
#include "neighbor_list/neighbor_list.cuh"

namespace {

// --- first kernel -------------------------------------------------------------------------------

// Sorts the copies of tile blockIdx.x by bin. A thread keeps its atoms in registers: they are read
// once, and all loads are under way at the same time. The tile is sorted in shared memory, since
// single copies that go to memory each for itself took three times as long (on an H200).
template <typename T>
__global__ void __launch_bounds__(tile_threads)
    copy_atoms_to_bins(const T* d_x, const T* d_y, BinGrid<T> bins, BinTiles<T> tiles) {
    T* s_x = dynamic_shared<T>();
    T* s_y = s_x + tiles.staged;
    auto* s_starts = reinterpret_cast<unsigned*>(s_y + tiles.staged);             // bins + 1
    auto* s_halo = reinterpret_cast<unsigned short*>(s_starts + tiles.bins + 1);  // tile_size
    unsigned short* s_i = s_halo + tile_size;
    __shared__ unsigned s_halo_atoms;
    const unsigned tid = threadIdx.x;
    const unsigned first = blockIdx.x * tile_size;
    const unsigned count = min(tile_size, tiles.N - first);

    T x[tile_atoms_a_thread];
    T y[tile_atoms_a_thread];
#pragma unroll
    for (int k = 0; k < tile_atoms_a_thread; ++k) {
        const unsigned i = k * tile_threads + tid;
        if (i < count) {
            x[k] = d_x[first + i];
            y[k] = d_y[first + i];
        }
    }
    for (unsigned bin = tid; bin <= tiles.bins; bin += tile_threads) {
        s_starts[bin] = 0;
    }
    if (tid == 0) {
        s_halo_atoms = 0;
    }
    __syncthreads();  // all counters are 0 before the first copy is counted

    // In its own bin an atom's rank is what the counter was before.
    unsigned bins_and_ranks[tile_atoms_a_thread];
    unsigned in_halo = 0;
#pragma unroll
    for (int k = 0; k < tile_atoms_a_thread; ++k) {
        if (k * tile_threads + tid < count) {
            const BinPlace<T> place(bins, x[k], y[k]);
            bins_and_ranks[k] = place.bin << 16 | atomicAdd(&s_starts[place.bin], 1u);
            in_halo |= place.in_halo() ? 1u << k : 0;
        }
    }
    // One atom in ten is in a halo. They are gathered first, so that whole warps work on them.
    for (; in_halo != 0; in_halo &= in_halo - 1) {
        const unsigned i = (__ffs(static_cast<int>(in_halo)) - 1) * tile_threads + tid;
        s_halo[atomicAdd(&s_halo_atoms, 1u)] = static_cast<unsigned short>(i);
    }
    __syncthreads();  // all own copies are counted, all halo atoms known
    for (unsigned h = tid; h < s_halo_atoms; h += tile_threads) {
        const unsigned n = first + s_halo[h];
        BinPlace<T>(bins, d_x[n], d_y[n]).for_each_halo([&](unsigned bin) {
            atomicAdd(&s_starts[bin], 1u);
        });
    }
    __syncthreads();  // all copies are counted
    const unsigned copies = exclusive_scan_shared(s_starts, tiles.bins + 1);
    for (unsigned bin = tid; bin <= tiles.bins; bin += tile_threads) {
        tiles.starts(blockIdx.x)[bin] = static_cast<unsigned short>(s_starts[bin]);
    }

    BinSlot<T>* d_slots = tiles.d_slots + tiles.first_slot(blockIdx.x);
    const auto put = [&](unsigned place, unsigned i, T x_i, T y_i) {
        if (place < tiles.staged) {
            s_x[place] = x_i;
            s_y[place] = y_i;
            s_i[place] = static_cast<unsigned short>(i);
        } else {  // more halo copies than usual
            d_slots[place].atom = {static_cast<int>(first + i), 0, x_i, y_i};
        }
    };
#pragma unroll
    for (int k = 0; k < tile_atoms_a_thread; ++k) {
        const unsigned i = k * tile_threads + tid;
        if (i < count) {
            const unsigned place = s_starts[bins_and_ranks[k] >> 16] + (bins_and_ranks[k] & 0xffff);
            put(place, i, x[k], y[k]);
            tiles.d_places[first + i] = static_cast<unsigned short>(place);
        }
    }
    __syncthreads();  // the starts are read before they move
    for (unsigned h = tid; h < s_halo_atoms; h += tile_threads) {
        const unsigned i = s_halo[h];
        const T x_i = d_x[first + i];
        const T y_i = d_y[first + i];
        BinPlace<T>(bins, x_i, y_i).for_each_halo([&](unsigned bin) {
            put(atomicSub(&s_starts[bin + 1], 1u) - 1, i, x_i, y_i);  // from the run's end down
        });
    }
    __syncthreads();  // the tile is sorted
    for (unsigned place = tid; place < min(copies, tiles.staged); place += tile_threads) {
        d_slots[place].atom = {static_cast<int>(first + s_i[place]), 0, s_x[place], s_y[place]};
    }
}

// --- second kernel ------------------------------------------------------------------------------

constexpr int bin_threads = 512;
template <typename T>
constexpr int bin_atoms_a_thread = bin_capacity<T> / bin_threads;

// A block's bin and its halo: the cells of the bin have columns and rows from 1 to along - 2.
template <typename T>
struct BinCells {
    __device__ BinCells(const BinGrid<T>& bins, unsigned bin_column, unsigned bin_row)
        : grid(bins.grid),
          along(static_cast<int>(bins.cells_along())),
          column0(static_cast<int>(bin_column * bins.edge) - 1),
          row0(static_cast<int>(bin_row * bins.edge) - 1) {}

    __device__ int column(T x) const { return grid.column(x) - column0; }
    __device__ int row(T y) const { return grid.row(y) - row0; }
    __device__ int cell(T x, T y) const { return row(y) * along + column(x); }

    CellGrid<T> grid;
    int along;
    int column0;
    int row0;
};

// Loads atoms number k * bin_threads + threadIdx.x of a bin, counted through its runs: the run is
// found by halving, for all of the thread's atoms side by side. So threads share the work evenly,
// whether there are many short runs (atoms in random order) or a few long ones (in rows).
// s_runs: the number of the first atom of each tile's run; s_starts: where the run is in the tile.
template <typename T>
__device__ void load_bin(const BinTiles<T>& tiles, unsigned atoms, const unsigned* s_runs,
                         const unsigned short* s_starts,
                         BinAtom<T> (&atom)[bin_atoms_a_thread<T>]) {
    const unsigned tile_count = tiles.tiles();
    unsigned tile[bin_atoms_a_thread<T>] = {};  // the last whose run begins at or before the atom
    for (unsigned step = 1u << (31 - __clz(static_cast<int>(tile_count))); step > 0; step /= 2) {
#pragma unroll
        for (int k = 0; k < bin_atoms_a_thread<T>; ++k) {
            const unsigned next = tile[k] + step;
            if (next < tile_count && s_runs[next] <= k * bin_threads + threadIdx.x) {
                tile[k] = next;
            }
        }
    }
#pragma unroll
    for (int k = 0; k < bin_atoms_a_thread<T>; ++k) {
        const unsigned i = k * bin_threads + threadIdx.x;
        if (i < atoms) {
            const auto slot = static_cast<unsigned>(tiles.first_slot(tile[k])) + s_starts[tile[k]] +
                              (i - s_runs[tile[k]]);
            atom[k] = tiles.d_slots[slot].atom;
            atom[k].slot = slot;
        }
    }
}

// The neighbours of s_atoms[i]: up to three go to its slot, more straight to the list.
template <typename T>
__device__ void find_neighbors_of(unsigned i, const BinAtom<T>* s_atoms, const unsigned* s_begins,
                                  const BinCells<T>& cells, const BinTiles<T>& tiles, int* d_NL,
                                  int MN, T cutoff_squared) {
    const BinAtom<T> self = s_atoms[i];
    // Three cells side by side are one range. Here a warp's threads read nearly the same atoms at a
    // time, which costs shared memory one access.
    const unsigned* s_below = s_begins + cells.cell(self.x, self.y) - cells.along - 1;
    const auto for_each_neighbor = [&](auto visit) {
#pragma unroll 1
        for (int row = 0; row < 3; ++row) {
            const unsigned end = s_below[row * cells.along + 3];
#pragma unroll 2
            for (unsigned k = s_below[row * cells.along]; k < end; ++k) {
                const T squared = squared_distance(self.x, self.y, s_atoms[k].x, s_atoms[k].y);
                if (squared < cutoff_squared && k != i) {
                    visit(k);
                }
            }
        }
    };
    // The last neighbours stay in registers, which are pushed on, not indexed: that needs neither
    // memory nor a branch. In a warp nearly every test is a hit for someone.
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
    if (count > room) {  // those that were pushed out, on a second round
        int place = room;
        for_each_neighbor([&](unsigned k) {
            if (place < min(count, MN)) {
                d_NL[in_columns(self.n, place, tiles.N)] = s_atoms[k].n;
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
__global__ void __launch_bounds__(bin_threads)
    find_neighbors_in_bins(int* d_NL, int MN, T cutoff_squared, BinGrid<T> bins,
                           BinTiles<T> tiles) {
    const BinCells<T> cells(bins, blockIdx.x, blockIdx.y);
    const unsigned bin = blockIdx.y * bins.columns + blockIdx.x;
    const unsigned cell_count = cells.along * cells.along;
    const unsigned tile_count = tiles.tiles();
    const unsigned tid = threadIdx.x;
    auto* s_atoms = dynamic_shared<BinAtom<T>>();
    auto* s_begins = reinterpret_cast<unsigned*>(s_atoms + bin_capacity<T>);  // cells + 1
    unsigned* s_runs = s_begins + cell_count + 1;                             // tiles
    auto* s_starts = reinterpret_cast<unsigned short*>(s_runs + tile_count);  // tiles

    for (unsigned cell = tid; cell <= cell_count; cell += bin_threads) {
        s_begins[cell] = 0;
    }
    for (unsigned tile = tid; tile < tile_count; tile += bin_threads) {
        s_starts[tile] = tiles.starts(tile)[bin];
        s_runs[tile] = tiles.starts(tile)[bin + 1] - tiles.starts(tile)[bin];
    }
    __syncthreads();  // all counters are 0, all lengths of runs known
    const unsigned atoms = exclusive_scan_shared(s_runs, tile_count);
    if (atoms > bin_capacity<T>) {
        return;  // its atoms stay in their slots, and collect_neighbors sees to them
    }
    BinAtom<T> atom[bin_atoms_a_thread<T>];
    load_bin(tiles, atoms, s_runs, s_starts, atom);
    // Sorted by cell, by counting; an atom's rank in its cell is what the counter was before.
    unsigned cells_and_ranks[bin_atoms_a_thread<T>];
#pragma unroll
    for (int k = 0; k < bin_atoms_a_thread<T>; ++k) {
        if (k * bin_threads + tid < atoms) {
            const unsigned cell = cells.cell(atom[k].x, atom[k].y);
            cells_and_ranks[k] = cell << 16 | atomicAdd(&s_begins[cell], 1u);
        }
    }
    __syncthreads();  // all atoms are counted
    exclusive_scan_shared(s_begins, cell_count + 1);
#pragma unroll
    for (int k = 0; k < bin_atoms_a_thread<T>; ++k) {
        if (k * bin_threads + tid < atoms) {
            s_atoms[s_begins[cells_and_ranks[k] >> 16] + (cells_and_ranks[k] & 0xffff)] = atom[k];
        }
    }
    __syncthreads();  // all atoms are in their cells

    // The first and the last row of cells belong to the halo, and of each row the two ends.
    const unsigned end = s_begins[cell_count - cells.along];
    for (unsigned i = s_begins[cells.along] + tid; i < end; i += bin_threads) {
        const int column = cells.column(s_atoms[i].x);
        if (column >= 1 && column <= cells.along - 2) {
            find_neighbors_of(i, s_atoms, s_begins, cells, tiles, d_NL, MN, cutoff_squared);
        }
    }
}

// --- third kernel -------------------------------------------------------------------------------

// An atom whose bin holds more than fit shared memory is tested against all of the bin: that is
// slow, but every atom has a thread of its own for it.
template <typename T>
__device__ void find_neighbors_in_crowd(int* d_NN, int* d_NL, int MN, T cutoff_squared,
                                        const BinGrid<T>& bins, const BinTiles<T>& tiles,
                                        const BinAtom<T>& self) {
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

// In the order of the atoms. What a thread reads lies within its tile, in a few hundred kilobytes.
template <typename T>
__global__ void collect_neighbors(int* d_NN, int* d_NL, int MN, T cutoff_squared, BinGrid<T> bins,
                                  BinTiles<T> tiles) {
    const long long thread = thread_in_grid();
    if (thread >= tiles.N) {
        return;
    }
    const int n = static_cast<int>(thread);
    // All of the slot in one load, whatever it holds.
    const BinSlot<T> slot = tiles.d_slots[tiles.first_slot(n / tile_size) + tiles.d_places[n]];
    if (slot.found.marked_count >= 0) {  // the number of an atom, not a count
        find_neighbors_in_crowd(d_NN, d_NL, MN, cutoff_squared, bins, tiles, slot.atom);
        return;
    }
    const BinFound<T> found = slot.found;
    const int count = ~found.marked_count;
    d_NN[n] = count;
#pragma unroll
    for (int k = 0; k < BinFound<T>::room; ++k) {
        if (k < min(count, MN)) {
            d_NL[in_columns(n, k, tiles.N)] = found.neighbors[k];
        }
    }
}

}  // namespace

// A block needs memory for a counter of each bin, or of each tile.
template <typename T>
std::string unavailable_beyond_bins(const NeighborProblem<T>& p) {
    const unsigned tiles = BinTiles<T>{p.N, 0, 0, nullptr, nullptr, nullptr}.tiles();
    const std::size_t needed = std::max(tile_bytes(p.bins, 0), bin_bytes(p.bins, tiles));
    return needed <= most_shared_memory()
               ? ""
               : format("so many atoms need %zu KiB of shared memory a block; here are %zu",
                        needed / 1024 + 1, most_shared_memory() / 1024);
}

template <typename T>
void run_halo_bins(NeighborProblem<T>& p) {
    p.layout = Layout::columns;
    if (p.N == 0) {
        return;
    }
    if (p.bin_memory == nullptr) {
        p.bin_memory = std::make_unique<BinMemory<T>>(p.bins, p.N);
    }
    static const bool allowed = [] {  // more shared memory than a block gets without asking
        allow_shared_memory(copy_atoms_to_bins<T>, most_shared_memory());
        allow_shared_memory(find_neighbors_in_bins<T>, most_shared_memory());
        return true;
    }();
    static_cast<void>(allowed);
    const BinTiles<T>& tiles = p.bin_memory->tiles;
    copy_atoms_to_bins<<<tiles.tiles(), tile_threads, tile_bytes(p.bins, tiles.staged)>>>(
        p.d_x(), p.d_y(), p.bins, tiles);
    CHECK_LAUNCH();
    const dim3 bin_blocks(p.bins.columns, p.bins.rows);
    find_neighbors_in_bins<<<bin_blocks, bin_threads, bin_bytes(p.bins, tiles.tiles())>>>(
        p.d_NL(), p.MN, p.cutoff_squared, p.bins, tiles);
    CHECK_LAUNCH();
    const int grid_size = blocks_to_cover(p.n(), p.block_size);
    collect_neighbors<<<grid_size, p.block_size>>>(p.d_NN(), p.d_NL(), p.MN, p.cutoff_squared,
                                                   p.bins, tiles);
    CHECK_LAUNCH();
}
