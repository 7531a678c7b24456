// Variant 4: the atoms are sorted into cells a little larger than the cutoff. A thread tests its
// atom against the atoms of nine cells only: O(N) work instead of O(N^2).
//
// Source of the idea: Hockney and Eastwood, Computer Simulation Using Particles (linked cells).
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

#include "common/error.cuh"
#include "common/launch.cuh"
#include "common/scan.cuh"
#include "neighbor_list/cell_grid.hpp"
#include "neighbor_list/own_list.cuh"

// Device memory of a cell list with C cells.
struct CellArrays {
    int* d_count;      // C: the atoms in each cell
    int* d_start;      // C + 1: where each cell begins in d_sorted; the last is N
    int* d_tile_sums;  // common::scan_tiles(C)
    int* d_place;      // N: the place of each atom within its cell
    int* d_sorted;     // N: the atoms' numbers, cell after cell
};

// Step 1: counts the atoms of each cell. The count that an atom finds is its place in the cell.
// d_count: 0 before the launch. One thread per atom.
template <typename T>
__global__ void count_atoms_in_cells(const T* d_x, const T* d_y, int N, CellGrid<T> grid,
                                     int* d_count, int* d_place) {
    const int n = blockIdx.x * blockDim.x + threadIdx.x;
    if (n < N) {
        d_place[n] = atomicAdd(&d_count[grid.cell(d_x[n], d_y[n])], 1);
    }
}

// Queues step 1, and step 2: prefix sums of the counts say where each cell begins.
template <typename T>
void queue_cell_starts(const T* d_x, const T* d_y, int N, const CellGrid<T>& grid,
                       const CellArrays& cells, int block_size) {
    CHECK(cudaMemsetAsync(cells.d_count, 0, grid.cells() * sizeof(int)));
    const int grid_size = common::blocks_to_cover(N, block_size);
    count_atoms_in_cells<<<grid_size, block_size>>>(d_x, d_y, N, grid, cells.d_count,
                                                    cells.d_place);
    CHECK_LAUNCH();
    common::exclusive_scan(cells.d_count, grid.cells(), cells.d_tile_sums, cells.d_start);
}

// Step 3: writes each atom's number to where its cell begins plus its place in the cell. No two
// atoms share a word, so this needs no second atomic. One thread per atom.
template <typename T>
__global__ void fill_cells(const T* d_x, const T* d_y, int N, CellGrid<T> grid, const int* d_start,
                           const int* d_place, int* d_sorted) {
    const int n = blockIdx.x * blockDim.x + threadIdx.x;
    if (n < N) {
        d_sorted[d_start[grid.cell(d_x[n], d_y[n])] + d_place[n]] = n;
    }
}

// Calls visit(begin, end) for the ranges of d_sorted that hold all neighbors of an atom at (x, y).
// Three cells side by side in a row are one range, so nine cells are three ranges.
template <typename T, typename Visit>
__device__ void for_each_range(const CellGrid<T>& grid, const int* d_start, T x, T y, Visit visit) {
    const int column = grid.column(x);
    const int row = grid.row(y);
    const int left = max(column - 1, 0);
    const int right = min(column + 1, grid.columns - 1);
    for (int r = max(row - 1, 0); r <= min(row + 1, grid.rows - 1); ++r) {
        visit(d_start[r * grid.columns + left], d_start[r * grid.columns + right + 1]);
    }
}

// Step 4: tests each atom against the atoms of nine cells. d_NN: N counts. d_NL: N * MN words,
// neighbor-major. One thread per atom.
template <typename T>
__global__ void find_neighbors_in_cells(const T* d_x, const T* d_y, int N, T cutoff_squared, int MN,
                                        CellGrid<T> grid, const int* d_start, const int* d_sorted,
                                        int* d_NN, int* d_NL) {
    const int n1 = blockIdx.x * blockDim.x + threadIdx.x;
    if (n1 < N) {
        OwnList<T> list(d_NL, N, MN, n1, d_x[n1], d_y[n1], cutoff_squared);
        for_each_range(grid, d_start, d_x[n1], d_y[n1], [&](int begin, int end) {
            for (int i = begin; i < end; ++i) {
                const int n2 = d_sorted[i];
                list.test(n2, d_x[n2], d_y[n2]);
            }
        });
        d_NN[n1] = list.count();
    }
}

template <typename T>
Layout launch_cell_list(const T* d_x, const T* d_y, int N, T cutoff_squared, int MN,
                        const CellGrid<T>& grid, const CellArrays& cells, int* d_NN, int* d_NL,
                        int block_size) {
    queue_cell_starts(d_x, d_y, N, grid, cells, block_size);
    const int grid_size = common::blocks_to_cover(N, block_size);
    fill_cells<<<grid_size, block_size>>>(d_x, d_y, N, grid, cells.d_start, cells.d_place,
                                          cells.d_sorted);
    CHECK_LAUNCH();
    find_neighbors_in_cells<<<grid_size, block_size>>>(d_x, d_y, N, cutoff_squared, MN, grid,
                                                       cells.d_start, cells.d_sorted, d_NN, d_NL);
    CHECK_LAUNCH();
    return Layout::neighbor_major;
}
