// Variant 2: the head has a tag beside the index, in one word of 64 bits. Each pop makes the tag
// larger by 1, so no head comes a second time.
#include "stack.cuh"

using Head = unsigned long long;  // the tag in the upper half, the index in the lower
using TaggedHead = cuda::atomic_ref<Head, cuda::thread_scope_device>;

__device__ Head with_index(Head head, unsigned index) {
    return (head >> 32 << 32) | index;
}

__device__ unsigned pop(Head* d_head, unsigned* d_next) {
    TaggedHead head(*d_head);
    Head old = head.load(cuda::memory_order_acquire);
    unsigned first;
    while ((first = static_cast<unsigned>(old)) != end_of_chain) {
        const unsigned second = Link(d_next[first]).load(cuda::memory_order_relaxed);
        const Head next_tag = old + (Head{1} << 32);
        if (head.compare_exchange_strong(old, with_index(next_tag, second),
                                         cuda::memory_order_acq_rel, cuda::memory_order_acquire)) {
            break;
        }
    }
    return first;
}

__device__ void push(Head* d_head, unsigned* d_next, unsigned entry) {
    TaggedHead head(*d_head);
    Head old = head.load(cuda::memory_order_relaxed);
    do {
        Link(d_next[entry]).store(static_cast<unsigned>(old), cuda::memory_order_relaxed);
    } while (!head.compare_exchange_strong(old, with_index(old, entry), cuda::memory_order_release,
                                           cuda::memory_order_relaxed));
}

__global__ void push_back_with_tag(Head* d_head, unsigned* d_next, unsigned* d_mine) {
    if (blockIdx.x == 0) {
        d_mine[0] = pop(d_head, d_next);
    } else {
        const unsigned first = pop(d_head, d_next);
        d_mine[1] = pop(d_head, d_next);
        push(d_head, d_next, first);
    }
}

int main() {
    show(push_back_with_tag);
    return 0;
}
