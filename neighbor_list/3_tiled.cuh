// Variant 3: as variant 2, but a block loads each coordinate once. A tile of blockDim.x atoms at a
// time goes into shared memory, and every thread of the block tests its atom against the tile.
//
// Source of the idea: Nyland, Harris and Prins, GPU Gems 3, chapter 31.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

#include "common/error.cuh"
#include "common/launch.cuh"
#include "common/shared_memory.cuh"
#include "neighbor_list/own_list.cuh"

// d_x, d_y: coordinates of N atoms, N at most 2^29. d_NN: N counts. d_NL: N * MN words,
// neighbor-major. One thread per atom; 2 * blockDim.x values of dynamic shared memory.
//
// Threads without an atom stay in the loop: they too load, and they must reach the barriers.
template <typename T>
__global__ void find_neighbors_tiled(const T* d_x, const T* d_y, int N, T cutoff_squared, int MN,
                                     int* d_NN, int* d_NL) {
    T* s_x = common::dynamic_shared<T>();  // for float: extern __shared__ float s_x[];
    T* s_y = s_x + blockDim.x;
    const int thread = blockIdx.x * blockDim.x + threadIdx.x;
    const bool has_atom = thread < N;
    const int n1 = has_atom ? thread : 0;
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
        __syncthreads();  // the tile is complete before any thread reads it
        if (has_atom) {
            for (int i = 0; i < length; ++i) {
                list.test(base + i, s_x[i], s_y[i]);
            }
        }
        __syncthreads();  // all threads have read it before the next tile overwrites it
    }
    if (has_atom) {
        d_NN[n1] = list.count();
    }
}

template <typename T>
Layout launch_tiled(const T* d_x, const T* d_y, int N, T cutoff_squared, int MN, int* d_NN,
                    int* d_NL, int block_size) {
    const int grid_size = common::blocks_to_cover(N, block_size);
    const std::size_t shared_bytes = 2 * block_size * sizeof(T);
    find_neighbors_tiled<<<grid_size, block_size, shared_bytes>>>(d_x, d_y, N, cutoff_squared, MN,
                                                                  d_NN, d_NL);
    CHECK_LAUNCH();
    return Layout::neighbor_major;
}
