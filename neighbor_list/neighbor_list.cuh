// Neighbour lists: for each of N atoms in a plane, the atoms less than a cutoff away. In the order
// of the lesson:
//
//   atomic     half of the pairs; both atoms of a pair get an entry, so threads share the lists
//   no_atomic  all pairs; each thread writes only its own list, and writes are coalesced
//   tiled      the same, coordinates read once a block into shared memory
//   cell_list  only pairs from neighbouring cells: O(N) work; atomics sort the atoms into cells
//
// d_x, d_y: N coordinates of type T (float or double) in angstrom. d_NN: N counts. d_NL: N * MN
// entries, in rows (atom n's at n * MN + k) or in columns (at k * N + n), as the kernel says. A
// count goes on past MN; entries past MN are left out. Atoms are numbered by int.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <string>
#include <vector>

#include "common/error.cuh"
#include "common/launch.cuh"
#include "common/scan.cuh"
#include "common/shared_memory.cuh"
#include "common/variant.cuh"
#include "neighbor_list/cell_grid.hpp"
#include "neighbor_list/neighbor_list_cpu.hpp"
#include "neighbor_list/neighbor_list_problem.cuh"

namespace {

// The calling thread's number in the grid, wide enough for the threads behind the last atom.
__device__ inline long long thread_in_grid() {
    return static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
}

// --- atomic -------------------------------------------------------------------------------------

// Gives atom n the neighbour `other`. Many threads add to one atom's list at a time; the value that
// atomicAdd returns is this thread's own place in it, and no other thread gets the same. (Reading
// d_NN[n] before or after would give a place that others may read too.) The bound is checked before
// the write: place MN is already the next atom's.
__device__ inline void add_neighbor(int* d_NN, int* d_NL, int MN, int n, int other) {
    const int k = atomicAdd(&d_NN[n], 1);
    if (k < MN) {
        d_NL[in_rows(n, k, MN)] = other;
    }
}

// Each pair is tested once, by the thread of its first atom. d_NN must be zero before the launch:
// were it zeroed here, by each thread for its own atom, a block that starts late would wipe out
// entries that earlier blocks have made. The order of a list's entries differs from run to run.
template <typename T>
__global__ void find_neighbors_atomic(int* d_NN, int* d_NL, const T* d_x, const T* d_y, int N,
                                      int MN, T cutoff_squared) {
    const long long thread = thread_in_grid();
    if (thread < N) {
        const int n1 = static_cast<int>(thread);
        const T x1 = d_x[n1];
        const T y1 = d_y[n1];
        for (int n2 = n1 + 1; n2 < N; ++n2) {
            if (within_cutoff(x1, y1, d_x[n2], d_y[n2], cutoff_squared)) {
                add_neighbor(d_NN, d_NL, MN, n1, n2);
                add_neighbor(d_NN, d_NL, MN, n2, n1);
            }
        }
    }
}

}  // namespace

