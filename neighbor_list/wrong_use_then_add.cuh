// Wrong on purpose: 1_atomic.cuh with the place read before the atomicAdd. Two threads may read the
// same count before either of them adds. Both then write to the same place, and one neighbor is
// lost. The counts come out right.
//
// Fan, CUDA Programming, section 9.3.2, shows these two lines as a mistake.
#pragma once

#include <cuda_runtime.h>

#include "neighbor_list/1_atomic.cuh"

__device__ inline void add_neighbor_use_then_add(int* d_NN, int* d_NL, int MN, int n, int other) {
    const int k = d_NN[n];  // race: use_then_add
    if (k < MN) {
        d_NL[atom_major(n, k, MN)] = other;  // race: use_then_add
    }
    atomicAdd(&d_NN[n], 1);
}

template <typename T>
__global__ void find_neighbors_use_then_add(const T* d_x, const T* d_y, int N, T cutoff_squared,
                                            int MN, int* d_NN, int* d_NL) {
    const int n1 = blockIdx.x * blockDim.x + threadIdx.x;
    if (n1 < N) {
        const T x1 = d_x[n1];
        const T y1 = d_y[n1];
        for (int n2 = n1 + 1; n2 < N; ++n2) {
            if (within_cutoff(x1, y1, d_x[n2], d_y[n2], cutoff_squared)) {
                add_neighbor_use_then_add(d_NN, d_NL, MN, n1, n2);
                add_neighbor_use_then_add(d_NN, d_NL, MN, n2, n1);
            }
        }
    }
}

template <typename T>
Layout launch_use_then_add(const T* d_x, const T* d_y, int N, T cutoff_squared, int MN, int* d_NN,
                           int* d_NL, int block_size) {
    CHECK(cudaMemsetAsync(d_NN, 0, N * sizeof(int)));
    const int grid_size = common::blocks_to_cover(N, block_size);
    find_neighbors_use_then_add<<<grid_size, block_size>>>(d_x, d_y, N, cutoff_squared, MN, d_NN,
                                                           d_NL);
    CHECK_LAUNCH();
    return Layout::atom_major;
}
