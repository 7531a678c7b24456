// Wrong on purpose: what the chapter warns of. They never run unless asked for by --variant.
#pragma once

#include "reduce_atomic/reduce_atomic.cuh"

namespace {

// The end of reduce_tree without the atomic. `*d_sum += s` is a read, an addition and a write; a
// block that reads between another's read and write undoes that block's addition.
template <typename T>
__global__ void reduce_plain_add(const T* d_x, std::size_t n, T* d_sum) {
    T* s_y = dynamic_shared<T>();
    const unsigned tid = threadIdx.x;
    const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + tid;
    s_y[tid] = i < n ? d_x[i] : T(0);
    tree_sum(s_y);
    if (tid == 0) {
        *d_sum += s_y[0];  // race: plain_add
    }
}

// The end of reduce_tree without `if (tid == 0)`: every thread of the block adds the block's sum,
// so the result is block_size times too large.
template <typename T>
__global__ void reduce_no_guard(const T* d_x, std::size_t n, T* d_sum) {
    T* s_y = dynamic_shared<T>();
    const unsigned tid = threadIdx.x;
    const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + tid;
    s_y[tid] = i < n ? d_x[i] : T(0);
    tree_sum(s_y);
    atomicAdd(d_sum, s_y[0]);  // wrong: no_guard
}

}  // namespace

template <typename T>
void run_plain_add(SumProblem<T>& p) {
    const int block_size = p.block_size_or(chapter_block_size);
    CHECK(cudaMemsetAsync(p.d_sum(), 0, sizeof(T)));
    const int grid_size = blocks_to_cover(p.n, block_size);
    const std::size_t smem = block_size * sizeof(T);
    reduce_plain_add<<<grid_size, block_size, smem>>>(p.d_x, p.n, p.d_sum());
    CHECK_LAUNCH();
    p.set_accuracy(tree_additions(block_size) + grid_size);
}

template <typename T>
void run_no_guard(SumProblem<T>& p) {
    const int block_size = p.block_size_or(chapter_block_size);
    CHECK(cudaMemsetAsync(p.d_sum(), 0, sizeof(T)));
    const int grid_size = blocks_to_cover(p.n, block_size);
    const std::size_t smem = block_size * sizeof(T);
    reduce_no_guard<<<grid_size, block_size, smem>>>(p.d_x, p.n, p.d_sum());
    CHECK_LAUNCH();
    p.set_accuracy(tree_additions(block_size) + grid_size);
}
