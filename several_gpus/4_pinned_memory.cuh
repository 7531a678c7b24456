// Variant 4: as variant 2, but the blocks add to words in the host's memory. The result needs no
// copy, and each atomic travels over PCIe.
//
// Each GPU has words of its own. One set for all would need atomics of system scope that reach the
// host's memory, which only some machines have (cudaDevAttrHostNativeAtomicSupported).
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>

#include "../common/error.cuh"
#include "2_host_joins.cuh"
#include "parts.cuh"

// h_result: Task::words. Returns when the result is there.
template <typename Task>
void launch_pinned_memory(const Parts<Task>& parts, typename Task::Word* h_result, int block_size) {
    for (std::size_t gpu = 0; gpu < parts.size(); ++gpu) {
        const Part<Task>& part = parts[gpu];
        std::fill(part.h_words, part.h_words + Task::words, 0);
        CHECK(cudaSetDevice(static_cast<int>(gpu)));
        add_to_own_words<Task>
            <<<blocks_for(add_to_own_words<Task>, part, block_size), block_size>>>(part.d_x, part.n,
                                                                                   part.h_words);
        CHECK_LAUNCH();
    }
    join_on_host(parts, h_result);
}
