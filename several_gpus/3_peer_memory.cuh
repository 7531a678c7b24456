// Variant 3: all GPUs add to the same words, in the memory of GPU 0. Atomics of several GPUs on one
// word need system scope, and the other GPUs need access to GPU 0's memory.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

#include "../common/error.cuh"
#include "parts.cuh"

// d_words: where the blocks of all GPUs add their results.
template <typename Task>
__global__ void add_to_shared_words(const typename Task::Item* d_x, std::size_t n,
                                    typename Task::Word* d_words) {
    Task::work(d_x, n, [=](int word, typename Task::Word value) {
        atomicAdd_system(&d_words[word], value);
    });
}

// Sets the words of GPU 0 to 0, calls launch(part) with each GPU as the current one, and copies the
// words to h_result. Events put that in order: the host waits for nothing.
template <typename Task, typename Launch>
void launch_into_gpu_0(const Parts<Task>& parts, typename Task::Word* h_result, Launch launch) {
    constexpr std::size_t bytes = Task::words * sizeof(typename Task::Word);
    CHECK(cudaSetDevice(0));
    CHECK(cudaMemsetAsync(parts[0].d_words, 0, bytes));
    CHECK(cudaEventRecord(parts[0].done));
    for (std::size_t gpu = 1; gpu < parts.size(); ++gpu) {
        CHECK(cudaSetDevice(static_cast<int>(gpu)));
        CHECK(cudaStreamWaitEvent(nullptr, parts[0].done, 0));  // the words are 0
        launch(parts[gpu]);
        CHECK(cudaEventRecord(parts[gpu].done));
    }
    CHECK(cudaSetDevice(0));
    launch(parts[0]);
    for (std::size_t gpu = 1; gpu < parts.size(); ++gpu) {
        CHECK(cudaStreamWaitEvent(nullptr, parts[gpu].done, 0));
    }
    CHECK(cudaMemcpyAsync(h_result, parts[0].d_words, bytes, cudaMemcpyDeviceToHost));
}

// Kernels of all GPUs have access to GPU 0's memory: set_access_to_gpu_0(). h_result: Task::words,
// which are there when GPU 0's default stream has done its work.
template <typename Task>
void launch_peer_memory(const Parts<Task>& parts, typename Task::Word* h_result, int block_size) {
    launch_into_gpu_0(parts, h_result, [&](const Part<Task>& part) {
        add_to_shared_words<Task>
            <<<blocks_for(add_to_shared_words<Task>, part, block_size), block_size>>>(
                part.d_x, part.n, parts[0].d_words);
        CHECK_LAUNCH();
    });
}
