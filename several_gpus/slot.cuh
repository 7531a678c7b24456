// A slot of the mailbox: one request and its answer, in memory that host and GPU share.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cuda/atomic>

enum Asked : unsigned { nothing = 0, piece = 1, stop = 2 };

template <typename Task>
struct Slot {
    unsigned asked;     // flag of the host: an Asked
    unsigned answered;  // flag of the GPU: 1 once the answer is there
    std::size_t first;  // the request: items first ... first + n - 1 of the part
    std::size_t n;
    typename Task::Word answer[Task::words];
};

constexpr int pieces_per_part = 4;
constexpr int slots_per_gpu = pieces_per_part + 1;  // the last one says `stop`

// Waits until the flag is not 0, and returns it. What was stored before the flag can be read then.
__device__ inline unsigned await(unsigned& flag) {
    cuda::atomic_ref<unsigned, cuda::thread_scope_system> ref(flag);
    unsigned value = 0;
    while ((value = ref.load(cuda::memory_order_acquire)) == 0) {
    }
    return value;
}
