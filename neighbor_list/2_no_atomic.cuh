// Variant 2: each thread tests its atom against all others and writes to its own list only. Every
// pair is tested twice, but no two threads share a word: no atomic is needed.
//
// Source of the idea: Fan, CUDA Programming, section 9.3.3.
#pragma once

#include <cuda_runtime.h>

#include "../common/error.cuh"
#include "../common/launch.cuh"
#include "distance.cuh"
#include "layout.cuh"

// d_x, d_y: coordinates of N atoms, N at most 2^29. d_NN: N counts. d_NL: N * MN words,
// neighbor-major. One thread per atom.
//
// The count is in a register, so it needs no zero before the launch. In the neighbor-major layout
// neighboring threads write to neighboring words. The distance test comes before n2 != n1: it is
// nearly always false, and then the second test is not made.
template <typename T>
__global__ void find_neighbors_no_atomic(const T* d_x, const T* d_y, int N, T cutoff_squared,
                                         int MN, int* d_NN, int* d_NL) {
    const int n1 = blockIdx.x * blockDim.x + threadIdx.x;
    if (n1 < N) {
        const T x1 = d_x[n1];
        const T y1 = d_y[n1];
        int count = 0;
        for (int n2 = 0; n2 < N; ++n2) {
            if (within_cutoff(x1, y1, d_x[n2], d_y[n2], cutoff_squared) && n2 != n1) {
                if (count < MN) {
                    d_NL[neighbor_major(n1, count, N)] = n2;
                }
                ++count;
            }
        }
        d_NN[n1] = count;  // inside the if: the last block has threads without an atom
    }
}

template <typename T>
Layout launch_no_atomic(const T* d_x, const T* d_y, int N, T cutoff_squared, int MN, int* d_NN,
                        int* d_NL, int block_size) {
    const int grid_size = common::blocks_to_cover(N, block_size);
    find_neighbors_no_atomic<<<grid_size, block_size>>>(d_x, d_y, N, cutoff_squared, MN, d_NN,
                                                        d_NL);
    CHECK_LAUNCH();
    return Layout::neighbor_major;
}
