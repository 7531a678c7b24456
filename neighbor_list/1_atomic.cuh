// Variant 1: each pair is tested once, by the thread of its first atom. That thread writes to the
// lists of both atoms, so threads share the lists, and atomicAdd hands out the places.
//
// Source of the idea: Fan, CUDA Programming, section 9.3.2.
#pragma once

#include <cuda_runtime.h>

#include "../common/error.cuh"
#include "../common/launch.cuh"
#include "distance.cuh"
#include "layout.cuh"

// Gives atom n the neighbor `other`. atomicAdd returns the count before the addition: that place
// belongs to this thread alone. The room is checked before the write, because place MN of an atom
// is place 0 of the next one.
__device__ inline void add_neighbor(int* d_NN, int* d_NL, int MN, int n, int other) {
    const int k = atomicAdd(&d_NN[n], 1);
    if (k < MN) {
        d_NL[atom_major(n, k, MN)] = other;
    }
}

// d_x, d_y: coordinates of N atoms, N at most 2^29. d_NN: N counts, 0 before the launch. d_NL:
// N * MN words, atom-major. One thread per atom.
template <typename T>
__global__ void find_neighbors_atomic(const T* d_x, const T* d_y, int N, T cutoff_squared, int MN,
                                      int* d_NN, int* d_NL) {
    const int n1 = blockIdx.x * blockDim.x + threadIdx.x;
    if (n1 < N) {
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

template <typename T>
Layout launch_atomic(const T* d_x, const T* d_y, int N, T cutoff_squared, int MN, int* d_NN,
                     int* d_NL, int block_size) {
    CHECK(cudaMemsetAsync(d_NN, 0, N * sizeof(int)));  // before the launch, not in the kernel
    const int grid_size = common::blocks_to_cover(N, block_size);
    find_neighbors_atomic<<<grid_size, block_size>>>(d_x, d_y, N, cutoff_squared, MN, d_NN, d_NL);
    CHECK_LAUNCH();
    return Layout::atom_major;
}
