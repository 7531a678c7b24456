// Wrong on purpose: the kernel of 2_no_atomic.cuh, whose list is then read in the other layout. No
// race, no error: the lists are wrong.
//
// In Fan, CUDA Programming, section 9.3, find_neighbor_no_atomic writes NL[k * N + n], and
// print_neighbor reads NL[n * MN + k].
#pragma once

#include <cuda_runtime.h>

#include "neighbor_list/2_no_atomic.cuh"

template <typename T>
Layout launch_mixed_layout(const T* d_x, const T* d_y, int N, T cutoff_squared, int MN, int* d_NN,
                           int* d_NL, int block_size) {
    launch_no_atomic(d_x, d_y, N, cutoff_squared, MN, d_NN, d_NL, block_size);
    return Layout::atom_major;  // wrong: mixed_layout
}
