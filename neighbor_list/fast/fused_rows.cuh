// fused_rows: for few atoms, where launches cost more than the work. One kernel; a block for each
// row of cells keeps the atoms of three rows in shared memory.
//
// Every block reads the y of all atoms. For some ten thousand atoms they come from the L2 cache,
// and that takes less time than the launches that it saves. The work grows with N^1.5, so for many
// atoms a sort is better.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

#include "common/error.cuh"
#include "common/shared_memory.cuh"
#include "common/vector_load.cuh"
#include "neighbor_list/cell_grid.hpp"
#include "neighbor_list/own_list.cuh"

// A block has a multiprocessor for itself.
constexpr int fused_rows_block_size = 1024;
constexpr int column_buckets = 512;  // a power of two
constexpr int row_loads = 6;         // 16-byte loads in flight per thread

// All that a search reads of an atom, in one load (two with double).
template <typename T>
struct alignas(16) RowAtom {
    T x;
    T y;
    int n;
    int next;  // the next atom of the chain, or -1
};

// The atoms of three rows of cells in shared memory. The block's own atoms, those of the row in the
// middle, are stored from the front, the others from the end. The atoms of a column form a chain.
// Columns whose numbers differ by a multiple of column_buckets share a chain: that costs tests,
// never the result.
template <typename T>
struct ThreeRows {
    static constexpr int capacity = 32768 / sizeof(RowAtom<T>);
    RowAtom<T> atom[capacity];
    int count[capacity];         // of the own atoms' neighbors
    unsigned short n[capacity];  // the atoms' numbers as they were found
    int first[column_buckets];   // of each chain, or -1
    int found;                   // atoms, also where they are more than capacity
    int own;
    int others;
};

// The numbers of atoms must fit ThreeRows::n.
constexpr std::size_t max_atoms_for_fused_rows = 65536;

// For three rows that hold too many atoms for shared memory: tests the atoms of the row against all
// atoms. As slow as no_atomic.
template <typename T>
__device__ void find_neighbors_of_row(const T* d_x, const T* d_y, int N, T cutoff_squared, int MN,
                                      const CellGrid<T>& grid, int row, int* d_NN, int* d_NL) {
    for (int n1 = static_cast<int>(threadIdx.x); n1 < N; n1 += fused_rows_block_size) {
        if (grid.row(d_y[n1]) == row) {
            OwnList<T> list(d_NL, N, MN, n1, d_x[n1], d_y[n1], cutoff_squared);
            for (int n2 = 0; n2 < N; ++n2) {
                list.test(n2, d_x[n2], d_y[n2]);
            }
            d_NN[n1] = list.count();
        }
    }
}

// Is an atom at height y in the given row of cells, in the one above or in the one below? For
// finite y the same as abs(grid.row(y) - row) <= 1, but without a conversion to an integer, which
// the hardware does at an eighth of the speed. (A grid of one cell may give a NaN: that is in.)
template <typename T>
__device__ bool in_three_rows(const CellGrid<T>& grid, T y, int row) {
    const T position = (y - grid.y_min) * grid.cells_per_unit;
    return !(position < T(row - 1)) && !(position >= T(row + 2));
}

// Calls take(n) for the atoms of three rows, from all threads of the block.
template <typename T, typename Take>
__device__ void for_each_in_three_rows(const T* d_y, int N, const CellGrid<T>& grid, int row,
                                       Take take) {
    const int tid = static_cast<int>(threadIdx.x);
    const common::VectorSplit split = common::split_into_vectors(d_y, N);
    const int head = static_cast<int>(split.head);
    const int vectors = static_cast<int>(split.vectors);
    constexpr int elements_per_vector = common::elements_per_vector<T>;
    const auto* d_vectors = reinterpret_cast<const common::AlignedVector<T>*>(d_y + head);
    for (int base = tid; base < vectors; base += row_loads * fused_rows_block_size) {
        common::AlignedVector<T> y[row_loads];
#pragma unroll
        for (int k = 0; k < row_loads; ++k) {  // all loads at once; past the end, the last again
            y[k] = d_vectors[min(base + k * fused_rows_block_size, vectors - 1)];
        }
        // First all atoms are tested, without a branch. Then the few bits that are set are looked
        // at: three atoms of a hundred are in the three rows.
        unsigned hits = 0;
        unsigned there = 0;
#pragma unroll
        for (int k = 0; k < row_loads; ++k) {
            there |= base + k * fused_rows_block_size < vectors
                         ? ((1u << elements_per_vector) - 1) << (k * elements_per_vector)
                         : 0;
#pragma unroll
            for (int j = 0; j < elements_per_vector; ++j) {
                hits |= in_three_rows(grid, y[k].value[j], row)
                            ? 1u << (k * elements_per_vector + j)
                            : 0;
            }
        }
        for (hits &= there; hits != 0; hits &= hits - 1) {
            const int bit = __ffs(static_cast<int>(hits)) - 1;
            const int vector = base + bit / elements_per_vector * fused_rows_block_size;
            take(head + vector * elements_per_vector + bit % elements_per_vector);
        }
    }
    const int tail = static_cast<int>(split.tail);
    // The single elements before and after the vectors.
    for (int s = tid; s < head + (N - tail); s += fused_rows_block_size) {
        const int n = s < head ? s : tail + (s - head);
        if (in_three_rows(grid, d_y[n], row)) {
            take(n);
        }
    }
}

