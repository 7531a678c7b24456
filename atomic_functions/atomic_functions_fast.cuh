// Counting at the speed of the hardware: one atomicAdd for each warp.
#pragma once

#include "atomic_functions/atomic_functions.cuh"
#include "common/block_reduce.cuh"

namespace {

// Threads of a warp that add to one word can agree first: one of them adds for all, and each works
// out its own old value from the leader's and from how many lanes stand before it. The word sees a
// 32nd of the atomics. (Idea: "warp-aggregated atomics", Adinetz, NVIDIA developer blog, 2014. nvcc
// does this by itself where it can see that all lanes add a constant to one address.)
__global__ void add_one_warp_aggregated(int* d_x, std::size_t n, int* d_olds) {
    const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    const unsigned lane = threadIdx.x % warp_size;
    const unsigned lanes_in_warp = min(unsigned{warp_size}, blockDim.x - (threadIdx.x - lane));
    const unsigned warp =
        lanes_in_warp == warp_size ? 0xffffffffu : (1u << lanes_in_warp) - 1;  // lanes that exist
    const unsigned adding = __ballot_sync(warp, i < n);  // ... and have something to add
    if (i < n) {
        const int leader = __ffs(static_cast<int>(adding)) - 1;
        int base = 0;
        if (static_cast<int>(lane) == leader) {
            base = atomicAdd(d_x, __popc(adding));
        }
        base = __shfl_sync(adding, base, leader);
        d_olds[i] = base + __popc(adding & ((1u << lane) - 1));
    }
}

}  // namespace

inline void run_warp_aggregated_add(WordProblem& p) {
    auto& counter = p.counter();
    CHECK(cudaMemsetAsync(counter.d_words(), 0, sizeof(int)));
    add_one_warp_aggregated<<<p.grid_size, p.block_size>>>(counter.d_words(), p.n,
                                                           counter.d_olds());
    CHECK_LAUNCH();
}