// The whole trip by hand: allocate, copy, zero, launch, check, copy back, free. Everything else in
// this project does these steps through DeviceArray and the harness. The rows of the result are in
// the order that the threads came in.
template <typename T>
NeighborList neighbors_by_hand(const std::vector<T>& h_x, const std::vector<T>& h_y, T cutoff,
                               int MN, int block_size) {
    const int N = static_cast<int>(h_x.size());
    NeighborList list(h_x.size(), MN);
    if (N == 0) {
        return list;
    }
    T *d_x = nullptr, *d_y = nullptr;
    int *d_NN = nullptr, *d_NL = nullptr;
    CHECK(cudaMalloc(reinterpret_cast<void**>(&d_x), N * sizeof(T)));
    CHECK(cudaMalloc(reinterpret_cast<void**>(&d_y), N * sizeof(T)));
    CHECK(cudaMalloc(reinterpret_cast<void**>(&d_NN), N * sizeof(int)));
    CHECK(cudaMalloc(reinterpret_cast<void**>(&d_NL), list.NL.size() * sizeof(int)));
    CHECK(cudaMemcpy(d_x, h_x.data(), N * sizeof(T), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_y, h_y.data(), N * sizeof(T), cudaMemcpyHostToDevice));
    CHECK(cudaMemset(d_NN, 0, N * sizeof(int)));  // before the launch: nobody counts yet
    CHECK(cudaMemset(d_NL, 0xff, list.NL.size() * sizeof(int)));  // no_neighbor: all bits set

    const int grid_size = blocks_to_cover(h_x.size(), block_size);
    find_neighbors_atomic<<<grid_size, block_size>>>(d_NN, d_NL, d_x, d_y, N, MN, cutoff * cutoff);
    CHECK_LAUNCH();

    CHECK(cudaMemcpy(list.NN.data(), d_NN, N * sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(list.NL.data(), d_NL, list.NL.size() * sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_NL));
    CHECK(cudaFree(d_NN));
    CHECK(cudaFree(d_y));
    CHECK(cudaFree(d_x));
    return list;
}

// The variants that test all pairs are left out where that would take minutes.
template <typename T>
std::string unavailable_beyond_all_pairs(const NeighborProblem<T>& p) {
    constexpr std::size_t most = on_cpu_device ? 50000 : 1000000;
    return p.n() <= most ? "" : format("all pairs of more than %zu atoms take too long here", most);
}

template <typename T>
void run_atomic(NeighborProblem<T>& p) {
    CHECK(cudaMemsetAsync(p.d_NN(), 0, p.n() * sizeof(int)));
    const int grid_size = blocks_to_cover(p.n(), p.block_size);
    find_neighbors_atomic<<<grid_size, p.block_size>>>(p.d_NN(), p.d_NL(), p.d_x(), p.d_y(), p.N,
                                                       p.MN, p.cutoff_squared);
    CHECK_LAUNCH();
    p.layout = Layout::rows;
}

namespace {

// --- no_atomic ----------------------------------------------------------------------------------

// Each thread finds its own atom's neighbours among all atoms: every pair is tested twice, but only
// one thread writes to a list, so it counts in a register and needs no atomic and no zeros before.
// In columns, neighbouring threads write to neighbouring words. The cheap rejection, distance,
// stands before n2 != n1, which is nearly always true.
template <typename T>
__global__ void find_neighbors_no_atomic(int* d_NN, int* d_NL, const T* d_x, const T* d_y, int N,
                                         int MN, T cutoff_squared) {
    const long long thread = thread_in_grid();
    if (thread < N) {
        const int n1 = static_cast<int>(thread);
        const T x1 = d_x[n1];
        const T y1 = d_y[n1];
        int count = 0;
        for (int n2 = 0; n2 < N; ++n2) {
            if (within_cutoff(x1, y1, d_x[n2], d_y[n2], cutoff_squared) && n2 != n1) {
                if (count < MN) {
                    d_NL[in_columns(n1, count, N)] = n2;
                }
                ++count;
            }
        }
        d_NN[n1] = count;  // inside the if: the last block has threads without an atom
    }
}

}  // namespace

template <typename T>
void run_no_atomic(NeighborProblem<T>& p) {
    const int grid_size = blocks_to_cover(p.n(), p.block_size);
    find_neighbors_no_atomic<<<grid_size, p.block_size>>>(p.d_NN(), p.d_NL(), p.d_x(), p.d_y(), p.N,
                                                          p.MN, p.cutoff_squared);
    CHECK_LAUNCH();
    p.layout = Layout::columns;
}

namespace {

// One thread's list of its own atom, in columns: what no_atomic does, in words of its own.
template <typename T>
class OwnList {
  public:
    // Of atom n1 at (x1, y1).
    __device__ OwnList(int* d_NL, int N, int MN, int n1, T x1, T y1, T cutoff_squared)
        : d_NL_(d_NL), N_(N), MN_(MN), n1_(n1), x1_(x1), y1_(y1), cutoff_squared_(cutoff_squared) {}

    // Takes atom n2 at (x2, y2) into the list if it is a neighbour.
    __device__ void test(int n2, T x2, T y2) {
        if (within_cutoff(x1_, y1_, x2, y2, cutoff_squared_) && n2 != n1_) {
            if (count_ < MN_) {
                d_NL_[in_columns(n1_, count_, N_)] = n2;
            }
            ++count_;
        }
    }
    __device__ int count() const { return count_; }

  private:
    int* d_NL_;
    int N_;
    int MN_;
    int n1_;
    T x1_;
    T y1_;
    T cutoff_squared_;
    int count_ = 0;
};

// --- tiled --------------------------------------------------------------------------------------

// All pairs again, but a block fetches each coordinate once: blockDim.x atoms at a time go into
// shared memory, and every thread tests its atom against them. Threads without an atom of their own
// stay in the loop, because they too fetch and must meet the others at the barriers.
template <typename T>
__global__ void find_neighbors_tiled(int* d_NN, int* d_NL, const T* d_x, const T* d_y, int N,
                                     int MN, T cutoff_squared) {
    T* s_x = dynamic_shared<T>();
    T* s_y = s_x + blockDim.x;
    const long long thread = thread_in_grid();
    const bool has_atom = thread < N;
    const int n1 = has_atom ? static_cast<int>(thread) : 0;
    OwnList<T> list(d_NL, N, MN, n1, has_atom ? d_x[n1] : T(0), has_atom ? d_y[n1] : T(0),
                    cutoff_squared);
    const int tid = static_cast<int>(threadIdx.x);
    const int tile = static_cast<int>(blockDim.x);
    for (int base = 0; base < N; base += tile) {
        const int length = min(tile, N - base);
        if (tid < length) {
            s_x[tid] = d_x[base + tid];
            s_y[tid] = d_y[base + tid];
        }
        __syncthreads();  // the tile is complete before anyone reads it
        if (has_atom) {
            for (int i = 0; i < length; ++i) {
                list.test(base + i, s_x[i], s_y[i]);
            }
        }
        __syncthreads();  // everyone has read it before the next one overwrites it
    }
    if (has_atom) {
        d_NN[n1] = list.count();
    }
}

}  // namespace

template <typename T>
void run_tiled(NeighborProblem<T>& p) {
    const int grid_size = blocks_to_cover(p.n(), p.block_size);
    const std::size_t smem = 2 * p.block_size * sizeof(T);
    find_neighbors_tiled<<<grid_size, p.block_size, smem>>>(p.d_NN(), p.d_NL(), p.d_x(), p.d_y(),
                                                            p.N, p.MN, p.cutoff_squared);
    CHECK_LAUNCH();
    p.layout = Layout::columns;
}

namespace {

// --- cell_list ----------------------------------------------------------------------------------

// Counts the atoms of each cell; the count that an atom finds is its place in the cell. d_count is
// zero before.
template <typename T>
__global__ void count_atoms_in_cells(const T* d_x, const T* d_y, int N, CellGrid<T> grid,
                                     int* d_count, int* d_place) {
    const long long n = thread_in_grid();
    if (n < N) {
        d_place[n] = atomicAdd(&d_count[grid.cell(d_x[n], d_y[n])], 1);
    }
}

// Puts each atom's number where its cell begins plus its place in the cell: no two atoms share a
// word, so this needs no second atomic.
template <typename T>
__global__ void fill_cells(const T* d_x, const T* d_y, int N, CellGrid<T> grid, const int* d_start,
                           const int* d_place, int* d_sorted) {
    const long long n = thread_in_grid();
    if (n < N) {
        d_sorted[d_start[grid.cell(d_x[n], d_y[n])] + d_place[n]] = static_cast<int>(n);
    }
}

// Calls visit(begin, end) for the ranges of d_sorted in which the neighbours of an atom at (x, y)
// stand. Three cells side by side are one range, so nine cells are three ranges.
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

template <typename T>
__global__ void find_neighbors_in_cells(int* d_NN, int* d_NL, const T* d_x, const T* d_y, int N,
                                        int MN, T cutoff_squared, CellGrid<T> grid,
                                        const int* d_start, const int* d_sorted) {
    const long long thread = thread_in_grid();
    if (thread < N) {
        const int n1 = static_cast<int>(thread);
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

}  // namespace

// Queues the sort into cells up to where each cell begins: count, and prefix sums of the counts.
// The box is known before (Problem's constructor finds it on the host, as a simulation knows it);
// all the rest is done here and timed.
template <typename T>
void count_cells(NeighborProblem<T>& p) {
    CellArrays<T>& cells = p.cells;
    cells.count.fill_bytes(0);
    const int grid_size = blocks_to_cover(p.n(), p.block_size);
    count_atoms_in_cells<<<grid_size, p.block_size>>>(p.d_x(), p.d_y(), p.N, p.grid,
                                                      cells.count.data(), cells.place.data());
    CHECK_LAUNCH();
    exclusive_scan(cells.count.data(), p.grid.cells(), cells.tile_sums.data(), cells.start.data());
}

template <typename T>
void run_cell_list(NeighborProblem<T>& p) {
    CellArrays<T>& cells = p.cells;
    count_cells(p);
    const int grid_size = blocks_to_cover(p.n(), p.block_size);
    fill_cells<<<grid_size, p.block_size>>>(p.d_x(), p.d_y(), p.N, p.grid, cells.start.data(),
                                            cells.place.data(), cells.sorted.data());
    CHECK_LAUNCH();
    find_neighbors_in_cells<<<grid_size, p.block_size>>>(p.d_NN(), p.d_NL(), p.d_x(), p.d_y(), p.N,
                                                         p.MN, p.cutoff_squared, p.grid,
                                                         cells.start.data(), cells.sorted.data());
    CHECK_LAUNCH();
    p.layout = Layout::columns;
}
