// Pop and push of a stack whose head is an index.
#pragma once

#include "stack.cuh"

// Takes the first entry out of the chain: returns its index, or end_of_chain. Right only while
// nothing is pushed.
__device__ inline unsigned pop(unsigned* d_head, unsigned* d_next) {
    Link head(*d_head);
    unsigned first = head.load(cuda::memory_order_acquire);
    while (first != end_of_chain) {
        const unsigned second = Link(d_next[first]).load(cuda::memory_order_relaxed);
        if (head.compare_exchange_strong(first, second, cuda::memory_order_acq_rel,
                                         cuda::memory_order_acquire)) {
            break;
        }  // else another thread was first, and `first` is the head that it has left
    }
    return first;
}

// Puts an entry before the first one.
__device__ inline void push(unsigned* d_head, unsigned* d_next, unsigned entry) {
    Link head(*d_head);
    unsigned first = head.load(cuda::memory_order_relaxed);
    do {
        Link(d_next[entry]).store(first, cuda::memory_order_relaxed);
    } while (!head.compare_exchange_strong(first, entry, cuda::memory_order_release,
                                           cuda::memory_order_relaxed));
}
