// expect: does not compile "missing_large_tiles.cu:8: error: block_tile_memory belongs to tiles of
//     more than 32 threads"
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void k(int* x) {
    __shared__ cg::block_tile_memory<1024> memory;
    const auto block = cg::this_thread_block(memory);
    const auto tile = cg::tiled_partition<256>(block);
    x[threadIdx.x] = tile.thread_rank();
}

int main() {}
