// Wrong on purpose: 1_mailbox.cuh with a flag that is stored without release. The host may see the
// flag before it sees the answer.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cuda/atomic>

#include "common/error.cuh"
#include "several_gpus/host_part.cuh"
#include "several_gpus/parts.cuh"
#include "several_gpus/slot.cuh"

template <typename Task>
__global__ void serve_no_fence(Slot<Task>* slots, const typename Task::Item* d_x) {
    __shared__ unsigned s_asked;
    for (int k = 0;; ++k) {
        Slot<Task>& slot = slots[k];
        if (threadIdx.x == 0) {
            s_asked = await(slot.asked);
        }
        __syncthreads();
        if (s_asked == stop) {
            return;
        }
        Task::work(d_x + slot.first, slot.n, [&](int word, typename Task::Word value) {
            slot.answer[word] = value;  // race: no_fence
        });
        __syncthreads();
        if (threadIdx.x == 0) {
            cuda::atomic_ref<unsigned, cuda::thread_scope_system> answered(slot.answered);
            answered.store(1, cuda::memory_order_relaxed);
        }
    }
}

template <typename Task>
void launch_no_fence(const Parts<Task>& parts, Slot<Task>* slots, typename Task::Word* h_result,
                     int block_size) {
    talk_to_each(parts, slots, h_result, [&](const Part<Task>& part, Slot<Task>* own) {
        serve_no_fence<Task><<<1, block_size>>>(own, part.d_x);
        CHECK_LAUNCH();
    });
}
