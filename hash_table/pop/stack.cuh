// What the three programs share: a chain of three entries, used as a stack, and two threads of
// different blocks that take entries out of it.
#pragma once

#include <cuda_runtime.h>

#include <cstdio>
#include <cuda/atomic>

constexpr unsigned end_of_chain = 0xffffffff;
constexpr unsigned entries = 3;

using Link = cuda::atomic_ref<unsigned, cuda::thread_scope_device>;

// Makes the chain 0 -> 1 -> 2, runs kernel<<<2, 1>>>, and prints which entry each thread has, and
// the chain. The lower half of a head is the index of the first entry.
template <typename Head>
void show(void (*kernel)(Head* d_head, unsigned* d_next, unsigned* d_mine)) {
    const unsigned next[entries] = {1, 2, end_of_chain};
    Head head = 0;
    unsigned mine[2];
    unsigned left[entries];
    Head* d_head;
    unsigned* d_next;
    unsigned* d_mine;
    cudaMalloc(&d_head, sizeof head);
    cudaMalloc(&d_next, sizeof next);
    cudaMalloc(&d_mine, sizeof mine);
    cudaMemcpy(d_head, &head, sizeof head, cudaMemcpyHostToDevice);
    cudaMemcpy(d_next, next, sizeof next, cudaMemcpyHostToDevice);
    kernel<<<2, 1>>>(d_head, d_next, d_mine);
    cudaMemcpy(&head, d_head, sizeof head, cudaMemcpyDeviceToHost);
    cudaMemcpy(left, d_next, sizeof left, cudaMemcpyDeviceToHost);
    cudaMemcpy(mine, d_mine, sizeof mine, cudaMemcpyDeviceToHost);
    std::printf("block 0 has %u, block 1 has %u, the chain:", mine[0], mine[1]);
    unsigned at = static_cast<unsigned>(head);
    if (at == end_of_chain) {
        std::printf(" empty");
    }
    for (unsigned steps = 0; at < entries && steps < entries; ++steps, at = left[at]) {
        std::printf(" %u", at);
    }
    std::printf("\n");
    cudaFree(d_head);
    cudaFree(d_next);
    cudaFree(d_mine);
}
