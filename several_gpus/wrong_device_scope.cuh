// Wrong on purpose: 3_peer_memory.cuh with atomicAdd, whose scope is the device. Atomics of two
// GPUs on one word then are no atomics for each other: an update may be lost.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

#include "common/error.cuh"
#include "several_gpus/3_peer_memory.cuh"
#include "several_gpus/parts.cuh"

template <typename Task>
__global__ void add_device_scope(const typename Task::Item* d_x, std::size_t n,
                                 typename Task::Word* d_words) {
    Task::work(d_x, n, [=](int word, typename Task::Word value) {
        atomicAdd(&d_words[word], value);  // race: device_scope
    });
}

template <typename Task>
void launch_device_scope(const Parts<Task>& parts, typename Task::Word* h_result, int block_size) {
    launch_into_gpu_0(parts, h_result, [&](const Part<Task>& part) {
        const int blocks = blocks_for(add_device_scope<Task>, part, block_size);
        add_device_scope<Task><<<blocks, block_size>>>(part.d_x, part.n, parts[0].d_words);
        CHECK_LAUNCH();
    });
}
