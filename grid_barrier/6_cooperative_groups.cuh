// Variant 6: the grid's barrier that comes with CUDA.
//
// Source of the idea: NVIDIA, CUDA C++ Programming Guide, Cooperative Groups.
#pragma once

#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include "common/error.cuh"
#include "grid_barrier/plate.cuh"
#include "grid_barrier/resident.cuh"

__global__ void heat_cooperative_groups(Plate plate, int steps) {
    const cooperative_groups::grid_group grid = cooperative_groups::this_grid();
    for (int step = 1; step <= steps; ++step) {
        update_cells(plate);
        grid.sync();
        swap_plates(plate);
    }
}

inline void launch_cooperative_groups(Plate plate, int steps, int block_size, int grid_size) {
    grid_size = resident_blocks(heat_cooperative_groups, plate.n, block_size, grid_size);
    void* arguments[] = {&plate, &steps};
    CHECK(cudaLaunchCooperativeKernel(heat_cooperative_groups, dim3(grid_size), dim3(block_size),
                                      arguments));
}
