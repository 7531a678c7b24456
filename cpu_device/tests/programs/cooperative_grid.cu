// All blocks of a grid meet, in a kernel that is launched by its address and a list of arguments.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

template <unsigned size>
__device__ int sum(cg::thread_block_tile<size> tile, int x) {
    for (unsigned i = tile.size() / 2; i > 0; i /= 2) {
        x += tile.shfl_down(x, i);
    }
    return x;
}

__global__ void k(int* sums, int* total) {
    const cg::grid_group grid = cg::this_grid();
    const cg::thread_block block = cg::this_thread_block();
    const auto warp = cg::tiled_partition<32>(block);
    if (const int s = sum<32>(warp, static_cast<int>(warp.thread_rank()));
        warp.thread_rank() == 0) {
        sums[grid.thread_rank() / 32] = s;
    }
    grid.sync();
    if (grid.thread_rank() < 32) {
        const int s = cg::reduce(warp, sums[warp.thread_rank() % 8], cg::greater<int>());
        atomicAdd(total, s);
    }
}

int main() {
    int *sums, *total, can = 0, blocks = 0;
    cudaMallocManaged(&sums, 8 * sizeof(int));
    cudaMallocManaged(&total, sizeof(int));
    *total = 0;
    cudaDeviceGetAttribute(&can, cudaDevAttrCooperativeLaunch, 0);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, k, 64, 0);
    if (!can || blocks < 4) {
        return 1;
    }
    void* arguments[] = {&sums, &total};
    if (cudaLaunchCooperativeKernel((void*)k, dim3(4), dim3(64), arguments, 0, 0) != cudaSuccess ||
        cudaDeviceSynchronize() != cudaSuccess) {
        return 2;
    }
    return *total == 32 * 496 ? 0 : 3;
}
