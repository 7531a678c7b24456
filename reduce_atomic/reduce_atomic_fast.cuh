// The sum at the speed of memory, and the library beside it.
#pragma once

#include "common/vector_load.cuh"
#include "reduce_atomic/reduce_atomic.cuh"

#ifdef __CUDACC__
#include <cub/device/device_reduce.cuh>
#endif

namespace {

// As shuffle, with 16-byte loads and eight of them in flight a thread.
template <typename T>
__global__ void reduce_vector_loads(const T* d_x, std::size_t n, T* d_sum) {
    const T* const d_arrays[] = {d_x};
    const auto term = [](const T* x) { return x[0]; };
    const T sum = block_sum(pack_sum(d_arrays, n, term, blockIdx.x, gridDim.x));
    if (threadIdx.x == 0) {
        atomicAdd(d_sum, sum);
    }
}

}  // namespace

template <typename T>
void run_vector_loads(SumProblem<T>& p) {
    const int block_size = p.block_size_or(512);
    CHECK(cudaMemsetAsync(p.d_sum(), 0, sizeof(T)));
    const int grid_size = blocks_of_one_tile<T>(p.n, block_size, 1);
    reduce_vector_loads<<<grid_size, block_size>>>(p.d_x, p.n, p.d_sum());
    CHECK_LAUNCH();
    p.set_accuracy(pack_sum_additions<T>(p.n, grid_size, block_size) + block_sum_additions +
                   grid_size);
}

#ifdef __CUDACC__
template <typename T>
void run_cub(SumProblem<T>& p) {
    std::size_t bytes = 0;
    CHECK(cub::DeviceReduce::Sum(nullptr, bytes, p.d_x, p.d_sum(), p.n));
    CHECK(cub::DeviceReduce::Sum(p.d_scratch(bytes), bytes, p.d_x, p.d_sum(), p.n));
    // CUB promises no bound. It adds serially in at least as many threads as two blocks of 256 a
    // multiprocessor have, and then by trees.
    const double threads = 512.0 * multiprocessor_count();
    p.set_accuracy(64 + static_cast<double>(p.n) / threads);
}
#endif
