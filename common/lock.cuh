// Locks that threads of a whole grid share: one word in global memory, 0 free, 1 taken.
//
// A lock has two duties. Only one thread may hold it: an atomic compare-and-swap sees to that. And
// who takes it must see all that the one before did: that is a matter of order. Without the order
// the lock is held by one thread at a time, and that thread may still read values from before its
// predecessor's writes.
//
//     __device__ void add(int* d_mutex, double* d_total, double value) {
//         lock(*d_mutex);
//         *d_total += value;      // the critical section: plain reads and writes
//         unlock(*d_mutex);
//     }
//
// The words belong to a plain array (DeviceArray<int>, set to 0), and kernels take the pointer by
// value. A lock as an object that frees its word when it dies would free it with the copy that a
// launch makes.
//
// Waiting threads need threads that get on: since compute capability 7.0 (independent thread
// scheduling) that holds within a warp too. But where all threads of a warp take the lock, and the
// kernel has a __syncthreads() after unlock(), it needs a __syncwarp() between them: see
// grid_barrier/7_block_section.cuh. Blocks may never wait for a block that has not started.
#pragma once

#include <cuda_runtime.h>

#include <cuda/atomic>

namespace common {

// How long a thread that did not get the lock stays out of its way, in nanoseconds. To wait longer
// after each failure, as one does on a CPU, is slower here: mutex_dot/times.md.
constexpr unsigned lock_pause_ns = 32;

// Takes the lock as CUDA has it today (libcu++). acquire: nothing that the holder does afterwards
// can be seen, or can read, as if done before the lock was taken. Device scope: the lock serves all
// threads of this GPU.
__device__ inline void lock(int& mutex) {
    cuda::atomic_ref<int, cuda::thread_scope_device> word(mutex);
    int expected = 0;
    while (!word.compare_exchange_weak(expected, 1, cuda::memory_order_acquire,
                                       cuda::memory_order_relaxed)) {
        expected = 0;  // a failed exchange has put the value it found here
        __nanosleep(lock_pause_ns);
    }
}

// Gives the lock back. release: who takes it next sees everything done up to here.
__device__ inline void unlock(int& mutex) {
    cuda::atomic_ref<int, cuda::thread_scope_device> word(mutex);
    word.store(0, cuda::memory_order_release);
}

// The classic form, as books have it, with the two fences that make it right. Legacy atomics order
// nothing by themselves; each fence orders all accesses of the thread before it and after it.
__device__ inline void lock_classic(int& mutex) {
    while (atomicCAS(&mutex, 0, 1) != 0) {
        __nanosleep(lock_pause_ns);
    }
    __threadfence();  // nothing in the critical section is done before the lock is taken
}

__device__ inline void unlock_classic(int& mutex) {
    __threadfence();  // all of the critical section is done before the lock is seen free
    atomicExch(&mutex, 0);
}

// A ticket lock serves in order of arrival: draw a number, wait until it is called. No one starves,
// and the waiting threads only read. Both words start at 0; they may wrap around.
struct TicketLock {
    unsigned next;     // the number that the next arrival draws
    unsigned serving;  // the number whose turn it is
};

__device__ inline void lock(TicketLock& mutex) {
    cuda::atomic_ref<unsigned, cuda::thread_scope_device> next(mutex.next);
    cuda::atomic_ref<unsigned, cuda::thread_scope_device> serving(mutex.serving);
    const unsigned ticket = next.fetch_add(1, cuda::memory_order_relaxed);
    while (serving.load(cuda::memory_order_acquire) != ticket) {
        __nanosleep(lock_pause_ns);
    }
}

__device__ inline void unlock(TicketLock& mutex) {
    cuda::atomic_ref<unsigned, cuda::thread_scope_device> serving(mutex.serving);
    // Only the holder writes this word, so it may read it without an order.
    serving.store(serving.load(cuda::memory_order_relaxed) + 1, cuda::memory_order_release);
}

}  // namespace common
