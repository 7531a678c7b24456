// Wrong on purpose: 1_atomic.cuh with the counts set to 0 inside the kernel. A thread of an earlier
// block may already have counted this atom as the second of a pair, and that entry is lost. Blocks
// start in no particular order.
//
// The first printing of Fan, CUDA Programming, section 9.3.2, has this line; the author's errata
// take it out of the kernel.
#pragma once

#include <cuda_runtime.h>

#include "neighbor_list/1_atomic.cuh"

template <typename T>
__global__ void find_neighbors_zero_in_kernel(const T* d_x, const T* d_y, int N, T cutoff_squared,
                                              int MN, int* d_NN, int* d_NL) {
    const int n1 = blockIdx.x * blockDim.x + threadIdx.x;
    if (n1 < N) {
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

template <typename T>
Layout launch_zero_in_kernel(const T* d_x, const T* d_y, int N, T cutoff_squared, int MN, int* d_NN,
                             int* d_NL, int block_size) {
    const int grid_size = common::blocks_to_cover(N, block_size);
    find_neighbors_zero_in_kernel<<<grid_size, block_size>>>(d_x, d_y, N, cutoff_squared, MN, d_NN,
                                                             d_NL);
    CHECK_LAUNCH();
    return Layout::atom_major;
}
