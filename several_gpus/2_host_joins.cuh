// Variant 2: each GPU works on its part alone, and the host adds up the results. No GPU needs the
// memory of another one.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

#include "../common/error.cuh"
#include "parts.cuh"

// d_words: where the blocks of this launch, and no others, add their results. They are 0 before.
template <typename Task>
__global__ void add_to_own_words(const typename Task::Item* d_x, std::size_t n,
                                 typename Task::Word* d_words) {
    Task::work(d_x, n,
               [=](int word, typename Task::Word value) { atomicAdd(&d_words[word], value); });
}

// h_result: Task::words. Returns when the result is there.
template <typename Task>
void launch_host_joins(const Parts<Task>& parts, typename Task::Word* h_result, int block_size) {
    constexpr std::size_t bytes = Task::words * sizeof(typename Task::Word);
    for (std::size_t gpu = 0; gpu < parts.size(); ++gpu) {  // all GPUs get their work
        const Part<Task>& part = parts[gpu];
        CHECK(cudaSetDevice(static_cast<int>(gpu)));
        CHECK(cudaMemsetAsync(part.d_words, 0, bytes));
        add_to_own_words<Task>
            <<<blocks_for(add_to_own_words<Task>, part, block_size), block_size>>>(part.d_x, part.n,
                                                                                   part.d_words);
        CHECK_LAUNCH();
    }
    for (std::size_t gpu = 0; gpu < parts.size(); ++gpu) {  // no GPU waits for another one's copy
        const Part<Task>& part = parts[gpu];
        CHECK(cudaSetDevice(static_cast<int>(gpu)));
        CHECK(cudaMemcpyAsync(part.h_words, part.d_words, bytes, cudaMemcpyDeviceToHost));
    }
    join_on_host(parts, h_result);
}
