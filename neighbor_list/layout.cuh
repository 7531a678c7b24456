// The two layouts of a neighbor list of N atoms with room for MN neighbors each: where entry k of
// atom n is in the array of N * MN words. The result is 64 bits wide, because N * MN may exceed
// 2^31.
#pragma once

#include <cuda_runtime.h>  // __host__ __device__

#include <cstddef>

// Atom-major: all entries of an atom side by side.
__host__ __device__ inline std::size_t atom_major(int n, int k, int MN) {
    return static_cast<std::size_t>(n) * MN + k;
}

// Neighbor-major: entry k of all atoms side by side.
__host__ __device__ inline std::size_t neighbor_major(int n, int k, int N) {
    return static_cast<std::size_t>(k) * N + n;
}

// Each launcher returns the layout that its kernel writes. A list that is read in the other layout
// is wrong, without any error.
enum class Layout { unknown, atom_major, neighbor_major };
