// Wrong on purpose: 2_host_joins.cuh without cudaSetDevice. All parts are launched on GPU 0, where
// the kernels fail: the other parts lie in memory to which GPU 0 has no access. With access, GPU 0
// would do all the work, and the result would be right.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

#include "common/error.cuh"
#include "several_gpus/2_host_joins.cuh"
#include "several_gpus/parts.cuh"

template <typename Task>
void launch_all_on_gpu_0(const Parts<Task>& parts, typename Task::Word* h_result, int block_size) {
    constexpr std::size_t bytes = Task::words * sizeof(typename Task::Word);
    const auto add_to_own = add_to_own_words<Task>;
    for (const Part<Task>& part : parts) {
        CHECK(cudaMemsetAsync(part.d_words, 0, bytes));
        const int blocks = blocks_for(add_to_own, part, block_size);
        add_to_own<<<blocks, block_size>>>(part.d_x, part.n, part.d_words);  // race: all_on_gpu_0
        CHECK_LAUNCH();
        CHECK(cudaMemcpyAsync(part.h_words, part.d_words, bytes, cudaMemcpyDeviceToHost));
    }
    join_on_host(parts, h_result);
}
