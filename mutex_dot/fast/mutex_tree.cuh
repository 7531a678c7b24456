// The sum under a tree of mutexes: a block waits for a few other blocks, not for all.
//
// The time that a mutex costs grows with the number of blocks that want it at once. So each mutex
// serves `fan_in` blocks, and the last of them carries their sum on to a mutex of the next level,
// until there is only one.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "common/block_reduce.cuh"
#include "common/error.cuh"
#include "common/launch.cuh"
#include "common/vector_load.cuh"
#include "mutex_dot/fast/guarded_sum.cuh"
#include "mutex_dot/fast/vectorized.cuh"

// The shape of the tree.
struct MutexTree {
    int grid_size;        // blocks of the launch
    unsigned fan_in;      // blocks per mutex
    std::size_t mutexes;  // of all levels
    double additions;     // that a block's sum passes through on its way up
};

// Few blocks, so that few blocks want a mutex at once: one of 1024 threads per multiprocessor. And
// the smallest fan_in with which the tree has no more than `levels` levels.
template <typename T>
MutexTree mutex_tree(std::size_t n, int block_size, int levels) {
    const int wanted = common::multiprocessor_count() * std::max(1, 1024 / block_size);
    MutexTree tree{std::min(wanted, common::blocks_of_one_tile<T>(n, block_size, 2)), 2, 0, 0};
    while (std::pow(tree.fan_in, levels) < tree.grid_size) {
        ++tree.fan_in;
    }
    int blocks = tree.grid_size;
    do {
        blocks = common::blocks_to_cover(blocks, static_cast<int>(tree.fan_in));
        tree.mutexes += blocks;
        tree.additions += tree.fan_in;
    } while (blocks > 1);
    return tree;
}

// Every block takes a mutex, but at each level it waits for at most fan_in - 1 others. The longest
// way to the result has as many turns as the tree has levels times fan_in, in place of one turn per
// block.
//
// Guarded is MutexSum<T> or OneWordSum<T>. d_guarded: one for each mutex, level by level from the
// blocks on; all bytes 0 before and after the launch. d_dot: one word.
template <typename T, typename Guarded>
__global__ void dot_mutex_tree(const T* d_a, const T* d_b, std::size_t n, unsigned fan_in,
                               Guarded* d_guarded, T* d_dot) {
    T sum = common::block_sum(vectorized_dot(d_a, d_b, n, blockIdx.x, gridDim.x));
    if (threadIdx.x == 0) {
        unsigned number = blockIdx.x;  // of this block, among those that have come to this level
        unsigned blocks = gridDim.x;
        bool is_last = false;
        do {
            const unsigned mutexes = (blocks - 1) / fan_in + 1;
            const unsigned mine = number / fan_in;
            const unsigned members = min(fan_in, blocks - mine * fan_in);
            is_last = add_guarded(d_guarded[mine], members, sum);
            d_guarded += mutexes;
            number = mine;
            blocks = mutexes;
        } while (is_last && blocks > 1);
        if (is_last) {
            *d_dot = sum;
        }
    }
}

// d_guarded: tree.mutexes elements, all bytes 0.
template <typename T, typename Guarded>
void launch_mutex_tree(const T* d_a, const T* d_b, std::size_t n, const MutexTree& tree,
                       Guarded* d_guarded, T* d_dot, int block_size) {
    dot_mutex_tree<<<tree.grid_size, block_size>>>(d_a, d_b, n, tree.fan_in, d_guarded, d_dot);
    CHECK_LAUNCH();
}
