// A tour of atomic functions, first part: four right ways to count threads in one word. Each thread
// adds 1 to *d_x and keeps the old value that it was given; n threads leave n there, and their old
// values are 0, 1, ..., n - 1 in some order.
//
//   atomic_add     atomicAdd: read, add and write are one step
//   atomic_ref_add the same as libcu++ has it, with its order and scope written out
//   mutex_add      plain read, add, write, by one thread at a time
//   cas_loop_add   atomicAdd made by hand from atomicCAS
//
// The way that does not work (lost_update) is in atomic_functions_wrong.cuh. The second part, all
// functions on all types, is in atomic_functions_all.cuh; the third, your own functions made from
// atomicCAS, in atomic_functions_from_cas.cuh; and in atomic_functions_fast.cuh threads that ask
// the word less often.
//
// d_x: one int. d_olds: n ints, one for each thread.
#pragma once

#include <cuda_runtime.h>

#include <cuda/atomic>

#include <cstddef>
#include <vector>

#include "atomic_functions/atomic_functions_problem.cuh"
#include "common/error.cuh"
#include "common/launch.cuh"
#include "common/lock.cuh"

namespace {

// --- atomic_add

// All threads of the grid share the one word d_x. Those that come at the same time are served one
// after another; in which order, nobody knows.
__global__ void add_one_atomic(int* d_x, std::size_t n, int* d_olds) {
    const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (i < n) {
        d_olds[i] = atomicAdd(d_x, 1);
    }
}

}  // namespace

// The whole trip by hand: allocate, zero, launch, check, copy back, free. Everything else in this
// project does these steps through DeviceArray and the harness. Returns what n threads counted.
inline int count_by_hand(std::size_t n, int block_size) {
    int* d_x = nullptr;
    int* d_olds = nullptr;
    CHECK(cudaMalloc(reinterpret_cast<void**>(&d_x), sizeof(int)));
    CHECK(cudaMalloc(reinterpret_cast<void**>(&d_olds), (n + 1) * sizeof(int)));  // never 0 bytes
    CHECK(cudaMemset(d_x, 0, sizeof(int)));  // atomicAdd adds to what is there: start from 0

    const int grid_size = blocks_to_cover(n, block_size);
    add_one_atomic<<<grid_size, block_size>>>(d_x, n, d_olds);
    CHECK_LAUNCH();

    int h_x = 0;
    CHECK(cudaMemcpy(&h_x, d_x, sizeof(int), cudaMemcpyDeviceToHost));  // waits for the kernel
    CHECK(cudaFree(d_olds));
    CHECK(cudaFree(d_x));
    return h_x;
}

inline void run_atomic_add(WordProblem& p) {
    auto& counter = p.counter();
    CHECK(cudaMemsetAsync(counter.d_words(), 0, sizeof(int)));
    add_one_atomic<<<p.grid_size, p.block_size>>>(counter.d_words(), p.n, counter.d_olds());
    CHECK_LAUNCH();
}

namespace {

// --- atomic_ref_add

// The same instruction, as CUDA C++ has it today. What atomicAdd leaves unsaid stands here: the
// scope (all threads of this GPU) and the order (relaxed: none but that of this word).
__global__ void add_one_atomic_ref(int* d_x, std::size_t n, int* d_olds) {
    const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (i < n) {
        cuda::atomic_ref<int, cuda::thread_scope_device> x(*d_x);
        d_olds[i] = x.fetch_add(1, cuda::memory_order_relaxed);
    }
}

}  // namespace

inline void run_atomic_ref_add(WordProblem& p) {
    auto& counter = p.counter();
    CHECK(cudaMemsetAsync(counter.d_words(), 0, sizeof(int)));
    add_one_atomic_ref<<<p.grid_size, p.block_size>>>(counter.d_words(), p.n, counter.d_olds());
    CHECK_LAUNCH();
}

namespace {

// --- mutex_add

// Between lock and unlock one thread is alone, so plain reads and writes will do, and as many of
// them as the work needs. That is the mutex's use; for one addition it is a detour, since taking
// and giving back the lock are atomic operations themselves. The lock also gives the order: who
// holds it sees what the holder before it wrote (common/lock.cuh).
__global__ void add_one_mutex(int* d_x, std::size_t n, int* d_mutex, int* d_olds) {
    const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (i < n) {
        lock(*d_mutex);
        const int old = *d_x;
        *d_x = old + 1;
        unlock(*d_mutex);
        d_olds[i] = old;
    }
}

}  // namespace

inline void run_mutex_add(WordProblem& p) {
    auto& counter = p.counter();
    CHECK(cudaMemsetAsync(counter.d_words(), 0, sizeof(int)));
    CHECK(cudaMemsetAsync(p.d_mutex(), 0, sizeof(int)));  // a mutex must begin free, too
    add_one_mutex<<<p.grid_size, p.block_size>>>(counter.d_words(), p.n, p.d_mutex(),
                                                 counter.d_olds());
    CHECK_LAUNCH();
}

namespace {

// --- cas_loop_add

// What stands in a word that other threads change by atomics meanwhile. A plain read would be a
// data race with them: the compiler may keep the value in a register, or read it in two halves. A
// stale value does no harm before an atomicCAS, which refuses it; but update_by_cas may also return
// on what it has read.
template <typename T>
__device__ T load_relaxed(T* word) {
    return cuda::atomic_ref<T, cuda::thread_scope_device>(*word).load(cuda::memory_order_relaxed);
}

// atomicCAS writes only if the word still holds what was assumed. It returns what it found: if that
// is another value, somebody was faster, and the sum must be made anew from it. Of all that try at
// the same time one gets through, so that k threads at once make up to k * k / 2 attempts.
__device__ int add_by_cas(int* word, int value) {
    int old = load_relaxed(word);
    int assumed = 0;
    do {
        assumed = old;
        old = atomicCAS(word, assumed, assumed + value);
    } while (old != assumed);
    return old;
}

__global__ void add_one_cas_loop(int* d_x, std::size_t n, int* d_olds) {
    const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (i < n) {
        d_olds[i] = add_by_cas(d_x, 1);
    }
}

}  // namespace

inline void run_cas_loop_add(WordProblem& p) {
    auto& counter = p.counter();
    CHECK(cudaMemsetAsync(counter.d_words(), 0, sizeof(int)));
    add_one_cas_loop<<<p.grid_size, p.block_size>>>(counter.d_words(), p.n, counter.d_olds());
    CHECK_LAUNCH();
}
