// The last block of a grid adds up the sums of all blocks. Each block stores its sum and counts
// itself by an atomic. The fence between the two is missing.
//
// Found in: Kokkos, parallel_scan on CUDA, until January 2020 (issue 2681); its results were wrong.
// Teaches: who counts must have stored. last_block.cu has the same fault on the reader's side.
//
//     scripts/race docs/found/scan_missing_fence.cu             # DATA RACE
//     scripts/race docs/found/scan_missing_fence.cu -DFIXED     # clean
#include <cstdio>
#include <vector>

#include "../../common/error.cuh"

constexpr int blocks = 4;

__global__ void scan_sums(int* d_sums, int* d_offsets, unsigned* d_count) {
    d_sums[blockIdx.x] = 10 * (blockIdx.x + 1);  // stands for the sum of the block's part
#ifdef FIXED
    __threadfence();  // who sees the count sees this sum
#endif
    if (atomicAdd(d_count, 1u) == gridDim.x - 1) {  // the last block
        __threadfence();
        int offset = 0;
        for (unsigned i = 0; i < gridDim.x; ++i) {
            d_offsets[i] = offset;
            offset += d_sums[i];
        }
    }
}

int main() {
    std::vector<int> offsets(blocks);
    int *d_sums, *d_offsets;
    unsigned* d_count;
    CHECK(cudaMalloc(&d_sums, blocks * sizeof(int)));
    CHECK(cudaMalloc(&d_offsets, blocks * sizeof(int)));
    CHECK(cudaMalloc(&d_count, sizeof(unsigned)));
    CHECK(cudaMemset(d_count, 0, sizeof(unsigned)));
    scan_sums<<<blocks, 1>>>(d_sums, d_offsets, d_count);
    CHECK_LAUNCH();
    CHECK(cudaMemcpy(offsets.data(), d_offsets, blocks * sizeof(int), cudaMemcpyDeviceToHost));
    std::printf("offsets %d %d %d %d, expected 0 10 30 60\n", offsets[0], offsets[1], offsets[2],
                offsets[3]);
    return offsets == std::vector<int>{0, 10, 30, 60} ? 0 : 1;
}
