// How much dynamic shared memory is left for a number of blocks: a launch with it has as many.
__global__ void k() {}

int main() {
    std::size_t bytes = 0;
    int blocks = 0, grid = 0, block = 0;
    if (cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, k, 3, 256) != cudaSuccess ||
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, k, 256, bytes) != cudaSuccess ||
        blocks < 3)
        return 1;
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, k, 256, bytes + 1024);
    if (blocks >= 3)
        return 2;
    if (cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, k, 3, 1024) != cudaErrorInvalidValue)
        return 3;
    return cudaOccupancyMaxPotentialBlockSizeWithFlags(&grid, &block, k) == cudaSuccess &&
                   block == 1024
               ? 0
               : 4;
}