// d_x, d_y: coordinates of N atoms. d_NN: N counts. d_NL: N * MN words, neighbor-major. A block
// for each row of cells; ThreeRows<T> of dynamic shared memory.
//
// The block finds the atoms of its row and of the rows above and below, chains them by column in
// shared memory, and finds the neighbors of its own row. Most of the time is waiting: for the
// loads of y, for the other coordinates, at the barriers. So each step is spread over all threads:
// three threads search for one atom.
template <typename T>
__global__ void __launch_bounds__(fused_rows_block_size)
    find_neighbors_fused_rows(const T* d_x, const T* d_y, int N, T cutoff_squared, int MN,
                              CellGrid<T> grid, int* d_NN, int* d_NL) {
    ThreeRows<T>& s_rows = *common::dynamic_shared<ThreeRows<T>>();
    const int tid = static_cast<int>(threadIdx.x);
    const int row = static_cast<int>(blockIdx.x);
    for (int bucket = tid; bucket < column_buckets; bucket += fused_rows_block_size) {
        s_rows.first[bucket] = -1;
    }
    if (tid == 0) {
        s_rows.found = s_rows.own = s_rows.others = 0;
    }
    __syncthreads();  // the rows are empty before any thread takes a place
    for_each_in_three_rows(d_y, N, grid, row, [&](int n) {
        const int i = atomicAdd(&s_rows.found, 1);
        if (i < ThreeRows<T>::capacity) {
            s_rows.n[i] = static_cast<unsigned short>(n);
        }
    });
    __syncthreads();  // all atoms of the three rows are found
    const int found = s_rows.found;
    if (found > ThreeRows<T>::capacity) {  // the same for all threads of the block
        find_neighbors_of_row(d_x, d_y, N, cutoff_squared, MN, grid, row, d_NN, d_NL);
        return;
    }
    const auto chain_of = [&](int column) { return &s_rows.first[column & (column_buckets - 1)]; };
    for (int i = tid; i < found; i += fused_rows_block_size) {
        const int n = s_rows.n[i];
        const T x = d_x[n];
        const T y = d_y[n];
        const bool own = grid.row(y) == row;
        const int place = own ? atomicAdd(&s_rows.own, 1)
                              : ThreeRows<T>::capacity - 1 - atomicAdd(&s_rows.others, 1);
        s_rows.atom[place] = {x, y, n, atomicExch(chain_of(grid.column(x)), place)};
        s_rows.count[place] = 0;
    }
    __syncthreads();  // all chains are complete
    const int own = s_rows.own;
    for (int search = tid; search < 3 * own; search += fused_rows_block_size) {
        const int i = search / 3;  // three threads for an atom: its column, and those beside it
        const RowAtom<T> self = s_rows.atom[i];
        for (int k = *chain_of(grid.column(self.x) + search % 3 - 1); k >= 0;) {
            const RowAtom<T> other = s_rows.atom[k];
            if (within_cutoff(self.x, self.y, other.x, other.y, cutoff_squared) && k != i) {
                const int place = atomicAdd(&s_rows.count[i], 1);
                if (place < MN) {
                    d_NL[neighbor_major(self.n, place, N)] = other.n;
                }
            }
            k = other.next;
        }
    }
    __syncthreads();  // all neighbors are counted
    for (int i = tid; i < own; i += fused_rows_block_size) {
        d_NN[s_rows.atom[i].n] = s_rows.count[i];
    }
}

// N at most max_atoms_for_fused_rows.
template <typename T>
Layout launch_fused_rows(const T* d_x, const T* d_y, int N, T cutoff_squared, int MN,
                         const CellGrid<T>& grid, int* d_NN, int* d_NL) {
    static_assert(sizeof(ThreeRows<T>) <= 48 * 1024, "what a block gets without asking for more");
    find_neighbors_fused_rows<<<grid.rows, fused_rows_block_size, sizeof(ThreeRows<T>)>>>(
        d_x, d_y, N, cutoff_squared, MN, grid, d_NN, d_NL);
    CHECK_LAUNCH();
    return Layout::neighbor_major;
}
