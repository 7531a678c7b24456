// Threads, blocks, grids, warps and lanes: how a thread finds out which one it is.
// Notes: basics/01_threads.md. With the toolkit alone, in this folder:
//
//     nvcc -O3 -arch=native 01_threads.cu -o threads
//
// After Sanders and Kandrot, "CUDA by Example", the chapter on threads.
#include <algorithm>
#include <cstdio>
#include <vector>

#include "../common/error.cuh"

// The index of this thread's block in the grid: x runs fastest, then y, then z.
__device__ int block_index(int grid_dimensions) {
    if (grid_dimensions == 1) {
        return blockIdx.x;
    }
    if (grid_dimensions == 2) {
        return blockIdx.y * gridDim.x + blockIdx.x;
    }
    return (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
}

// The index of this thread in its block.
__device__ int thread_index(int block_dimensions) {
    if (block_dimensions == 1) {
        return threadIdx.x;
    }
    if (block_dimensions == 2) {
        return threadIdx.y * blockDim.x + threadIdx.x;
    }
    return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}

// Six coordinates below 10 as the six digits of one number.
__host__ __device__ int digits(int bz, int by, int bx, int tz, int ty, int tx) {
    return ((((bz * 10 + by) * 10 + bx) * 10 + tz) * 10 + ty) * 10 + tx;
}

// Each thread writes its coordinates to the element that its index selects.
__global__ void write_coordinates(int* d_coordinates, int grid_dimensions, int block_dimensions) {
    const int threads_per_block = blockDim.x * blockDim.y * blockDim.z;
    const int index =
        block_index(grid_dimensions) * threads_per_block + thread_index(block_dimensions);
    d_coordinates[index] =
        digits(blockIdx.z, blockIdx.y, blockIdx.x, threadIdx.z, threadIdx.y, threadIdx.x);
}

// Each thread writes the index of its warp. The first and the last lane of each warp also print.
__global__ void write_warps(int* d_warps) {
    const int warp = threadIdx.x / warpSize;
    const int lane = threadIdx.x % warpSize;
    d_warps[blockIdx.x * blockDim.x + threadIdx.x] = warp;
    if (lane == 0 || lane == warpSize - 1) {
        printf("  block %u, thread %2u: warp %d, lane %2d\n", blockIdx.x, threadIdx.x, warp, lane);
    }
}

// The host visits the same threads in nested loops and counts the elements that differ.
int count_wrong(const std::vector<int>& coordinates, dim3 grid, dim3 block) {
    int wrong = 0;
    int index = 0;
    for (unsigned bz = 0; bz < grid.z; ++bz)
        for (unsigned by = 0; by < grid.y; ++by)
            for (unsigned bx = 0; bx < grid.x; ++bx)
                for (unsigned tz = 0; tz < block.z; ++tz)
                    for (unsigned ty = 0; ty < block.y; ++ty)
                        for (unsigned tx = 0; tx < block.x; ++tx)
                            wrong += coordinates[index++] != digits(bz, by, bx, tz, ty, tx);
    return wrong;
}

int main() {
    int wrong = 0;

    // 1. Nine shapes: a grid of 1, 2 or 3 dimensions, of blocks of 1, 2 or 3 dimensions.
    std::printf("grid       block      threads  wrong numbers\n");
    for (int grid_dimensions = 1; grid_dimensions <= 3; ++grid_dimensions) {
        for (int block_dimensions = 1; block_dimensions <= 3; ++block_dimensions) {
            const dim3 grid(4, grid_dimensions >= 2 ? 3 : 1, grid_dimensions >= 3 ? 2 : 1);
            const dim3 block(5, block_dimensions >= 2 ? 4 : 1, block_dimensions >= 3 ? 3 : 1);
            const int threads = grid.x * grid.y * grid.z * block.x * block.y * block.z;
            std::vector<int> coordinates(threads);
            int* d_coordinates;
            CHECK(cudaMalloc(&d_coordinates, threads * sizeof(int)));
            CHECK(cudaMemset(d_coordinates, 0xff, threads * sizeof(int)));  // all -1: not written
            write_coordinates<<<grid, block>>>(d_coordinates, grid_dimensions, block_dimensions);
            CHECK_LAUNCH();
            CHECK(cudaMemcpy(coordinates.data(), d_coordinates, threads * sizeof(int),
                             cudaMemcpyDeviceToHost));
            CHECK(cudaFree(d_coordinates));
            const int wrong_here = count_wrong(coordinates, grid, block);
            std::printf("%u x %u x %u  %u x %u x %u  %7d  %d\n", grid.x, grid.y, grid.z, block.x,
                        block.y, block.z, threads, wrong_here);
            wrong += wrong_here;
        }
    }

    // 2. Four blocks of 33 threads. The order of the lines differs from run to run.
    const int threads = 4 * 33;
    std::vector<int> warps(threads);
    int* d_warps;
    CHECK(cudaMalloc(&d_warps, threads * sizeof(int)));
    std::printf("\nthe first and the last lane of each warp, in 4 blocks of 33 threads:\n");
    write_warps<<<4, 33>>>(d_warps);
    CHECK_LAUNCH();
    CHECK(cudaDeviceSynchronize());  // waits for the kernel; only then are its lines all printed
    CHECK(cudaMemcpy(warps.data(), d_warps, threads * sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_warps));
    const int in_warp_0 = std::count(warps.begin(), warps.end(), 0);
    const int in_warp_1 = std::count(warps.begin(), warps.end(), 1);
    std::printf("threads in warp 0: %d, in warp 1: %d\n", in_warp_0, in_warp_1);
    wrong += in_warp_0 != 4 * 32 || in_warp_1 != 4 * 1;

    std::printf(wrong == 0 ? "all numbers are right\n" : "WRONG\n");
    return wrong == 0 ? 0 : 1;
}
