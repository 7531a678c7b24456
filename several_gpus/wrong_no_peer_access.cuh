// Wrong on purpose: the kernel of 3_peer_memory.cuh, and no GPU has asked for access to the memory
// of GPU 0. There the kernels of the other GPUs fail.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

#include "common/error.cuh"
#include "several_gpus/3_peer_memory.cuh"
#include "several_gpus/parts.cuh"

template <typename Task>
void launch_no_peer_access(const Parts<Task>& parts, typename Task::Word* h_result,
                           int block_size) {
    set_access_to_gpu_0(static_cast<int>(parts.size()), false);  // as it is at the start
    launch_into_gpu_0(parts, h_result, [&](const Part<Task>& part) {
        const int blocks = blocks_for(add_to_shared_words<Task>, part, block_size);
        const auto add = add_to_shared_words<Task>;
        add<<<blocks, block_size>>>(part.d_x, part.n, parts[0].d_words);  // race: no_peer_access
        CHECK_LAUNCH();
    });
}
