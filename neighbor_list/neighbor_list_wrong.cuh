// Wrong on purpose: the chapter's mistakes. They never run unless asked for by --variant, and none
// of them writes outside of the list.
#pragma once

#include "neighbor_list/neighbor_list.cuh"

namespace {

// As the chapter's listing: each thread sets its own atom's count to 0 before it begins. But others
// may already have counted there: a thread of an earlier block that found this atom as its second
// one. Those entries are lost. Threads of one grid start in no particular order.
template <typename T>
__global__ void find_neighbors_zero_in_kernel(int* d_NN, int* d_NL, const T* d_x, const T* d_y,
                                              int N, int MN, T cutoff_squared) {
    const long long thread = thread_in_grid();
    if (thread < N) {
        const int n1 = static_cast<int>(thread);
        const T x1 = d_x[n1];
        const T y1 = d_y[n1];
        d_NN[n1] = 0;  // race: zero_in_kernel
        for (int n2 = n1 + 1; n2 < N; ++n2) {
            if (within_cutoff(x1, y1, d_x[n2], d_y[n2], cutoff_squared)) {
                add_neighbor(d_NN, d_NL, MN, n1, n2);
                add_neighbor(d_NN, d_NL, MN, n2, n1);
            }
        }
    }
}

// Counts by an atomic and throws away what it returns. By the time that the count is read again,
// other threads may have counted too: two threads then take the same place, and one is left empty.
__device__ inline void add_neighbor_reread(int* d_NN, int* d_NL, int MN, int n, int other) {
    atomicAdd(&d_NN[n], 1);
    const int k = d_NN[n] - 1;  // race: reread_count
    if (k >= 0 && k < MN) {
        d_NL[in_rows(n, k, MN)] = other;  // race: reread_count
    }
}

template <typename T>
__global__ void find_neighbors_reread_count(int* d_NN, int* d_NL, const T* d_x, const T* d_y, int N,
                                            int MN, T cutoff_squared) {
    const long long thread = thread_in_grid();
    if (thread < N) {
        const int n1 = static_cast<int>(thread);
        const T x1 = d_x[n1];
        const T y1 = d_y[n1];
        for (int n2 = n1 + 1; n2 < N; ++n2) {
            if (within_cutoff(x1, y1, d_x[n2], d_y[n2], cutoff_squared)) {
                add_neighbor_reread(d_NN, d_NL, MN, n1, n2);
                add_neighbor_reread(d_NN, d_NL, MN, n2, n1);
            }
        }
    }
}

}  // namespace

template <typename T>
void run_zero_in_kernel(NeighborProblem<T>& p) {
    const int grid_size = blocks_to_cover(p.n(), p.block_size);
    find_neighbors_zero_in_kernel<<<grid_size, p.block_size>>>(p.d_NN(), p.d_NL(), p.d_x(), p.d_y(),
                                                               p.N, p.MN, p.cutoff_squared);
    CHECK_LAUNCH();
    p.layout = Layout::rows;
}

template <typename T>
void run_reread_count(NeighborProblem<T>& p) {
    CHECK(cudaMemsetAsync(p.d_NN(), 0, p.n() * sizeof(int)));
    const int grid_size = blocks_to_cover(p.n(), p.block_size);
    find_neighbors_reread_count<<<grid_size, p.block_size>>>(p.d_NN(), p.d_NL(), p.d_x(), p.d_y(),
                                                             p.N, p.MN, p.cutoff_squared);
    CHECK_LAUNCH();
    p.layout = Layout::rows;
}

// The right kernel, read back wrongly: no_atomic writes columns, and the chapter prints rows.
template <typename T>
void run_wrong_layout(NeighborProblem<T>& p) {
    run_no_atomic(p);
    p.layout = Layout::rows;  // wrong: wrong_layout
}
