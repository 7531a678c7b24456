// One word takes one atomic after another, so what counts is how often it is asked. Threads that
// agree among themselves first ask less often:
//
//   warp_aggregated_add   one atomicAdd for each warp
//   block_aggregated_add  one for each block
//   warp_aggregated_max   a function that is no sum: the larger of two floats
//
// Idea: "warp-aggregated atomics", Adinetz, NVIDIA developer blog, 2014.
#pragma once

#include "atomic_functions/atomic_functions.cuh"
#include "atomic_functions/atomic_functions_from_cas.cuh"
#include "common/block_reduce.cuh"

namespace {

// --- warp_aggregated_add

// One lane adds for all, and each works out its own old value from the leader's and from how many
// lanes stand before it. The word sees a 32nd of the atomics. nvcc (13.0) does this by itself where
// it can see that a warp adds ints at one address: so it has compiled atomic_add, too.
__global__ void add_one_warp_aggregated(int* d_x, std::size_t n, int* d_olds) {
    const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    const unsigned lane = threadIdx.x % warp_size;
    // Not all 32 lanes: the last warp of a block may have fewer.
    const unsigned adding = __ballot_sync(existing_lanes(), i < n);
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

namespace {

// --- block_aggregated_add

// The same for a block: thread 0 adds for all. The barrier counts them. The threads with i < n are
// the block's first ones, so that thread t has exactly t others before it; if threads anywhere in
// the block might be left out, it would take a prefix sum (block_prefix_sum in
// common/block_reduce.cuh, for whole warps).
__global__ void add_one_block_aggregated(int* d_x, std::size_t n, int* d_olds) {
    __shared__ int s_base;
    const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    const int adding = __syncthreads_count(i < n);
    if (threadIdx.x == 0) {
        s_base = atomicAdd(d_x, adding);
    }
    __syncthreads();  // the block's old value is there before its threads read it
    if (i < n) {
        d_olds[i] = s_base + static_cast<int>(threadIdx.x);
    }
}

}  // namespace

inline void run_block_aggregated_add(WordProblem& p) {
    auto& counter = p.counter();
    CHECK(cudaMemsetAsync(counter.d_words(), 0, sizeof(int)));
    add_one_block_aggregated<<<p.grid_size, p.block_size>>>(counter.d_words(), p.n,
                                                            counter.d_olds());
    CHECK_LAUNCH();
}

namespace {

// --- warp_aggregated_max

// Floats as signed integers in the same order, so that max() can compare them: the bits, and if the
// float is negative, all of them but the sign inverted. Doing so twice gives the bits back. (The
// order is that of total_order() in atomic_functions_cpu.hpp.)
__device__ int ordered_key(int bits) {
    return bits >= 0 ? bits : bits ^ 0x7fffffff;
}
__device__ float float_of_key(int key) {
    return __int_as_float(ordered_key(key));
}

// float_max_bits makes an atomic for each thread, and nvcc leaves it so. Here the last lane brings
// the largest value of its warp. (The lanes with i < n are the first ones, so the last of them has
// as many before it as take part, less one.) Each lane's old value is then as if the lanes had come
// one behind the other: the larger of the word's and of all that the lanes before it have brought.
// `largest`, a running maximum, is made by shuffles that look twice as far back in each step.
__global__ void max_warp_aggregated(float* d_x, const float* d_values, std::size_t n,
                                    float* d_olds) {
    const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    const int lane = static_cast<int>(threadIdx.x) % warp_size;
    const unsigned taking_part = __ballot_sync(existing_lanes(), i < n);
    if (i >= n) {
        return;
    }
    int largest = ordered_key(__float_as_int(d_values[i]));  // of the lanes up to this one
    for (int offset = 1; offset < warp_size; offset *= 2) {
        // A lane with fewer than `offset` before it gets its own value back, which changes nothing.
        largest = max(largest, __shfl_up_sync(taking_part, largest, offset));
    }
    const int last = __popc(taking_part) - 1;  // its `largest` is the warp's
    int old = 0;
    if (lane == last) {
        const float value = float_of_key(largest);
        old = ordered_key(__float_as_int(FloatMaxByBits::apply<Scope::device>(d_x, value, 0)));
    }
    old = __shfl_sync(taking_part, old, last);
    const int before = __shfl_up_sync(taking_part, largest, 1);
    d_olds[i] = float_of_key(lane == 0 ? old : max(old, before));
}

}  // namespace

inline void run_warp_aggregated_max(WordProblem& p) {
    auto& history = p.history<FloatMaxByBits, float>(false, p.operands);
    history.set_words();
    max_warp_aggregated<<<p.grid_size, p.block_size>>>(history.d_words(), history.d_values(), p.n,
                                                       history.d_olds());
    CHECK_LAUNCH();
}
