// Neighbour lists at the speed of the hardware:
//
//   cell_list_sorted  the coordinates move to their cells, so that neighbours share cache lines
//   one_kernel        for few atoms, where launches cost more than the work: a single kernel
#pragma once

#include "common/vector_load.cuh"
#include "neighbor_list/neighbor_list.cuh"

namespace {

// --- cell_list_sorted ---------------------------------------------------------------------------

// As fill_cells, but the coordinates move along: the atoms of a cell then stand side by side.
template <typename T>
__global__ void move_atoms_to_cells(const T* d_x, const T* d_y, int N, CellGrid<T> grid,
                                    const int* d_start, const int* d_place,
                                    typename CellArrays<T>::Atom* d_atoms) {
    const long long n = thread_in_grid();
    if (n < N) {
        const T x = d_x[n];
        const T y = d_y[n];
        d_atoms[d_start[grid.cell(x, y)] + d_place[n]] = {x, y, static_cast<int>(n)};
    }
}

// Each thread takes the atom that stands at its place, not the atom of its number: the threads of a
// warp then look at the same few cells, and what one of them loads the others find in the cache.
// Only the results still go to places far apart, when the input is in no spatial order.
template <typename T>
__global__ void find_neighbors_sorted(int* d_NN, int* d_NL,
                                      const typename CellArrays<T>::Atom* d_atoms, int N, int MN,
                                      T cutoff_squared, CellGrid<T> grid, const int* d_start) {
    const long long thread = thread_in_grid();
    if (thread < N) {
        const typename CellArrays<T>::Atom self = d_atoms[thread];
        OwnList<T> list(d_NL, N, MN, self.n, self.x, self.y, cutoff_squared);
        for_each_range(grid, d_start, self.x, self.y, [&](int begin, int end) {
            for (int i = begin; i < end; ++i) {
                const typename CellArrays<T>::Atom other = d_atoms[i];
                list.test(other.n, other.x, other.y);
            }
        });
        d_NN[self.n] = list.count();
    }
}

}  // namespace

template <typename T>
void run_cell_list_sorted(NeighborProblem<T>& p) {
    CellArrays<T>& cells = p.cells;
    count_cells(p);
    const int grid_size = blocks_to_cover(p.n(), p.block_size);
    move_atoms_to_cells<<<grid_size, p.block_size>>>(
        p.d_x(), p.d_y(), p.N, p.grid, cells.start.data(), cells.place.data(), cells.atoms.data());
    CHECK_LAUNCH();
    find_neighbors_sorted<<<grid_size, p.block_size>>>(p.d_NN(), p.d_NL(), cells.atoms.data(), p.N,
                                                       p.MN, p.cutoff_squared, p.grid,
                                                       cells.start.data());
    CHECK_LAUNCH();
    p.layout = Layout::columns;
}

