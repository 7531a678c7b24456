// 16-byte loads, for kernels that go for the speed of memory: fewer instructions for the same
// bytes, and more bytes under way at a time. They work on whole vectors of 16 bytes only. So an
// array of any alignment and length is cut in three: single elements up to the first 16-byte
// boundary, whole vectors, and the single elements after the last of them.
#pragma once

#include <cuda_runtime.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "common/launch.cuh"

namespace common {

// Elements of T in one 16-byte load, the widest that a thread can make.
template <typename T>
constexpr int elements_per_vector = static_cast<int>(16 / sizeof(T));

// Independent loads that a thread has under way: a load takes some 600 cycles, and memory is kept
// busy only if enough others start meanwhile.
constexpr int loads_in_flight = 8;

// 16 bytes of T's. A struct with that alignment is loaded by one instruction.
template <typename T>
struct alignas(16) AlignedVector {
    T value[elements_per_vector<T>];
};

// How many elements d_x lies after a 16-byte boundary: 0 to elements_per_vector - 1.
template <typename T>
__host__ __device__ std::size_t misalignment(const T* d_x) {
    return reinterpret_cast<std::uintptr_t>(d_x) % 16 / sizeof(T);
}

// An array cut in three: single elements [0, head), vectors from head on, and single elements
// [tail, n). head and n - tail are less than elements_per_vector.
struct VectorSplit {
    std::size_t head;
    std::size_t vectors;
    std::size_t tail;
};

template <typename T>
__host__ __device__ VectorSplit split_into_vectors(const T* d_x, std::size_t n) {
    const std::size_t to_boundary =
        (elements_per_vector<T> - misalignment(d_x)) % elements_per_vector<T>;
    const std::size_t head = to_boundary < n ? to_boundary : n;
    const std::size_t vectors = (n - head) / elements_per_vector<T>;
    return {head, vectors, head + vectors * elements_per_vector<T>};
}

// The part that falls to one thread of the sum of term(x_i) over i = 0 ... n - 1, where x_i holds
// element i of each of K arrays: term takes a `const T*` to K values, and makes 0 of zeros. The sum
// is of the type that term returns. The threads of `blocks` one-dimensional blocks share the work;
// the calling one is number `block`.
//
// 16-byte loads need elements with the same number to lie equally far from a 16-byte boundary;
// where the arrays differ in that, every element is loaded alone.
template <int K, typename T, typename Term>
__device__ auto vectorized_sum(const T* const (&d_arrays)[K], std::size_t n, Term term,
                               unsigned block, unsigned blocks) {
    using Sum = decltype(term(static_cast<const T*>(nullptr)));
    constexpr int in_flight = loads_in_flight / K;  // vectors of each array
    VectorSplit split = split_into_vectors(d_arrays[0], n);
    for (int a = 1; a < K; ++a) {
        if (misalignment(d_arrays[a]) != misalignment(d_arrays[0])) {
            split = {n, 0, n};
        }
    }
    const std::size_t tile = std::size_t{blockDim.x} * in_flight;
    Sum sums[in_flight] = {};
    // Adds a tile of in_flight vectors per thread. In a whole tile no load needs a test whether its
    // vector is there, so the compiler can start all of them before it waits for the first.
    const auto add_tile = [&](std::size_t base, auto whole) {
        AlignedVector<T> vectors[in_flight][K] = {};
#pragma unroll
        for (int k = 0; k < in_flight; ++k) {
            const std::size_t i = base + k * std::size_t{blockDim.x} + threadIdx.x;
            for (int a = 0; a < K; ++a) {
                if (decltype(whole)::value || i < split.vectors) {
                    vectors[k][a] =
                        reinterpret_cast<const AlignedVector<T>*>(d_arrays[a] + split.head)[i];
                }
            }
        }
#pragma unroll
        for (int k = 0; k < in_flight; ++k) {
            for (int j = 0; j < elements_per_vector<T>; ++j) {
                T values[K];
                for (int a = 0; a < K; ++a) {
                    values[a] = vectors[k][a].value[j];
                }
                sums[k] += term(values);
            }
        }
    };
    for (std::size_t base = block * tile; base < split.vectors; base += blocks * tile) {
        if (base + tile <= split.vectors) {
            add_tile(base, std::true_type{});
        } else {
            add_tile(base, std::false_type{});
        }
    }
    Sum sum = 0;
    for (int k = 0; k < in_flight; ++k) {
        sum += sums[k];
    }

    // The single elements before and after the vectors.
    const std::size_t thread = std::size_t{block} * blockDim.x + threadIdx.x;
    const std::size_t stride = std::size_t{blocks} * blockDim.x;
    const std::size_t singles = split.head + (n - split.tail);
    for (std::size_t s = thread; s < singles; s += stride) {
        const std::size_t i = s < split.head ? s : split.tail + (s - split.head);
        T values[K];
        for (int a = 0; a < K; ++a) {
            values[a] = d_arrays[a][i];
        }
        sum += term(values);
    }
    return sum;
}

// Additions that a term passes through in vectorized_sum, at the most: those of its thread,
// one for each element, and the vectors in flight.
template <typename T>
double vectorized_sum_additions(std::size_t n, int grid_size, int block_size) {
    const double threads = static_cast<double>(grid_size) * block_size;
    // A thread may have one tile more than the average.
    const double tile = elements_per_vector<T> * loads_in_flight;
    return std::ceil(static_cast<double>(n) / threads) + tile + 2 * elements_per_vector<T> +
           loads_in_flight;
}

// Threads that get one tile of vectors of each of K arrays, so that all n elements are read.
template <typename T>
std::size_t threads_of_one_tile(std::size_t n, int K) {
    return n / (elements_per_vector<T> * (loads_in_flight / K)) + 1;
}

// Blocks in which each thread gets one tile: the blocks then end one by one, not all at the same
// time.
template <typename T>
int blocks_of_one_tile(std::size_t n, int block_size, int K) {
    return blocks_to_cover(threads_of_one_tile<T>(n, K), block_size);
}

}  // namespace common
