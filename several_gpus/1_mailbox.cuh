// Variant 1: a mailbox. One block stays on the GPU and waits for requests of the host: add up this
// piece of the part. Request and answer go through pinned memory, which both sides use at the same
// time. So the flags have system scope.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cuda/atomic>

#include "../common/error.cuh"
#include "host_part.cuh"
#include "parts.cuh"
#include "slot.cuh"

// slots: in pinned memory; a request in each, the last one says `stop`. To be launched with one
// block.
template <typename Task>
__global__ void serve(Slot<Task>* slots, const typename Task::Item* d_x) {
    __shared__ unsigned s_asked;
    for (int k = 0;; ++k) {
        Slot<Task>& slot = slots[k];
        if (threadIdx.x == 0) {
            s_asked = await(slot.asked);
        }
        __syncthreads();  // the request is there, for all threads of the block
        if (s_asked == stop) {
            return;
        }
        Task::work(d_x + slot.first, slot.n,
                   [&](int word, typename Task::Word value) { slot.answer[word] = value; });
        __syncthreads();  // all words are stored before thread 0 says so
        if (threadIdx.x == 0) {
            cuda::atomic_ref<unsigned, cuda::thread_scope_system> answered(slot.answered);
            answered.store(1, cuda::memory_order_release);
        }
    }
}

// slots: slots_per_gpu for each part. h_result: Task::words. One GPU after the other.
template <typename Task>
void launch_mailbox(const Parts<Task>& parts, Slot<Task>* slots, typename Task::Word* h_result,
                    int block_size) {
    talk_to_each(parts, slots, h_result, [&](const Part<Task>& part, Slot<Task>* own) {
        serve<Task><<<1, block_size>>>(own, part.d_x);
        CHECK_LAUNCH();
    });
}