namespace {

// --- one_kernel ----------------------------------------------------------------------------------

// A block has a multiprocessor for itself, and its size is fixed: --block is not asked.
constexpr int band_threads = 1024;
constexpr int band_buckets = 512;  // a power of two
constexpr int band_loads = 6;      // 16-byte loads that a thread has under way

// All that a search reads of an atom, in one load (two with double).
template <typename T>
struct alignas(16) BandAtom {
    T x;
    T y;
    int n;
    int next;  // the next atom of the chain, or -1
};

// The atoms of three rows of cells in shared memory: those of the row in the middle, which are the
// block's own, from the front, the others from the end. Those of a column form a chain. Columns
// whose numbers differ by a multiple of band_buckets share a chain: that costs tests, never the
// result.
template <typename T>
struct Band {
    static constexpr int capacity = 32768 / sizeof(BandAtom<T>);
    BandAtom<T> atom[capacity];
    int count[capacity];         // of the own atoms' neighbours
    unsigned short n[capacity];  // the atoms' numbers as they were found
    int first[band_buckets];     // of each chain, or -1
    int found;                   // atoms, also where they are more than capacity
    int own;
    int others;
};

// The numbers of atoms must fit Band::n.
constexpr std::size_t most_atoms_for_one_kernel = 65536;

// The band is too crowded for shared memory: all atoms of the row against all atoms there are.
// Right, and as slow as no_atomic.
template <typename T>
__device__ void find_neighbors_of_row(int* d_NN, int* d_NL, const T* d_x, const T* d_y, int N,
                                      int MN, T cutoff_squared, const CellGrid<T>& grid, int row) {
    for (int n1 = static_cast<int>(threadIdx.x); n1 < N; n1 += band_threads) {
        if (grid.row(d_y[n1]) == row) {
            OwnList<T> list(d_NL, N, MN, n1, d_x[n1], d_y[n1], cutoff_squared);
            for (int n2 = 0; n2 < N; ++n2) {
                list.test(n2, d_x[n2], d_y[n2]);
            }
            d_NN[n1] = list.count();
        }
    }
}

// Is an atom at height y in the given row of cells, in the one above or the one below? For finite y
// the same as abs(grid.row(y) - row) <= 1, but without making an integer of it, which the hardware
// does at an eighth of the speed. (A grid of one cell may give a NaN, and that is in.)
template <typename T>
__device__ bool in_band(const CellGrid<T>& grid, T y, int row) {
    const T position = (y - grid.y_min) * grid.cells_per_unit;
    return !(position < T(row - 1)) && !(position >= T(row + 2));
}

// Calls take(n) for the atoms of a band, from all threads of the block.
template <typename T, typename Take>
__device__ void for_each_in_band(const T* d_y, int N, const CellGrid<T>& grid, int row, Take take) {
    const int tid = static_cast<int>(threadIdx.x);
    const PackSplit split = split_into_packs(d_y, N);
    const int head = static_cast<int>(split.head);
    const int packs = static_cast<int>(split.packs);
    const auto* d_packs = reinterpret_cast<const Pack<T>*>(d_y + head);
    for (int base = tid; base < packs; base += band_loads * band_threads) {
        Pack<T> y[band_loads];
#pragma unroll
        for (int k = 0; k < band_loads; ++k) {  // all loads at once; past the end, the last again
            y[k] = d_packs[min(base + k * band_threads, packs - 1)];
        }
        // First all atoms are tested, without a branch; then the few bits that are set are looked
        // at. Three atoms of a hundred are in the band.
        unsigned hits = 0;
        unsigned there = 0;
#pragma unroll
        for (int k = 0; k < band_loads; ++k) {
            there |=
                base + k * band_threads < packs ? ((1u << per_load<T>)-1) << (k * per_load<T>) : 0;
#pragma unroll
            for (int j = 0; j < per_load<T>; ++j) {
                hits |= in_band(grid, y[k].value[j], row) ? 1u << (k * per_load<T> + j) : 0;
            }
        }
        for (hits &= there; hits != 0; hits &= hits - 1) {
            const int bit = __ffs(static_cast<int>(hits)) - 1;
            const int pack = base + bit / per_load<T> * band_threads;
            take(head + pack * per_load<T> + bit % per_load<T>);
        }
    }
    const int tail = static_cast<int>(split.tail);
    for (int s = tid; s < head + (N - tail); s += band_threads) {  // single ones around the packs
        const int n = s < head ? s : tail + (s - head);
        if (in_band(grid, d_y[n], row)) {
            take(n);
        }
    }
}

// A block for each row of cells. It reads all heights, keeps the atoms of its row and of the rows
// above and below in shared memory, chains them by column there, and finds the neighbours of its
// own row. Every block reads everything: for some ten thousand atoms that comes from the L2 cache
// and takes less time than the launches that it saves.
//
// What is left is waiting: for the heights, for the other coordinates, for one barrier after
// another. So each step is spread over as many threads as there are: three search for one atom.
template <typename T>
__global__ void __launch_bounds__(band_threads)
    find_neighbors_in_bands(int* d_NN, int* d_NL, const T* d_x, const T* d_y, int N, int MN,
                            T cutoff_squared, CellGrid<T> grid) {
    Band<T>& s_band = *dynamic_shared<Band<T>>();
    const int tid = static_cast<int>(threadIdx.x);
    const int row = static_cast<int>(blockIdx.x);
    for (int bucket = tid; bucket < band_buckets; bucket += band_threads) {
        s_band.first[bucket] = -1;
    }
    if (tid == 0) {
        s_band.found = s_band.own = s_band.others = 0;
    }
    __syncthreads();  // the band is empty before anyone takes a place
    for_each_in_band(d_y, N, grid, row, [&](int n) {
        const int i = atomicAdd(&s_band.found, 1);
        if (i < Band<T>::capacity) {
            s_band.n[i] = static_cast<unsigned short>(n);
        }
    });
    __syncthreads();  // all atoms of the band are found
    const int found = s_band.found;
    if (found > Band<T>::capacity) {  // the same for all threads of the block
        find_neighbors_of_row(d_NN, d_NL, d_x, d_y, N, MN, cutoff_squared, grid, row);
        return;
    }
    const auto chain_of = [&](int column) { return &s_band.first[column & (band_buckets - 1)]; };
    for (int i = tid; i < found; i += band_threads) {
        const int n = s_band.n[i];
        const T x = d_x[n];
        const T y = d_y[n];
        const bool own = grid.row(y) == row;
        const int place =
            own ? atomicAdd(&s_band.own, 1) : Band<T>::capacity - 1 - atomicAdd(&s_band.others, 1);
        s_band.atom[place] = {x, y, n, atomicExch(chain_of(grid.column(x)), place)};
        s_band.count[place] = 0;
    }
    __syncthreads();  // all chains are complete
    const int own = s_band.own;
    for (int search = tid; search < 3 * own; search += band_threads) {
        const int i = search / 3;  // three threads for an atom: its column, and those beside it
        const BandAtom<T> self = s_band.atom[i];
        for (int k = *chain_of(grid.column(self.x) + search % 3 - 1); k >= 0;) {
            const BandAtom<T> other = s_band.atom[k];
            if (within_cutoff(self.x, self.y, other.x, other.y, cutoff_squared) && k != i) {
                const int place = atomicAdd(&s_band.count[i], 1);
                if (place < MN) {
                    d_NL[in_columns(self.n, place, N)] = other.n;
                }
            }
            k = other.next;
        }
    }
    __syncthreads();  // all neighbours are counted
    for (int i = tid; i < own; i += band_threads) {
        d_NN[s_band.atom[i].n] = s_band.count[i];
    }
}

}  // namespace

// Every block reads all atoms, so the work grows with N^1.5: for many atoms a sort is better.
template <typename T>
std::string unavailable_beyond_one_kernel(const NeighborProblem<T>& p) {
    return p.n() <= most_atoms_for_one_kernel
               ? ""
               : format("for at most %zu atoms", most_atoms_for_one_kernel);
}

template <typename T>
void run_one_kernel(NeighborProblem<T>& p) {
    static_assert(sizeof(Band<T>) <= 48 * 1024, "what a block gets without asking for more");
    find_neighbors_in_bands<<<p.grid.rows, band_threads, sizeof(Band<T>)>>>(
        p.d_NN(), p.d_NL(), p.d_x(), p.d_y(), p.N, p.MN, p.cutoff_squared, p.grid);
    CHECK_LAUNCH();
    p.layout = Layout::columns;
}
