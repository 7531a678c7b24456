// Neighbour lists at the speed of the hardware:
//
//   cell_list_sorted  the coordinates move to their cells, so that neighbours share cache lines
//   one_kernel        for few atoms, where launches cost more than the work: a single kernel
#pragma once

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

constexpr int band_block_size =
    1024;                           // a block has a multiprocessor for itself: --block is not asked
constexpr int band_buckets = 1024;  // a power of two
constexpr int band_loads = 8;       // coordinates that a thread has under way

// The atoms of three rows of cells in shared memory, in the order of arrival, and a table of them
// by column. Columns whose numbers differ by a multiple of band_buckets share a bucket: that costs
// tests, never the result.
template <typename T>
struct Band {
    static constexpr int capacity = 20480 / (2 * sizeof(T));
    T x[capacity];
    T y[capacity];
    int n[capacity];
    unsigned short sorted[capacity];  // atoms of the band, bucket after bucket
    int count[band_buckets];          // of atoms in each bucket
    int start[band_buckets];          // of each bucket in `sorted`
    int atoms;                        // in the band, also where they are more than capacity
    int cursor;                       // how much of `sorted` is given away
};

// The band is too crowded for shared memory: all atoms of the row against all atoms there are.
// Right, and as slow as no_atomic.
template <typename T>
__device__ void find_neighbors_of_row(int* d_NN, int* d_NL, const T* d_x, const T* d_y, int N,
                                      int MN, T cutoff_squared, const CellGrid<T>& grid, int row) {
    for (int n1 = static_cast<int>(threadIdx.x); n1 < N; n1 += static_cast<int>(blockDim.x)) {
        if (grid.row(d_y[n1]) == row) {
            OwnList<T> list(d_NL, N, MN, n1, d_x[n1], d_y[n1], cutoff_squared);
            for (int n2 = 0; n2 < N; ++n2) {
                list.test(n2, d_x[n2], d_y[n2]);
            }
            d_NN[n1] = list.count();
        }
    }
}

// A block for each row of cells. It reads all coordinates, keeps the atoms of its row and of the
// rows above and below in shared memory, sorts them into columns there, and finds the neighbours of
// its own row. Every block reads everything: for some ten thousand atoms that comes from the L2
// cache and takes less time than the launches that it saves.
template <typename T>
__global__ void __launch_bounds__(band_block_size)
    find_neighbors_in_bands(int* d_NN, int* d_NL, const T* d_x, const T* d_y, int N, int MN,
                            T cutoff_squared, CellGrid<T> grid) {
    Band<T>& s_band = *dynamic_shared<Band<T>>();
    const int tid = static_cast<int>(threadIdx.x);
    const int threads = static_cast<int>(blockDim.x);
    const int row = static_cast<int>(blockIdx.x);
    const auto bucket_of = [&](T x) { return grid.column(x) & (band_buckets - 1); };

    for (int bucket = tid; bucket < band_buckets; bucket += threads) {
        s_band.count[bucket] = 0;
    }
    if (tid == 0) {
        s_band.atoms = 0;
        s_band.cursor = 0;
    }
    __syncthreads();  // all counters are zero before anyone counts
    for (int base = tid; base < N; base += band_loads * threads) {
        T y[band_loads];
#pragma unroll
        for (int k = 0; k < band_loads; ++k) {  // several loads at once, then the rest
            y[k] = base + k * threads < N ? d_y[base + k * threads] : T(0);
        }
#pragma unroll
        for (int k = 0; k < band_loads; ++k) {
            const int n = base + k * threads;
            if (n < N && abs(grid.row(y[k]) - row) <= 1) {
                const int i = atomicAdd(&s_band.atoms, 1);
                if (i < Band<T>::capacity) {
                    s_band.x[i] = d_x[n];
                    s_band.y[i] = y[k];
                    s_band.n[i] = n;
                    atomicAdd(&s_band.count[bucket_of(s_band.x[i])], 1);
                }
            }
        }
    }
    __syncthreads();                         // the band is complete
    if (s_band.atoms > Band<T>::capacity) {  // the same for all threads of the block
        find_neighbors_of_row(d_NN, d_NL, d_x, d_y, N, MN, cutoff_squared, grid, row);
        return;
    }
    // Where the buckets stand does not matter as long as they do not overlap: an atomicAdd gives
    // each its own range, and no prefix sum is needed. `start` moves on as the bucket fills, from
    // its end down, and is the beginning again when all are in.
    for (int bucket = tid; bucket < band_buckets; bucket += threads) {
        const int count = s_band.count[bucket];
        if (count > 0) {
            s_band.start[bucket] = atomicAdd(&s_band.cursor, count) + count;
        }
    }
    __syncthreads();  // every bucket in use has its range
    for (int i = tid; i < s_band.atoms; i += threads) {
        const int place = atomicSub(&s_band.start[bucket_of(s_band.x[i])], 1) - 1;
        s_band.sorted[place] = static_cast<unsigned short>(i);
    }
    __syncthreads();  // all atoms stand in their buckets
    for (int i = tid; i < s_band.atoms; i += threads) {
        if (grid.row(s_band.y[i]) == row) {
            OwnList<T> list(d_NL, N, MN, s_band.n[i], s_band.x[i], s_band.y[i], cutoff_squared);
            for (int step = -1; step <= 1; ++step) {
                const int bucket =
                    (grid.column(s_band.x[i]) + band_buckets + step) & (band_buckets - 1);
                const int count = s_band.count[bucket];
                const int start = count > 0 ? s_band.start[bucket] : 0;
                for (int k = start; k < start + count; ++k) {
                    const int other = s_band.sorted[k];
                    list.test(s_band.n[other], s_band.x[other], s_band.y[other]);
                }
            }
            d_NN[s_band.n[i]] = list.count();
        }
    }
}

}  // namespace

// Every block reads all atoms, so the work grows with N^1.5: for many atoms a sort is better.
template <typename T>
std::string unavailable_beyond_one_kernel(const NeighborProblem<T>& p) {
    constexpr std::size_t most = 65536;
    return p.n() <= most ? "" : format("for at most %zu atoms", most);
}

template <typename T>
void run_one_kernel(NeighborProblem<T>& p) {
    static_assert(sizeof(Band<T>) <= 48 * 1024, "what a block gets without asking for more");
    find_neighbors_in_bands<<<p.grid.rows, band_block_size, sizeof(Band<T>)>>>(
        p.d_NN(), p.d_NL(), p.d_x(), p.d_y(), p.N, p.MN, p.cutoff_squared, p.grid);
    CHECK_LAUNCH();
    p.layout = Layout::columns;
}
