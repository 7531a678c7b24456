// Variant 5: a tree of counters. A block counts at the counter of its group, and the last block of
// a group counts for the whole group at the root.
//
// Source of the idea: Yew, Tzeng and Lawrie, Distributing Hot-Spot Addressing in Large-Scale
// Multiprocessors.
#pragma once

#include <cuda_runtime.h>

#include <cuda/atomic>

#include "common/error.cuh"
#include "common/launch.cuh"
#include "grid_barrier/plate.cuh"
#include "grid_barrier/resident.cuh"

constexpr unsigned blocks_per_group = 16;

// 128 bytes apart, so that the atomics of two groups are not in one line of the cache.
struct alignas(128) TreeCounter {
    unsigned arrived;
};

// Waits until all blocks have come in this round, counted from 1. d_counters[0] is the root; those
// of the groups follow. All go on counting.
//
// acq_rel: the last block of a group has to pass on what the others of the group have released.
__device__ inline void tree_barrier(TreeCounter* d_counters, unsigned round) {
    __syncthreads();
    if (threadIdx.x == 0) {
        const unsigned group = blockIdx.x / blocks_per_group;
        const unsigned groups = (gridDim.x - 1) / blocks_per_group + 1;
        const unsigned members = min(blocks_per_group, gridDim.x - group * blocks_per_group);
        cuda::atomic_ref<unsigned, cuda::thread_scope_device> root(d_counters[0].arrived);
        cuda::atomic_ref<unsigned, cuda::thread_scope_device> own(d_counters[1 + group].arrived);
        if (own.fetch_add(1, cuda::memory_order_acq_rel) == round * members - 1) {
            root.fetch_add(1, cuda::memory_order_release);
        }
        while (static_cast<int>(root.load(cuda::memory_order_acquire) - round * groups) < 0) {
        }
    }
    __syncthreads();
}

__global__ void heat_counter_tree(Plate plate, int steps, TreeCounter* d_counters) {
    for (int step = 1; step <= steps; ++step) {
        update_cells(plate);
        tree_barrier(d_counters, step);
        swap_plates(plate);
    }
}

// How many counters a grid of so many blocks needs.
inline int tree_counters(int grid_size) {
    return 1 + common::blocks_to_cover(grid_size, static_cast<int>(blocks_per_group));
}

// d_counters: tree_counters(grid_size) of them. grid_size: not 0.
inline void launch_counter_tree(Plate plate, int steps, TreeCounter* d_counters, int block_size,
                                int grid_size) {
    grid_size = resident_blocks(heat_counter_tree, plate.n, block_size, grid_size);
    CHECK(cudaMemsetAsync(d_counters, 0, tree_counters(grid_size) * sizeof(TreeCounter)));
    void* arguments[] = {&plate, &steps, &d_counters};
    CHECK(cudaLaunchCooperativeKernel(heat_counter_tree, dim3(grid_size), dim3(block_size),
                                      arguments));
}
