// A scan in one pass: each block waits for the flag of the block before it and adds that block's
// sum to its own. The flags are atomic, the sums are plain, and nothing orders the two.
//
// Found in: AcceleratedKernels.jl, DecoupledLookback, until pull request 116 (August 2026). Pull
// request 98 (July 2026, closed) tells that about 4 of 10 runs failed on a part of an A100, where a
// block saw the new flag and an old sum.
// Teaches: without release and acquire, an atomic flag passes on itself, and nothing else.
//
//     scripts/race docs/found/sum_and_flag.cu             # DATA RACE
//     scripts/race docs/found/sum_and_flag.cu -DFIXED     # clean
#include <cstdio>
#include <vector>

#include "../../common/error.cuh"

constexpr int blocks = 4;

__global__ void scan_blocks(int* d_sums, unsigned* d_flags) {
    int before = 0;
    if (blockIdx.x > 0) {
        while (atomicAdd(&d_flags[blockIdx.x - 1], 0u) == 0) {
        }
#ifdef FIXED
        __threadfence();  // the acquire: the sum is as new as the flag
#endif
        before = d_sums[blockIdx.x - 1];
    }
    d_sums[blockIdx.x] = before + 1;
#ifdef FIXED
    __threadfence();  // the release: the sum comes before the flag
#endif
    atomicExch(&d_flags[blockIdx.x], 1u);
}

int main() {
    std::vector<int> sums(blocks);
    int* d_sums;
    unsigned* d_flags;
    CHECK(cudaMalloc(&d_sums, blocks * sizeof(int)));
    CHECK(cudaMalloc(&d_flags, blocks * sizeof(unsigned)));
    CHECK(cudaMemset(d_flags, 0, blocks * sizeof(unsigned)));
    scan_blocks<<<blocks, 1>>>(d_sums, d_flags);
    CHECK_LAUNCH();
    CHECK(cudaMemcpy(sums.data(), d_sums, blocks * sizeof(int), cudaMemcpyDeviceToHost));
    for (const int sum : sums) {
        std::printf("%d ", sum);
    }
    std::printf("(expected 1 2 3 4)\n");
    return sums == std::vector<int>{1, 2, 3, 4} ? 0 : 1;
}
