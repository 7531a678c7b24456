// expect: status 134, "large_tiles_without_memory.cu:9", "a tile of more than 32 threads of a block
//     without block_tile_memory"
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void k(int* d_x) {
    const auto block = cg::this_thread_block();
    const auto tile = cg::tiled_partition<64>(block);
    d_x[threadIdx.x] = tile.thread_rank();
}

int main() {
    int* d_x = nullptr;
    cudaMalloc(&d_x, 128 * sizeof *d_x);
    k<<<1, 128>>>(d_x);
    cudaDeviceSynchronize();
}
