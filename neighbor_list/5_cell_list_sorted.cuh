// Variant 5: as variant 4, but the coordinates move to the cells too. The atoms of a cell are then
// side by side in memory, and the threads of a warp look at the same few cells.
//
// Source of the idea: LAMMPS and HOOMD sort atoms in space for the same reason.
#pragma once

#include <cuda_runtime.h>

#include "common/error.cuh"
#include "common/launch.cuh"
#include "neighbor_list/4_cell_list.cuh"

// All that a search reads of an atom, in one load (two with double).
template <typename T>
struct alignas(4 * sizeof(T)) CellAtom {
    T x;
    T y;
    int n;
};

// Step 3: as fill_cells, but with the coordinates. One thread per atom.
template <typename T>
__global__ void move_atoms_to_cells(const T* d_x, const T* d_y, int N, CellGrid<T> grid,
                                    const int* d_start, const int* d_place, CellAtom<T>* d_atoms) {
    const int n = blockIdx.x * blockDim.x + threadIdx.x;
    if (n < N) {
        const T x = d_x[n];
        const T y = d_y[n];
        d_atoms[d_start[grid.cell(x, y)] + d_place[n]] = {x, y, n};
    }
}

// Step 4: each thread takes the atom at its place in d_atoms, not the atom of its own number. What
// one thread of a warp loads the others find in the cache. Only the results go to words far apart
// where the input is in no spatial order. d_NN: N counts. d_NL: N * MN words, neighbor-major.
template <typename T>
__global__ void find_neighbors_sorted(const CellAtom<T>* d_atoms, int N, T cutoff_squared, int MN,
                                      CellGrid<T> grid, const int* d_start, int* d_NN, int* d_NL) {
    const int place = blockIdx.x * blockDim.x + threadIdx.x;
    if (place < N) {
        const CellAtom<T> self = d_atoms[place];
        OwnList<T> list(d_NL, N, MN, self.n, self.x, self.y, cutoff_squared);
        for_each_range(grid, d_start, self.x, self.y, [&](int begin, int end) {
            for (int i = begin; i < end; ++i) {
                const CellAtom<T> other = d_atoms[i];
                list.test(other.n, other.x, other.y);
            }
        });
        d_NN[self.n] = list.count();
    }
}

// d_atoms: room for N atoms.
template <typename T>
Layout launch_cell_list_sorted(const T* d_x, const T* d_y, int N, T cutoff_squared, int MN,
                               const CellGrid<T>& grid, const CellArrays& cells,
                               CellAtom<T>* d_atoms, int* d_NN, int* d_NL, int block_size) {
    queue_cell_starts(d_x, d_y, N, grid, cells, block_size);
    const int grid_size = common::blocks_to_cover(N, block_size);
    move_atoms_to_cells<<<grid_size, block_size>>>(d_x, d_y, N, grid, cells.d_start, cells.d_place,
                                                   d_atoms);
    CHECK_LAUNCH();
    find_neighbors_sorted<<<grid_size, block_size>>>(d_atoms, N, cutoff_squared, MN, grid,
                                                     cells.d_start, d_NN, d_NL);
    CHECK_LAUNCH();
    return Layout::neighbor_major;
}
