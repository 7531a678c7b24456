// Tiles of more than a warp: they meet, shuffle, vote, reduce and scan by themselves. Tile 1 makes
// more rounds than tile 0, which would hang if the whole block had to come.
// race: status 66, "DATA RACE in kernel without_sync"
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include <cstdio>

namespace cg = cooperative_groups;

constexpr unsigned block = 256, size = 64, blocks = 2;

struct Two {
    int a, b;
};

__global__ void neighbours(int* d_right) {
    __shared__ cg::block_tile_memory<block> s_memory;
    __shared__ int s_x[block];
    const auto cta = cg::this_thread_block(s_memory);
    const auto tile = cg::tiled_partition<size>(cta);
    const unsigned first = threadIdx.x / size * size, rank = tile.thread_rank();
    bool right = rank == threadIdx.x % size && tile.size() == size &&
                 tile.meta_group_rank() == threadIdx.x / size &&
                 tile.meta_group_size() == block / size;
    for (unsigned round = 0; round < 2 + tile.meta_group_rank(); ++round) {
        s_x[threadIdx.x] = threadIdx.x + round;
        tile.sync();
        right = right && s_x[first + (rank + 33) % size] == first + (rank + 33) % size + round;
        cg::sync(tile);
    }
    const Two got = tile.shfl(Two{int(threadIdx.x), int(3 * threadIdx.x)}, 40);
    right = right && got.a == first + 40 && got.b == 3 * (first + 40);
    right = right && tile.any(threadIdx.x == 70) == (first == 64);
    right = right && tile.all(threadIdx.x != 70) == (first != 64);
    // Sums of 64 numbers that follow each other, then of all.
    const unsigned sum = cg::reduce(tile, threadIdx.x, cg::plus<unsigned>());
    right = right && sum == size * first + size * (size - 1) / 2;
    const auto all = cg::tiled_partition<block>(cta);
    right = right && cg::reduce(all, double(rank), cg::greater<double>()) == size - 1;
    const int mine = int(rank * 37 % size == rank) + int(rank % 3);
    int before = 0, largest = 0;
    for (unsigned other = 0; other < rank; ++other) {
        before += int(other * 37 % size == other) + int(other % 3);
        largest = max(largest, int(other * 29 % size));
    }
    largest = max(largest, int(rank * 29 % size));
    right = right && cg::inclusive_scan(tile, mine) == before + mine;
    right = right && cg::exclusive_scan(tile, mine) == before;
    right = right && cg::inclusive_scan(tile, int(rank * 29 % size), cg::greater<int>()) == largest;
    right = right && cg::exclusive_scan(all, 1u) == threadIdx.x;
    const auto warp = cg::tiled_partition<32>(tile);
    right = right && warp.meta_group_rank() == rank / 32 && warp.thread_rank() == rank % 32;
    atomicAdd(d_right, right);
}

__global__ void without_sync(int* d_x) {
    __shared__ cg::block_tile_memory<block> s_memory;
    const auto tile = cg::tiled_partition<size>(cg::this_thread_block(s_memory));
    d_x[threadIdx.x] = threadIdx.x;
    tile.sync();  // orders a tile alone
    if (threadIdx.x == 0)
        d_x[1] = d_x[block - 1];
}

int main() {
    int* d_x = nullptr;
    cudaMallocManaged(&d_x, (block + 1) * sizeof *d_x);
    d_x[block] = 0;
    neighbours<<<blocks, block>>>(d_x + block);
    without_sync<<<1, block>>>(d_x);
    const cudaError_t error = cudaDeviceSynchronize();
    std::printf("%s: %d threads right\n", cudaGetErrorName(error), d_x[block]);
    return error == cudaSuccess && d_x[block] == blocks * block ? 0 : 1;
}
