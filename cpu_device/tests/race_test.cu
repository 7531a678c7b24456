// Litmus kernels for race mode: each is a few lines that are either in order by CUDA's rules or
// not, and race mode must say so, whatever turns the threads take. About half of them are racy.
#include <cuda_runtime.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cuda/atomic>
#include <string>
#include <utility>
#include <vector>

#include "cpu_device/pattern.hpp"
#include "cpu_device/race.h"
#include "race_litmus.cuh"
#include "support.cuh"

namespace {

using cpu_device::Pattern;

// --- message passing: thread 0 of block 0 writes a word and raises a flag; another block waits ---

enum class Side { none, fence, block_fence, order, block_order, fence_too_early };

template <Side writer, Side reader>
__global__ void pass_message(int* d_x, int* d_y) {
    int* const d_flag = d_x + 1;
    if (threadIdx.x != 0) {
        return;
    }
    if (blockIdx.x == 0) {
        if (writer == Side::fence_too_early) {
            __threadfence();
        }
        d_x[0] = 42;
        if (writer == Side::fence) {
            __threadfence();
        } else if (writer == Side::block_fence) {
            __threadfence_block();
        }
        if (writer == Side::order) {
            DeviceAtomic(*d_flag).store(1, cuda::memory_order_release);
        } else if (writer == Side::block_order) {
            BlockAtomic(*d_flag).store(1, cuda::memory_order_release);
        } else {
            atomicExch(d_flag, 1);
        }
    } else if (blockIdx.x == 1) {
        if (reader == Side::order) {
            while (DeviceAtomic(*d_flag).load(cuda::memory_order_acquire) == 0) {
                __nanosleep(32);
            }
        } else if (reader == Side::block_order) {
            while (BlockAtomic(*d_flag).load(cuda::memory_order_acquire) == 0) {
                __nanosleep(32);
            }
        } else {
            while (atomicAdd(d_flag, 0) == 0) {
                __nanosleep(32);
            }
        }
        if (reader == Side::fence) {
            __threadfence();
        } else if (reader == Side::block_fence) {
            __threadfence_block();
        }
        *d_y = d_x[0];
    }
}

template <bool fences>
__global__ void pass_by_volatile_flag(int* d_x, int* d_y) {
    volatile int* const d_flag = d_x + 1;
    if (threadIdx.x == 0 && blockIdx.x == 0) {
        d_x[0] = 42;
        if (fences) {
            __threadfence();
        }
        *d_flag = 1;
    } else if (threadIdx.x == 0 && blockIdx.x == 1) {
        while (*d_flag == 0) {
            __nanosleep(32);
        }
        if (fences) {
            __threadfence();
        }
        *d_y = d_x[0];
    }
}

// Block 0 releases 1, block 1 makes a 2 of it, block 2 waits for the 2. An update in between goes
// on with what was released, a store does not.
template <bool by_update>
__global__ void pass_on(int* d_x, int* d_y) {
    DeviceAtomic flag(d_x[1]);
    if (threadIdx.x != 0 || blockIdx.x > 2) {
        return;
    }
    if (blockIdx.x == 0) {
        d_x[0] = 42;
        flag.store(1, cuda::memory_order_release);
        return;
    }
    const int awaited = static_cast<int>(blockIdx.x);
    const cuda::memory_order order =
        blockIdx.x == 1 ? cuda::memory_order_relaxed : cuda::memory_order_acquire;
    if (!by_update && blockIdx.x == 2) {  // looks at the flag only when that is 2
        while (atomicAdd(d_x + 2, 0) == 0) {
            __nanosleep(32);
        }
    }
    while (flag.load(order) != awaited) {
        __nanosleep(32);
    }
    if (blockIdx.x == 2) {
        *d_y = d_x[0];
    } else if (by_update) {
        flag.fetch_add(1, cuda::memory_order_relaxed);
    } else {
        flag.store(2, cuda::memory_order_relaxed);
        atomicExch(d_x + 2, 1);
    }
}

// A compare-and-swap that fails is a read, whatever its order: nothing is released by it.
template <int expected_value>
__global__ void release_by_cas(int* d_x, int* d_y) {
    DeviceAtomic flag(d_x[1]);
    if (threadIdx.x == 0 && blockIdx.x == 0) {
        d_x[0] = 42;
        int expected = expected_value;  // the flag is 0
        flag.compare_exchange_strong(expected, 1, cuda::memory_order_release,
                                     cuda::memory_order_relaxed);
        flag.fetch_add(1, cuda::memory_order_relaxed);
    } else if (threadIdx.x == 0 && blockIdx.x == 1) {
        while (flag.load(cuda::memory_order_acquire) == 0) {
            __nanosleep(32);
        }
        *d_y = d_x[0];
    }
}

// Block 0 fills a record and publishes its place; the others wait for the place and read there.
template <bool ordered>
__global__ void publish_a_pointer(int* d_x, int* d_y) {
    auto* const d_place = reinterpret_cast<unsigned long long*>(d_x);
    cuda::atomic_ref<unsigned long long, cuda::thread_scope_device> place(*d_place);
    if (threadIdx.x != 0) {
        return;
    }
    if (blockIdx.x == 0) {
        d_x[10] = 42;
        place.store(reinterpret_cast<unsigned long long>(d_x + 10),
                    ordered ? cuda::memory_order_release : cuda::memory_order_relaxed);
    } else {
        unsigned long long found = 0;
        while ((found = place.load(ordered ? cuda::memory_order_acquire
                                           : cuda::memory_order_relaxed)) == 0) {
            __nanosleep(32);
        }
        d_y[blockIdx.x] = *reinterpret_cast<const int*>(found);
    }
}

// Every thread writes, all blocks meet, every thread reads what another block has written.
template <bool fences>
__global__ void meet_all_blocks(int* d_x, int* d_y) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    d_y[i] = static_cast<int>(i);
    __syncthreads();
    if (threadIdx.x == 0) {
        if (fences) {
            __threadfence();
        }
        atomicAdd(d_x, 1);
        while (atomicAdd(d_x, 0) != static_cast<int>(gridDim.x)) {
            __nanosleep(32);
        }
        if (fences) {
            __threadfence();
        }
    }
    __syncthreads();
    d_y[256 + i] = d_y[(i + blockDim.x) % (gridDim.x * blockDim.x)];
}

// --- locks ---

enum class Lock {
    none,
    no_fence,
    fence_in,
    fence_out,
    fences,
    order,
    relaxed,
    block_order,
    given_back_early,
    given_back_twice
};

template <Lock kind>
__device__ void add_once_under_lock(int* d_x) {
    int* const d_mutex = d_x + 1;
    constexpr bool library =
        kind == Lock::order || kind == Lock::given_back_early || kind == Lock::given_back_twice;
    if (library) {
        lock(*d_mutex);
    } else if (kind == Lock::relaxed) {
        int expected = 0;
        while (!DeviceAtomic(*d_mutex).compare_exchange_weak(expected, 1,
                                                             cuda::memory_order_relaxed)) {
            expected = 0;
        }
    } else if (kind == Lock::block_order) {
        int expected = 0;
        while (
            !BlockAtomic(*d_mutex).compare_exchange_weak(expected, 1, cuda::memory_order_acquire)) {
            expected = 0;
        }
    } else if (kind != Lock::none) {
        while (atomicCAS(d_mutex, 0, 1) != 0) {
        }
    }
    if (kind == Lock::fences || kind == Lock::fence_in) {
        __threadfence();
    }
    if (kind == Lock::given_back_early) {
        unlock(*d_mutex);
    }
    d_x[0] += 1;
    if (kind == Lock::fences || kind == Lock::fence_out) {
        __threadfence();
    }
    if (kind == Lock::given_back_early) {
        return;
    }
    if (library) {
        unlock(*d_mutex);
        if (kind == Lock::given_back_twice) {
            unlock(*d_mutex);
        }
    } else if (kind == Lock::relaxed) {
        DeviceAtomic(*d_mutex).store(0, cuda::memory_order_relaxed);
    } else if (kind == Lock::block_order) {
        BlockAtomic(*d_mutex).store(0, cuda::memory_order_release);
    } else if (kind != Lock::none) {
        atomicExch(d_mutex, 0);
    }
}
template <Lock kind>
__global__ void add_under_lock(int* d_x, int*) {
    const int rounds = kind == Lock::given_back_twice ? 4 : 1;
    for (int round = 0; round < rounds; ++round) {
        add_once_under_lock<kind>(d_x);
    }
}

// --- atomics ---

__global__ void count(int* d_x, int*) {
    atomicAdd(d_x, 1);
}
__global__ void count_at_block_scope(int* d_x, int*) {
    atomicAdd_block(d_x, 1);
}
__global__ void count_in_own_word(int* d_x, int*) {
    atomicAdd_block(d_x + blockIdx.x, 1);
}
// One block's narrow atomic is followed by a wide one, which the other blocks may meet first.
__global__ void count_at_block_scope_then_at_device_scope(int* d_x, int*) {
    if (threadIdx.x == 0) {
        if (blockIdx.x == 0) {
            atomicAdd_block(d_x, 1);
        }
        atomicAdd(d_x, 1);
    }
}
__global__ void count_then_read(int* d_x, int* d_y) {
    atomicAdd(d_x, 1);
    d_y[blockIdx.x * blockDim.x + threadIdx.x] = *d_x;
}
__global__ void count_then_read_atomically(int* d_x, int* d_y) {
    atomicAdd(d_x, 1);
    d_y[blockIdx.x * blockDim.x + threadIdx.x] =
        DeviceAtomic(*d_x).load(cuda::memory_order_relaxed);
}
__global__ void add_by_cas(int* d_x, int*) {
    int old = DeviceAtomic(*d_x).load(cuda::memory_order_relaxed);
    int assumed = 0;
    do {
        assumed = old;
        old = atomicCAS(d_x, assumed, assumed + 1);
    } while (old != assumed);
}
__global__ void cas_and_plain_read(int* d_x, int* d_y) {
    atomicCAS(d_x, 7, 1);  // the word is 0: no thread swaps, so all only read
    d_y[blockIdx.x * blockDim.x + threadIdx.x] = *d_x;
}
__global__ void write_neighbors_bytes(int* d_x, int*) {
    reinterpret_cast<unsigned char*>(d_x)[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}
__global__ void volatile_counter(int* d_x, int*) {
    volatile int* const d_word = d_x;
    *d_word = *d_word + 1;  // every access is a relaxed one: no data race
}
__global__ void count_in_two_widths(int* d_x, int*) {
    if (blockIdx.x % 2 == 0) {
        atomicAdd(d_x, 1);
    } else {
        atomicAdd(reinterpret_cast<unsigned long long*>(d_x), 1ull);
    }
}

// A stack of nodes: d_x[0] is the head, d_x[i] the node below node i. With pops and pushes at the
// same time, a node may be taken, changed and put back while another thread still looks at it.
__device__ void push(int* d_x, int node) {
    DeviceAtomic head(d_x[0]);
    int below = head.load(cuda::memory_order_relaxed);
    do {
        d_x[node] = below;
    } while (!head.compare_exchange_weak(below, node, cuda::memory_order_release));
}
template <bool pop_and_push>
__global__ void stack_of_nodes(int* d_x, int* d_y) {
    DeviceAtomic head(d_x[0]);
    const int node = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (node == 0) {
        return;
    }
    push(d_x, node);
    if (pop_and_push) {
        int top = head.load(cuda::memory_order_acquire);
        while (top != 0 && !head.compare_exchange_weak(top, d_x[top], cuda::memory_order_acquire)) {
        }
        if (top != 0) {
            push(d_x, top);
        }
    } else {  // no thread takes anything away: a walk is safe
        int length = 0;
        for (int next = head.load(cuda::memory_order_acquire); next != 0; next = d_x[next]) {
            ++length;
        }
        d_y[node] = length;
    }
}
// Blocks act one after another, by a turn that orders nothing.
__device__ void wait_for_turn(int* d_turn, int turn) {
    while (atomicAdd(d_turn, 0) != turn) {
        __nanosleep(32);
    }
}
template <int written>
__global__ void read_two_bytes_write_one(int* d_x, int* d_y) {
    auto* const d_bytes = reinterpret_cast<unsigned char*>(d_x);
    if (threadIdx.x == 0 && blockIdx.x == 0) {
        d_y[0] = d_bytes[0];
        d_y[1] = d_bytes[1];
        atomicAdd(d_x + 1, 1);
    } else if (threadIdx.x == 0 && blockIdx.x == 1) {
        wait_for_turn(d_x + 1, 1);
        d_bytes[written] = 1;
    }
}
template <bool plain>
__global__ void read_twice_then_count(int* d_x, int* d_y) {
    if (threadIdx.x != 0 || blockIdx.x > 2) {
        return;
    }
    wait_for_turn(d_x + 1, static_cast<int>(blockIdx.x));
    if (blockIdx.x == 2) {
        atomicAdd(d_x, 1);
    } else if (plain && blockIdx.x == 1) {
        d_y[1] = *d_x;
    } else {
        d_y[blockIdx.x] = DeviceAtomic(*d_x).load(cuda::memory_order_relaxed);
    }
    atomicAdd(d_x + 1, 1);
}
// The last block's first thread sees that it is the last; its second one reads what all have
// written.
template <bool fence_before>
__global__ void last_block_reads_behind_a_barrier(int* d_x, int* d_y) {
    __shared__ bool s_is_last;
    if (threadIdx.x == 0) {
        d_y[blockIdx.x] = 1;
        if (fence_before) {
            __threadfence();
        }
        s_is_last = atomicAdd(d_x, 1) + 1 == static_cast<int>(gridDim.x);
        __threadfence();
    }
    __syncthreads();
    if (s_is_last && threadIdx.x == 1) {
        for (unsigned block = 0; block < gridDim.x; ++block) {
            d_y[64] += d_y[block];
        }
    }
}
__global__ void start_in_the_kernel(int* d_x, int*) {
    if (threadIdx.x == 0) {
        d_x[0] = 0;
    }
    atomicAdd(d_x, 1);
}
constexpr int line_of_write_same_value = __LINE__ + 2;
__global__ void write_same_value(int* d_x, int*) {
    *d_x = 1;
}
__global__ void write_own_number(int* d_x, int*) {
    *d_x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
}
// A loop around compare-and-swap that begins with a plain read.
__global__ void add_after_plain_read(int* d_x, int*) {
    int old = *d_x, assumed = 0;
    do {
        assumed = old;
        old = atomicCAS(d_x, assumed, assumed + 1);
    } while (old != assumed);
}
// Thread 1 stores, it alone or each thread has a fence, and thread 0 counts.
template <bool of_all>
__global__ void fence_of_another(int* d_x, int* d_y) {
    if (threadIdx.x == 1) {
        d_y[blockIdx.x] = 1;
    }
    if (of_all || threadIdx.x == 1) {
        __threadfence();
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        const bool is_last = atomicAdd(d_x, 1) + 1 == static_cast<int>(gridDim.x);
        __threadfence();
        for (unsigned block = 0; is_last && block < gridDim.x; ++block) {
            d_y[64] += d_y[block];
        }
    }
}
__global__ void write_nothing(int*, int*) {}
// The two writes race; the first one's thread has read the word many times since.
__global__ void write_then_read_on_and_on(int* d_x, int*) {
    DeviceAtomic flag(d_x[1]);
    if (threadIdx.x == 0 && blockIdx.x == 0) {
        d_x[0] = 7;
        for (int i = 0; i < 20; ++i) {
            d_x[2] = d_x[0];
        }
        flag.store(1, cuda::memory_order_relaxed);
    } else if (threadIdx.x == 0 && blockIdx.x == 1) {
        while (flag.load(cuda::memory_order_relaxed) == 0) {
        }
        d_x[0] = 8;
    }
}

// --- the last block ---

template <bool fence_before, bool fence_after>
__global__ void last_block_sum(int* d_x, int* d_y) {
    unsigned* const d_finished = reinterpret_cast<unsigned*>(d_x + 16);
    if (threadIdx.x != 0) {
        return;
    }
    d_x[blockIdx.x] = static_cast<int>(blockIdx.x);
    if (fence_before) {
        __threadfence();
    }
    if (atomicAdd(d_finished, 1u) == gridDim.x - 1) {
        if (fence_after) {
            __threadfence();
        }
        int sum = 0;
        for (unsigned block = 0; block < gridDim.x; ++block) {
            sum += d_x[block];
        }
        *d_y = sum;
        *d_finished = 0;  // plain, and in order: this thread has read what all others wrote here
    }
}
__global__ void reset_too_early(int* d_x, int*) {
    if (threadIdx.x == 0 && atomicAdd(d_x, 1) == 0) {
        *d_x = 0;
    }
}

// A thread that has read the last of all updates may reset the counter by a plain store, though
// relaxed atomics order nothing else. Another thread may not: here one block counts only after the
// read.
template <bool all>
__global__ void reset_by_a_reader(int* d_x, int*) {
    int* const d_has_read = d_x + 1;
    int* const d_late = d_x + 2;
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        const int awaited = static_cast<int>((all ? gridDim.x : gridDim.x - 1) * blockDim.x) - 1;
        while (DeviceAtomic(*d_x).load(cuda::memory_order_relaxed) < awaited) {
            __nanosleep(32);
        }
        atomicExch(d_has_read, 1);
        while (!all && atomicAdd(d_late, 0) != static_cast<int>(blockDim.x)) {
            __nanosleep(32);  // the store comes last, but nothing orders it
        }
        *d_x = 0;
        return;
    }
    const bool late = !all && blockIdx.x == 3;
    while (late && atomicAdd(d_has_read, 0) == 0) {
        __nanosleep(32);
    }
    atomicAdd(d_x, 1);
    atomicAdd(d_late, late ? 1 : 0);
}

// The start value is stored plainly, then all count; the others wait for a flag that orders
// nothing.
template <bool ordered>
__global__ void set_then_count(int* d_x, int*) {
    DeviceAtomic flag(d_x[1]);
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        *d_x = 5;
        atomicAdd(d_x, 1);
        flag.store(1, ordered ? cuda::memory_order_release : cuda::memory_order_relaxed);
        return;
    }
    while (flag.load(ordered ? cuda::memory_order_acquire : cuda::memory_order_relaxed) == 0) {
        __nanosleep(32);
    }
    atomicAdd(d_x, 1);
}

// Every block releases at a counter. Who acquires there after a plain reset gets nothing of it.
template <bool reset>
__global__ void acquire_at_the_counter(int* d_x, int* d_y) {
    __shared__ bool s_is_last;
    DeviceAtomic counter(*d_x);
    if (threadIdx.x == 0) {
        d_y[blockIdx.x] = 1;
        const int before = counter.fetch_add(1, cuda::memory_order_release);
        s_is_last = before == static_cast<int>(gridDim.x) - 1;
        if (reset && s_is_last) {
            *d_x = 0;
        }
    }
    __syncthreads();
    if (s_is_last && threadIdx.x == 1) {
        counter.load(cuda::memory_order_acquire);
        d_y[100] = d_y[0] + d_y[1] + d_y[2] + d_y[3];
    }
}

// --- shared memory ---

template <bool barrier>
__global__ void reverse_block(int* d_x, int* d_y) {
    __shared__ int s_x[64];
    s_x[threadIdx.x] = d_x[threadIdx.x];
    if (barrier) {
        __syncthreads();
    }
    d_y[blockIdx.x * blockDim.x + threadIdx.x] = s_x[blockDim.x - 1 - threadIdx.x];
}

enum class Meet { nothing, shuffle, syncwarp, half_mask };

template <Meet meet>
__global__ void reverse_warp(int* d_x, int* d_y) {
    __shared__ int s_x[64];
    const unsigned tid = threadIdx.x;
    s_x[tid] = d_x[tid];
    if (meet == Meet::shuffle) {
        __shfl_sync(0xffffffffu, 1, 0);
    } else if (meet == Meet::syncwarp) {
        __syncwarp();
    } else if (meet == Meet::half_mask) {
        __syncwarp(tid % 32 < 16 ? 0xffffu : 0xffff0000u);
    }
    d_y[blockIdx.x * blockDim.x + tid] = s_x[tid / 32 * 32 + 31 - tid % 32];
}

template <bool is_volatile>
__global__ void warp_reduce_by_hand(int* d_x, int* d_y) {
    __shared__ int s_x[64];
    const unsigned tid = threadIdx.x;
    s_x[tid] = d_x[tid];
    __syncthreads();
    if (tid < 32) {
        for (unsigned i = 16; i > 0; i /= 2) {
            if (is_volatile) {
                volatile int* const s_word = s_x;
                s_word[tid] = s_word[tid] + s_word[tid + i];
            } else {
                const int value = s_x[tid] + s_x[tid + i];
                __syncwarp();
                s_x[tid] = value;
                __syncwarp();
            }
        }
    }
    if (tid == 0) {
        d_y[blockIdx.x] = s_x[0];
    }
}

template <typename T>
__global__ void shared_in_a_template(int*, int* d_y) {
    __shared__ T s_word;  // each block's own: four blocks write it without a race
    if (threadIdx.x == 0) {
        s_word = static_cast<T>(blockIdx.x);
    }
    __syncthreads();
    d_y[blockIdx.x * blockDim.x + threadIdx.x] = static_cast<int>(s_word);
}

__global__ void many_blocks_one_after_another(int* d_x, int*) {
    __shared__ int s_word;
    if (threadIdx.x == 0) {
        s_word = 1;
    }
    __syncthreads();
    if (threadIdx.x == 1) {
        atomicAdd(d_x, s_word);
    }
}

template <bool barrier>
__global__ void private_histogram(int* d_x, int* d_y) {
    __shared__ int s_bins[8];
    if (threadIdx.x < 8) {
        s_bins[threadIdx.x] = 0;
    }
    __syncthreads();
    atomicAdd(&s_bins[d_x[threadIdx.x] & 7], 1);
    if (barrier) {
        __syncthreads();
    }
    if (threadIdx.x < 8) {
        atomicAdd(&d_y[threadIdx.x], s_bins[threadIdx.x]);
    }
}

// --- memory that is not there, or that was never written ---
// d_x and d_y have 256 elements of 0; elements 256 to 511 of d_y are fresh.

template <bool guard>
__global__ void write_next(int* d_x, int*) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (!guard || i + 1 < 256) {
        d_x[i + 1] = 1;
    }
}
__global__ void read_in_front(int* d_x, int* d_y) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    d_y[i] = d_x[i - 1];
}
template <int more>
__global__ void count_in_a_large_bin(int* d_x, int*) {
    atomicAdd(d_x + 255 + more, 1);
}
template <bool guard>
__global__ void shared_next(int*, int* d_y) {
    __shared__ int s_x[64];
    __shared__ int s_z[64];
    s_x[threadIdx.x] = s_z[threadIdx.x] = 1;
    __syncthreads();
    const unsigned next = guard ? (threadIdx.x + 1) % 64 : threadIdx.x + 1;
    d_y[blockIdx.x * blockDim.x + threadIdx.x] = s_x[next] + s_z[threadIdx.x];
}
template <bool guard>
__global__ void dynamic_shared_next(int*, int* d_y) {
    extern __shared__ int s_dynamic[];  // 64 elements
    s_dynamic[threadIdx.x] = 1;
    __syncthreads();
    const unsigned next = guard ? (threadIdx.x + 1) % 64 : threadIdx.x + 1;
    d_y[blockIdx.x * blockDim.x + threadIdx.x] = s_dynamic[next];
}
template <bool write_first>
__global__ void read_fresh(int* d_x, int* d_y) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (write_first) {
        d_y[256 + i] = 1;
    }
    d_x[i] = d_y[256 + i];
}
template <bool all>
__global__ void read_fresh_shared(int*, int* d_y) {
    __shared__ int s_x[64];
    if (all || threadIdx.x < 32) {
        s_x[threadIdx.x] = 1;
    }
    __syncthreads();
    d_y[blockIdx.x * blockDim.x + threadIdx.x] = s_x[63 - threadIdx.x];
}
template <bool write_first>
__global__ void count_in_fresh_bins(int*, int* d_y) {
    __shared__ int s_bins[8];
    if (write_first && threadIdx.x < 8) {
        s_bins[threadIdx.x] = 0;
    }
    __syncthreads();
    atomicAdd(&s_bins[threadIdx.x % 8], 1);
    __syncthreads();
    if (threadIdx.x < 8) {
        atomicAdd(&d_y[threadIdx.x], s_bins[threadIdx.x]);
    }
}
// Bytes between the members are never written, and are copied with the rest.
__global__ void copy_padding(int*, int* d_y) {
    struct Padded {
        char letter;
        int number;
        short half;
    };
    auto* const d_padded = reinterpret_cast<Padded*>(d_y + 256);
    if (threadIdx.x == 0 && blockIdx.x == 0) {
        d_padded[0].letter = 'a';
        d_padded[0].number = 1;
        d_padded[0].half = 2;
        d_padded[1] = d_padded[0];
        const Padded copy = d_padded[1];
        d_y[0] = copy.number;
    }
}
template <bool own_part>
__global__ void copy_by_memcpy(int* d_x, int* d_y) {
    const unsigned part = own_part ? blockIdx.x * blockDim.x + threadIdx.x : threadIdx.x;
    memcpy(d_y + part, d_x + part, sizeof(int));
}
template <unsigned more>
__global__ void clear_by_memset(int* d_x, int*) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    memset(d_x + i, 0, sizeof(int) + (i == 255 ? more : 0));
}
__device__ int d_counter = 0;
template <bool atomic>
__global__ void count_in_a_variable(int*, int*) {
    if (atomic) {
        atomicAdd(&d_counter, 1);
    } else {
        d_counter += 1;
    }
}

// --- barriers that not all threads come to ---

__global__ void barrier_in_both_branches(int*, int*) {
    if (threadIdx.x < 32) {
        __syncthreads();
    } else {
        __syncthreads();
    }
}
__global__ void barrier_in_one_branch(int*, int*) {
    if (threadIdx.x < 32) {
        __syncthreads();
    }
    __syncthreads();
}
__global__ void barrier_in_a_uniform_branch(int* d_x, int*) {
    if (d_x[1] == 0) {
        __syncthreads();
    }
    __syncthreads();
}
__global__ void barrier_in_a_loop(int*, int*) {
    for (unsigned i = 0; i < 1 + threadIdx.x / 32; ++i) {
        __syncthreads();
    }
    __syncthreads();
}
__global__ void barrier_after_some_have_ended(int*, int*) {
    if (threadIdx.x >= 40) {
        return;
    }
    __syncthreads();
}
__global__ void warp_barrier_after_some_have_ended(int*, int*) {
    if (threadIdx.x % 32 >= 20) {
        return;
    }
    __syncwarp();
}
template <bool same_mask>
__global__ void warp_barrier_of_halves(int*, int*) {
    const unsigned half = threadIdx.x % 32 < 16 ? 0xffffu : 0xffff0000u;
    __syncwarp(same_mask ? half : (threadIdx.x % 32 < 16 ? 0x1ffffu : 0xffffffffu));
}
__global__ void vote_without_oneself(int*, int*) {
    __any_sync(0xfffffffeu, 1);
}
__global__ void shuffle_against_barrier(int*, int*) {
    if (threadIdx.x % 32 < 16) {
        __shfl_sync(0xffffffffu, 1, 0);
    } else {
        __syncwarp();
    }
}
__global__ void warp_barrier_against_block_barrier(int*, int*) {
    if (threadIdx.x % 32 == 0) {
        __syncwarp();
    } else {
        __syncthreads();
    }
}

// --- waiting for what does not come ---

__global__ void lock_twice(int* d_x, int*) {
    lock(*d_x);
    lock(*d_x);
    unlock(*d_x);
}
template <bool ordered>
__global__ void lock_two(int* d_x, int*) {
    const bool swap = !ordered && blockIdx.x % 2 == 1;
    lock(d_x[swap ? 1 : 0]);
    lock(d_x[swap ? 0 : 1]);
    d_x[2] += 1;
    unlock(d_x[swap ? 0 : 1]);
    unlock(d_x[swap ? 1 : 0]);
}
__global__ void wait_for_a_flag_that_is_never_set(int* d_x, int*) {
    while (atomicAdd(d_x, 0) == 0) {
    }
}
__global__ void barrier_inside_of_a_lock(int* d_x, int*) {
    lock(*d_x);
    __syncthreads();
    unlock(*d_x);
}
// Four elements at a time, from element `first` on.
template <int first>
__global__ void load_four(int* d_x, int* d_y) {
    const int4 four = reinterpret_cast<const int4*>(d_x + first)[threadIdx.x % 8];
    atomicAdd(d_y, four.x + four.w);
}
// A counter of two words, from word `first` on.
template <int first>
__global__ void count_across_words(int* d_x, int*) {
    atomicAdd(reinterpret_cast<unsigned long long*>(d_x + first), 1ull);
}
__global__ void use_null(int*, int*) {
    int* const d_nothing = nullptr;
    d_nothing[threadIdx.x] = 1;
}

// --- the cases ---

std::vector<Litmus> litmus_of_this_file() {
    return {
        {"message_without_fences", pass_message<Side::none, Side::none>, race},
        {"message_fence_of_writer_only", pass_message<Side::fence, Side::none>, race},
        {"message_fence_of_reader_only", pass_message<Side::none, Side::fence>, race},
        {"message_both_fences", pass_message<Side::fence, Side::fence>, clean},
        {"message_fence_too_early", pass_message<Side::fence_too_early, Side::fence>, race},
        {"message_block_fences", pass_message<Side::block_fence, Side::block_fence>, scope},
        {"message_block_fence_of_reader", pass_message<Side::fence, Side::block_fence>, scope},
        {"message_release_acquire", pass_message<Side::order, Side::order>, clean},
        {"message_release_at_block_scope", pass_message<Side::block_order, Side::order>, scope},
        {"message_acquire_at_block_scope", pass_message<Side::order, Side::block_order>, scope},
        {"message_release_then_fence", pass_message<Side::order, Side::fence>, clean},
        {"message_fence_then_acquire", pass_message<Side::fence, Side::order>, clean},
        {"message_by_volatile_flag", pass_by_volatile_flag<false>, race},
        {"message_by_volatile_flag_and_fences", pass_by_volatile_flag<true>, clean},
        {"release_passed_on_by_an_update", pass_on<true>, clean},
        {"release_cut_off_by_a_store", pass_on<false>, race},
        {"release_by_cas", release_by_cas<0>, clean},
        {"release_by_cas_that_fails", release_by_cas<7>, race},
        {"pointer_published_relaxed", publish_a_pointer<false>, race},
        {"pointer_published_with_release", publish_a_pointer<true>, clean},
        {"blocks_meet_without_fences", meet_all_blocks<false>, race},
        {"blocks_meet_with_fences", meet_all_blocks<true>, clean},
        {"lock_none", add_under_lock<Lock::none>, race},
        {"lock_no_fence", add_under_lock<Lock::no_fence>, race},
        {"lock_fence_in_only", add_under_lock<Lock::fence_in>, race},
        {"lock_fence_out_only", add_under_lock<Lock::fence_out>, race},
        {"lock_both_fences", add_under_lock<Lock::fences>, clean},
        {"lock_acquire_release", add_under_lock<Lock::order>, clean},
        {"lock_relaxed", add_under_lock<Lock::relaxed>, race},
        {"lock_block_scope_across_blocks", add_under_lock<Lock::block_order>, scope},
        {"lock_block_scope_in_one_block", add_under_lock<Lock::block_order>, clean, 1},
        {"lock_given_back_before_the_write", add_under_lock<Lock::given_back_early>, race},
        {"lock_given_back_twice", add_under_lock<Lock::given_back_twice>, race, 4, 64, nullptr,
         false},
        {"two_locks_in_one_order", lock_two<true>, clean},
        {"count", count, clean},
        {"count_at_block_scope", count_at_block_scope, scope},
        {"count_at_block_scope_then_at_device_scope", count_at_block_scope_then_at_device_scope,
         scope},
        {"count_at_block_scope_in_one_block", count_at_block_scope, clean, 1},
        {"count_in_own_word", count_in_own_word, clean},
        {"count_in_two_widths", count_in_two_widths, race},
        {"count_in_a_variable", count_in_a_variable<true>, clean},
        {"plain_count_in_a_variable", count_in_a_variable<false>, race},
        {"plain_read_of_a_counter", count_then_read, race},
        {"atomic_read_of_a_counter", count_then_read_atomically, clean},
        {"add_by_cas", add_by_cas, clean},
        {"cas_that_fails_and_plain_reads", cas_and_plain_read, clean},
        {"list_pop_and_push_back", stack_of_nodes<true>, race, 4, 64, nullptr, false},
        {"list_push_and_walk", stack_of_nodes<false>, clean},
        {"bytes_of_one_word", write_neighbors_bytes, clean},
        {"bytes_read_by_another_thread", read_two_bytes_write_one<0>, race},
        {"bytes_beside_those_that_are_read", read_two_bytes_write_one<2>, clean},
        {"plain_read_among_atomic_ones", read_twice_then_count<true>, race},
        {"atomic_reads_then_an_update", read_twice_then_count<false>, clean},
        {"volatile_counter", volatile_counter, lost, 4, 64, nullptr, false},
        {"write_same_value", write_same_value, race},
        {"last_block_both_fences", last_block_sum<true, true>, clean},
        {"last_block_no_fence_before", last_block_sum<false, true>, race},
        {"last_block_no_fence_after", last_block_sum<true, false>, race},
        {"reset_too_early", reset_too_early, race},
        {"reset_by_who_has_read_all_updates", reset_by_a_reader<true>, clean},
        {"reset_by_who_has_not_read_all", reset_by_a_reader<false>, race},
        {"start_value_stored_then_counted", set_then_count<false>, race},
        {"start_value_released_then_counted", set_then_count<true>, clean},
        {"acquire_at_a_counter", acquire_at_the_counter<false>, clean},
        {"acquire_at_a_counter_after_its_reset", acquire_at_the_counter<true>, race},
        {"block_without_barrier", reverse_block<false>, race},
        {"block_with_barrier", reverse_block<true>, clean},
        {"warp_without_syncwarp", reverse_warp<Meet::nothing>, race},
        {"warp_shuffle_taken_for_a_barrier", reverse_warp<Meet::shuffle>, race},
        {"warp_with_syncwarp", reverse_warp<Meet::syncwarp>, clean},
        {"warp_syncwarp_of_half_warps", reverse_warp<Meet::half_mask>, race},
        {"volatile_warp_reduction", warp_reduce_by_hand<true>, unordered},
        {"warp_reduction_with_syncwarp", warp_reduce_by_hand<false>, clean},
        {"shared_in_a_template", shared_in_a_template<double>, clean},
        {"many_blocks_one_after_another", many_blocks_one_after_another, clean, 100},
        {"histogram_merged_too_early", private_histogram<false>, race},
        {"histogram_with_barrier", private_histogram<true>, clean},
        {"memcpy_to_the_same_words", copy_by_memcpy<false>, race},
        {"memcpy_to_own_words", copy_by_memcpy<true>, clean},
        {"memset_within", clear_by_memset<0>, clean},
        {"memset_beyond", clear_by_memset<1>, bounds},
        {"write_behind_the_end", write_next<false>, bounds},
        {"write_up_to_the_end", write_next<true>, clean, 1},
        {"read_in_front_of_the_array", read_in_front, bounds, 1},
        {"atomic_behind_the_end", count_in_a_large_bin<1>, bounds},
        {"atomic_at_the_end", count_in_a_large_bin<0>, clean},
        {"shared_behind_the_end", shared_next<false>, bounds},
        {"shared_up_to_the_end", shared_next<true>, clean},
        {"dynamic_shared_behind_the_end", dynamic_shared_next<false>, bounds},
        {"dynamic_shared_up_to_the_end", dynamic_shared_next<true>, clean},
        {"fresh_global_memory", read_fresh<false>, fresh},
        {"fresh_global_memory_written_first", read_fresh<true>, clean},
        {"fresh_shared_memory", read_fresh_shared<false>, fresh},
        {"fresh_shared_memory_written_first", read_fresh_shared<true>, clean},
        {"fresh_bins", count_in_fresh_bins<false>, fresh},
        {"fresh_bins_cleared_first", count_in_fresh_bins<true>, clean},
        {"padding_is_copied", copy_padding, clean},
        {"load_of_four_at_a_multiple_of_four", load_four<4>, clean},
        {"load_of_four_at_six", load_four<6>, misaligned},
        {"load_of_four_at_seven", load_four<7>, misaligned},
        {"counter_of_64_bits_at_an_even_word", count_across_words<2>, clean},
        {"counter_of_64_bits_at_an_odd_word", count_across_words<3>, misaligned},
        {"barrier_in_both_branches", barrier_in_both_branches, barrier},
        {"barrier_in_one_branch", barrier_in_one_branch, barrier},
        {"barrier_in_a_loop", barrier_in_a_loop, barrier},
        {"barrier_in_a_uniform_branch", barrier_in_a_uniform_branch, clean},
        {"barrier_after_some_have_ended", barrier_after_some_have_ended, clean},
        {"warp_barrier_after_some_have_ended", warp_barrier_after_some_have_ended, clean},
        {"warp_barrier_of_each_half", warp_barrier_of_halves<true>, clean},
        {"warp_barrier_with_two_masks", warp_barrier_of_halves<false>, warp},
        {"vote_without_oneself", vote_without_oneself, warp},
        {"shuffle_against_barrier", shuffle_against_barrier, warp},
        {"warp_barrier_against_block_barrier", warp_barrier_against_block_barrier, deadlock},
        {"barrier_inside_of_a_lock", barrier_inside_of_a_lock, deadlock},
        {"lock_twice", lock_twice, deadlock},
        {"flag_that_is_never_set", wait_for_a_flag_that_is_never_set, deadlock},
        {"null_pointer", use_null, null},
    };
}

const std::vector<Litmus>& all_litmus() {
    static const std::vector<Litmus> cases = [] {
        std::vector<Litmus> all = litmus_of_this_file();
        for (const auto& more :
             {litmus_of_order(), litmus_of_barriers(), litmus_of_memory(), litmus_of_spins()}) {
            all.insert(all.end(), more.begin(), more.end());
        }
        return all;
    }();
    return cases;
}

const bool thorough = std::getenv("THOROUGH") != nullptr;
const int most_seeds = thorough ? 20 : 5;

constexpr int line_of_first_allocation = __LINE__ + 6;
// Runs one case once, with fresh memory.
void run(const Litmus& litmus, int seed) {
    constexpr std::size_t bytes = 256 * sizeof(int);
    int* d_x = nullptr;
    int* d_y = nullptr;
    CHECK(cudaMalloc(&d_x, bytes));
    CHECK(cudaMalloc(&d_y, 2 * bytes));
    CHECK(cudaMemset(d_x, 0, bytes));
    CHECK(cudaMemset(d_y, 0, bytes));
    cpu_device::race::set_seed(seed);
    litmus.kernel<<<litmus.blocks, litmus.threads, litmus.threads * sizeof(int)>>>(d_x, d_y);
    CHECK_LAUNCH();
    CHECK(cudaFree(d_y));
    CHECK(cudaFree(d_x));
}

// The same in at most so many seconds of CPU time; then the process ends by a signal.
void run_within(rlim_t seconds, const Litmus& litmus, int seed) {
    const rlimit limit{seconds, seconds};
    setrlimit(RLIMIT_CPU, &limit);
    if (litmus.takes_long) {
        setenv("CPU_DEVICE_DEADLOCK_SECONDS", "1", 1);
    }
    run(litmus, seed);
}

// Reports of this kind.
unsigned count_of(const std::string& text, const std::string& kind) {
    unsigned found = 0;
    for (std::size_t at = text.find("\n" + kind + " in kernel"); at != std::string::npos;
         at = text.find("\n" + kind + " in kernel", at + 1)) {
        ++found;
    }
    return found;
}

class Race : public testing::TestWithParam<Litmus> {
  protected:
    Race() { cpu_device::race::be_quiet(true); }
    ~Race() override {  // the test is over: its reports are no reason to end with 66
        cpu_device::race::forget();
        cpu_device::race::be_quiet(false);
    }
};

TEST_P(Race, IsJudgedRightForAllSeeds) {
    const Litmus& litmus = GetParam();
    const int seeds = litmus.takes_long ? most_seeds / 5 : most_seeds;
    int found_with = 0;  // seeds
    for (int seed = 1; seed <= seeds; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        if (litmus.ends_the_program()) {
            EXPECT_EXIT(run_within(3, litmus, seed), testing::ExitedWithCode(66),
                        std::string(litmus.kind) + " in kernel .*launched at .*race_test.cu:");
            continue;
        }
        cpu_device::race::forget();
        run(litmus, seed);
        const unsigned reports = cpu_device::race::reports();
        const std::string text = cpu_device::race::reports_text();
        if (litmus.kind == clean) {
            EXPECT_EQ(reports, 0u) << text;
        } else {
            const unsigned found = count_of(text, litmus.kind);
            // Where a load reads an older store, the two accesses may be in order.
            const bool reads_old_values = seed % 4 == 0;
            EXPECT_TRUE(found >= 1 || !litmus.in_every_order || reads_old_values);
            found_with += found >= 1;
            const unsigned others =
                litmus.consequence == nullptr ? 0 : count_of(text, litmus.consequence);
            EXPECT_EQ(found + others, reports) << text;
            EXPECT_TRUE(reports == 0 || text.find("race_test.cu:") != std::string::npos) << text;
        }
    }
    if (litmus.kind != clean && !litmus.ends_the_program()) {
        // Every eighth seed reads the oldest store wherever it can.
        EXPECT_GE(found_with, litmus.only_by_old_value ? (seeds + 4) / 8 : (seeds + 1) / 2)
            << "found with too few seeds";
    }
}

INSTANTIATE_TEST_SUITE_P(Litmus, Race, testing::ValuesIn(all_litmus()),
                         [](const auto& test) { return test.param.name; });

TEST(RaceLitmus, HasAboutAsManyRacyKernelsAsCleanOnes) {
    const std::size_t all = all_litmus().size();
    const std::size_t clean_ones =
        std::count_if(all_litmus().begin(), all_litmus().end(),
                      [](const Litmus& litmus) { return litmus.kind == clean; });
    std::printf("[litmus] %zu kernels (%zu racy, %zu clean), %d seeds each\n", all,
                all - clean_ones, clean_ones, most_seeds);
    EXPECT_GE(all, 45u);
    EXPECT_GE(clean_ones, all * 2 / 5);
    EXPECT_LE(clean_ones, all * 3 / 5);
}

// --- what the reports say ---

class RaceReport : public Race {
  protected:
    // The text about one run of a kernel with fresh memory.
    static std::string of(void (*kernel)(int*, int*), int seed = 1) {
        cpu_device::race::forget();
        run({"", kernel, nullptr}, seed);
        return cpu_device::race::reports_text();
    }
    static bool has(const std::string& text, const std::string& words) {
        return text.find(words) != std::string::npos;
    }
    // The number that the group of the expression finds; -1: it finds none.
    static int number_in(const std::string& text, const char* expression) {
        const std::vector<std::string> found = Pattern(expression).find(text);
        return found.empty() ? -1 : std::stoi(found[1]);
    }
};

TEST_F(RaceReport, RepeatsFromItsSeed) {
    const std::string first = of(write_same_value, 1);
    EXPECT_EQ(first, of(write_same_value, 1));
    EXPECT_NE(first, of(write_same_value, 2));
}

TEST_F(RaceReport, NamesTheLineTheWordAndWhereItWasAllocated) {
    const std::string text = of(write_same_value);
    EXPECT_EQ(number_in(text, "race_test.cu:([0-9]+): block"), line_of_write_same_value) << text;
    EXPECT_TRUE(has(text, "[0] of the 256 elements of 4 bytes allocated at ")) << text;
    EXPECT_EQ(number_in(text, "allocated at .*_test.cu:([0-9]+)"), line_of_first_allocation)
        << text;
    EXPECT_TRUE(has(of(reverse_block<false>), "elements of 4 bytes of s_x")) << text;
    const std::string variable = of(count_in_a_variable<false>);
    EXPECT_TRUE(has(variable, "d_counter")) << variable;
}

TEST_F(RaceReport, NamesWhatIsMissing) {
    const char* const release = "    a release by the first";
    const char* const acquire = "    an acquire by the second";
    const char* const device = "    device scope";
    const auto expect = [&](void (*kernel)(int*, int*), bool needs_release, bool needs_acquire,
                            bool needs_device) {
        const std::string text = of(kernel);
        EXPECT_EQ(has(text, release), needs_release) << text;
        EXPECT_EQ(has(text, acquire), needs_acquire) << text;
        EXPECT_EQ(has(text, device), needs_device) << text;
    };
    expect(pass_message<Side::none, Side::none>, true, true, false);
    expect(pass_message<Side::none, Side::fence>, true, false, false);
    expect(pass_message<Side::fence_too_early, Side::fence>, true, false, false);
    expect(pass_message<Side::fence, Side::none>, false, true, false);
    expect(pass_message<Side::fence, Side::block_fence>, false, false, true);
    expect(pass_message<Side::none, Side::block_fence>, true, false, true);
    expect(pass_message<Side::block_order, Side::order>, false, false, true);
    expect(pass_message<Side::order, Side::block_order>, false, false, true);
    expect(add_under_lock<Lock::fence_in>, true, false, false);
    expect(add_under_lock<Lock::fence_out>, false, true, false);
    expect(add_under_lock<Lock::no_fence>, true, true, false);
    expect(add_under_lock<Lock::block_order>, false, false, true);
    expect(last_block_sum<true, false>, false, true, false);
    expect(write_same_value, false, false, false);  // no fence would help
}

TEST_F(RaceReport, FollowsASignalThroughABarrier) {
    const std::string text = of(last_block_reads_behind_a_barrier<false>);
    EXPECT_TRUE(has(text, ", and a barrier passes it on to thread 1, but ")) << text;
    EXPECT_TRUE(has(text, "    a release by the first")) << text;
    EXPECT_FALSE(has(text, "    an acquire by the second")) << text;
    EXPECT_EQ(of(last_block_reads_behind_a_barrier<true>), "");
}

TEST_F(RaceReport, GivesAdviceThatFitsThePlainAccess) {
    EXPECT_TRUE(has(of(start_in_the_kernel), "Set the start value before the launch"));
    EXPECT_TRUE(has(of(write_same_value), "Both write the same value, and it is a race all"));
    EXPECT_TRUE(has(of(write_own_number), "Both write, so in any order one value is lost"));
    EXPECT_FALSE(has(of(reverse_block<false>), "Both write"));
    const std::string text = of(add_after_plain_read);
    EXPECT_TRUE(has(text, " access is atomic. ")) << text;
    EXPECT_FALSE(has(text, "__syncthreads()")) << text;
}

TEST_F(RaceReport, SaysWhoseFenceIsMissing) {
    EXPECT_TRUE(has(of(fence_of_another<true>), "and before that thread's own fence"));
    const std::string text = of(fence_of_another<false>);
    EXPECT_TRUE(has(text, "    a release by thread 0: a __threadfence() of its own between"))
        << text;
    EXPECT_TRUE(has(text, "      A fence of another thread does not count.")) << text;
}

TEST_F(RaceReport, ShowsTheLostUpdate) {
    EXPECT_TRUE(has(of(add_under_lock<Lock::none>), "An update is lost: block "));
    EXPECT_FALSE(has(of(add_under_lock<Lock::no_fence>), "An update is lost"));
}

TEST_F(RaceReport, TellsHowFarAnAccessIsOutOfBounds) {
    const std::string behind = of(write_next<false>);
    EXPECT_TRUE(has(behind,
                    "block 3, thread 63 writes 4 bytes of global memory:\n"
                    "  [256], 0 bytes after the end of the 256 elements of 4 bytes "))
        << behind;
    const std::string front = of(read_in_front);
    EXPECT_TRUE(has(front, "  4 bytes in front of the 256 elements of 4 bytes ")) << front;
}

TEST_F(RaceReport, KnowsFreedMemory) {
    int* d_x = nullptr;
    CHECK(cudaMalloc(&d_x, 256 * sizeof(int)));
    CHECK(cudaFree(d_x));
    count<<<1, 1>>>(d_x, nullptr);
    const std::string text = cpu_device::race::reports_text();
    EXPECT_EQ(count_of(text, "USE AFTER FREE"), cpu_device::race::reports()) << text;
    EXPECT_EQ(count_of(text, "USE AFTER FREE"), 1u) << text;
}

TEST_F(RaceReport, SeesACopyToTheHostOfWhatNobodyHasWritten) {
    int* const d_x = new_words(64);
    std::vector<int> h_x(64);
    CHECK(cudaMemset(d_x + 1, 0, 4));
    CHECK(cudaMemcpy(h_x.data(), d_x, 64 * sizeof(int), cudaMemcpyDeviceToHost));
    EXPECT_EQ(cpu_device::race::reports(), 0u) << cpu_device::race::reports_text();
    // Without CHECK, the code that the call returns to is that of the next line.
    constexpr int line_of_copy = __LINE__ + 1;
    cudaMemcpy(h_x.data(), d_x + 2, 62 * sizeof(int), cudaMemcpyDeviceToHost);
    const std::string text = cpu_device::race::reports_text();
    EXPECT_EQ(cpu_device::race::reports(), 1u) << text;
    EXPECT_TRUE(Pattern("UNWRITTEN MEMORY in cudaMemcpy, called at .*race_test.cu:" +
                        std::to_string(line_of_copy) +
                        "\n.*cudaMemcpy copies 248 bytes to the host, of which none has been "
                        "written:\n  they begin at byte 8 of the 256 allocated at ")
                    .is_in(text))
        << text;
    CHECK(cudaFree(d_x));
}

TEST_F(RaceReport, TakesPoisonForUnwritten) {
    constexpr int line_of_allocation = __LINE__ + 1;
    int* const d_x = new_words(64);
    CHECK(cudaMemset(d_x, 1, 64 * sizeof(int)));
    count<<<1, 1>>>(d_x + 5, nullptr);
    EXPECT_EQ(cpu_device::race::reports(), 0u) << cpu_device::race::reports_text();
    CHECK(cudaMemset(d_x, 0x7b, 64 * sizeof(int)));
    cpu_device::race::forget_writes(d_x, 64 * sizeof(int));
    write_same_value<<<1, 1>>>(d_x + 4, nullptr);
    count<<<1, 1>>>(d_x + 4, nullptr);
    EXPECT_EQ(cpu_device::race::reports(), 0u) << cpu_device::race::reports_text();
    count<<<1, 1>>>(d_x + 5, nullptr);
    const std::string text = cpu_device::race::reports_text();
    EXPECT_EQ(count_of(text, fresh), 1u) << text;
    EXPECT_TRUE(has(text, "  [5] of the 64 elements of 4 bytes ")) << text;
    EXPECT_EQ(
        number_in(text, "allocated at .*support.cuh:[0-9]+, called from .*race_test.cu:([0-9]+)"),
        line_of_allocation)
        << text;
    write_same_value<<<2, 1>>>(d_x + 6, nullptr);
    const std::string race_text = cpu_device::race::reports_text();
    EXPECT_TRUE(has(race_text, " writes 1, where (never written) was")) << race_text;
    CHECK(cudaFree(d_x));
}

TEST_F(RaceReport, ShowsTheEarlierAccessHoweverLongAgo) {
    const std::string text = of(write_then_read_on_and_on);
    const Pattern shown(
        "    block 0, thread 0 writes 7, where 0 was   .*\n    \\.\\.\\.\n"
        "(    block 0, thread 0 reads 7   .*\n){5}"
        "    block 1, thread 0 writes 8, where 7 was   .*\n");
    EXPECT_TRUE(shown.is_in(text)) << text;
}

TEST_F(RaceReport, SaysWhatAnAtomicChanges) {
    const std::string text = of(count_at_block_scope);
    EXPECT_TRUE(Pattern("changes 0 to 1 in one atomic step   ").is_in(text)) << text;
}

TEST_F(RaceReport, KnowsAPointerToHostMemory) {
    std::vector<int> h_x(1);
    int* d_shared = nullptr;  // memory of the device and of the host
    CHECK(cudaMallocManaged(&d_shared, sizeof(int)));
    count<<<1, 1>>>(d_shared, nullptr);
    count<<<1, 1>>>(&d_counter, nullptr);
    EXPECT_EQ(cpu_device::race::reports(), 0u) << cpu_device::race::reports_text();
    write_nothing<<<1, 1>>>(d_shared, h_x.data());
    write_nothing<<<1, 1>>>(&h_x[0], d_shared);
    const std::string text = cpu_device::race::reports_text();
    EXPECT_EQ(count_of(text, "HOST POINTER"), 2u) << text;
    EXPECT_TRUE(has(text, "Argument 2 points to memory of the host")) << text;
    EXPECT_TRUE(has(text, "Argument 1 points to memory of the host")) << text;
    CHECK(cudaFree(d_shared));
}

// On a GPU the host would not survive this; what it may use is what it shares with the device.
TEST_F(RaceReport, NamesMemoryOfTheDeviceThatTheHostUses) {
    int *d_x, *shared, *pinned;
    CHECK(cudaMalloc(&d_x, 8));
    CHECK(cudaMallocManaged(&shared, 8));
    CHECK(cudaMallocHost(&pinned, 8));
    for (int i = 0; i < 2; ++i) {
        shared[i] = pinned[i] = i;
    }
    EXPECT_EQ(cpu_device::race::reports(), 0u) << cpu_device::race::reports_text();
    constexpr int line_of_write = __LINE__ + 2;
    for (int i = 0; i < 2; ++i) {
        d_x[i] = shared[i];
        pinned[i] = d_x[i];
    }
    const std::string text = cpu_device::race::reports_text();
    EXPECT_TRUE(has(text, "HOST ACCESS in host code, at ")) << text;
    const auto at = [](int line) { return "race_test.cu:" + std::to_string(line); };
    EXPECT_TRUE(has(text, at(line_of_write) + ": the host writes to memory of the device."))
        << text;
    EXPECT_TRUE(has(text, at(line_of_write + 1) + ": the host reads memory of the device."))
        << text;
    CHECK(cudaFree(d_x));
    CHECK(cudaFree(shared));
    CHECK(cudaFreeHost(pinned));
}

// An atomic of the host is an access of the host, too.
TEST_F(RaceReport, NamesMemoryOfTheDeviceOnWhichTheHostMakesAtomics) {
    int *d_x, *shared, *pinned, *mapped;
    CHECK(cudaMalloc(&d_x, 4));
    CHECK(cudaMallocManaged(&shared, 4));
    CHECK(cudaMallocHost(&pinned, 4));
    CHECK(cudaHostAlloc(&mapped, 4, cudaHostAllocMapped));
    int own = 0;
    for (int* const word : {shared, pinned, mapped, &own}) {
        cuda::atomic_ref<int, cuda::thread_scope_system> one(*word);
        one.store(1);
        one.fetch_add(1);
        atomicAdd(word, 1);
        EXPECT_EQ(one.load(), 3);
    }
    EXPECT_EQ(cpu_device::race::reports(), 0u) << cpu_device::race::reports_text();
    cuda::atomic_ref<int, cuda::thread_scope_system> word(*d_x);
    constexpr int line_of_store = __LINE__ + 1;
    word.store(1);
    static_cast<void>(word.load());
    atomicAdd(d_x, 1);
    atomicCAS(d_x, 7, 8);  // changes nothing
    const std::string text = cpu_device::race::reports_text();
    const auto at = [](int line) { return "race_test.cu:" + std::to_string(line); };
    EXPECT_EQ(cpu_device::race::reports(), 4u) << text;
    for (const int line : {line_of_store, line_of_store + 2}) {
        EXPECT_TRUE(has(text, at(line) + ": the host writes to memory of the device.")) << text;
    }
    for (const int line : {line_of_store + 1, line_of_store + 3}) {
        EXPECT_TRUE(has(text, at(line) + ": the host reads memory of the device.")) << text;
    }
    CHECK(cudaFree(d_x));
    CHECK(cudaFree(shared));
    CHECK(cudaFreeHost(pinned));
    CHECK(cudaFreeHost(mapped));
}

__global__ void look_beyond(int* d_x, int*) {
    for (int looks = 0; looks < 3; ++looks) {
        atomicAdd(&d_x[256], 0);
    }
}
TEST_F(RaceReport, TellsOnceOfAPlaceThatLeavesTheArrayAndAgainAfterForgetting) {
    for (int time = 0; time < 2; ++time) {
        const std::string text = of(look_beyond);
        EXPECT_EQ(cpu_device::race::reports(), 1u) << text;
        EXPECT_TRUE(has(text, "[256], 0 bytes after the end")) << text;
    }
}

using RaceDeathTest = RaceReport;

// Fresh shared memory makes a wild index.
__global__ void use_a_fresh_index(int*, int* d_y) {
    __shared__ int s_index;
    __shared__ int s_x[64];
    s_x[threadIdx.x] = 1;
    d_y[threadIdx.x] = (&s_x[0])[s_index];
}
TEST_F(RaceDeathTest, SurvivesAWildPointerLongEnoughToTell) {
    EXPECT_EXIT(run({"", use_a_fresh_index, nullptr}, 1), testing::ExitedWithCode(66),
                "OUT OF BOUNDS in kernel .*\n  .*race_test.cu:[0-9]+: block [0-3], thread [0-9]+ "
                "accesses address 0x(.*\n)*race mode: 2 reports");  // one of the unwritten index
}

// 16 GiB after the array's beginning: other memory is there, but none of the program's.
__global__ void go_below_zero(int* d_x, int*) {
    d_x[threadIdx.x - 1u] = 1;
}
TEST_F(RaceDeathTest, SeesAnIndexThatIsFarTooLarge) {
    EXPECT_EXIT(run({"", go_below_zero, nullptr}, 1), testing::ExitedWithCode(66),
                "OUT OF BOUNDS in kernel .*\n  .*race_test.cu:[0-9]+: block [0-3], thread 0 "
                "accesses address 0x");
}

__global__ void wait_for_all_blocks(int* d_x, int*) {
    atomicAdd(d_x, 1);
    await(d_x, static_cast<int>(gridDim.x * blockDim.x));
}
TEST_F(RaceDeathTest, SaysWhatIsTooLargeWithAStatusOfItsOwn) {
    EXPECT_EXIT(run({"", wait_for_all_blocks, nullptr, 9, 1024}, 1), testing::ExitedWithCode(67),
                "TOO LARGE FOR RACE MODE: kernel .*race_test.cu:[0-9]+\n"
                "  1 blocks have not started: race mode holds 8 of this size at a time");
}

// One thread of each block waits for a word, the others for that thread, after all have met.
__global__ void wait_after_a_barrier(int* d_x, int*) {
    __syncthreads();
    if (threadIdx.x == 0) {
        await(d_x, 1);
    }
    __syncthreads();
}
// By what the threads do, and not by the time that they have taken.
TEST_F(RaceDeathTest, SeesAtOnceThatNobodyCanGoOnWhenOthersWaitInABarrier) {
    for (int seed = 1; seed <= 8; ++seed) {
        EXPECT_EXIT(run({"", wait_after_a_barrier, nullptr}, seed), testing::ExitedWithCode(66),
                    "DEADLOCK in kernel .*\n  Every thread that can run waits in vain(.*\n)*"
                    "  .*race_test.cu:[0-9]+: 63 threads of block 0 wait in a barrier for block 0, "
                    "thread 0, which is at ")
            << "seed " << seed;
    }
}

TEST_F(RaceDeathTest, TellsWhoWaitsForWhomAndWhoHadTheLock) {
    EXPECT_EXIT(run({"", lock_twice, nullptr}, 1), testing::ExitedWithCode(66),
                "DEADLOCK in kernel .*Who waits where:\n  block .0, 0, 0. of 64 threads:\n"
                "    threads .*: spin on .0. of the 256 elements .*support.cuh:[0-9]+ in lock\n"
                "(.*\n)*"
                "  .*support.cuh:[0-9]+: block 0, thread 0 and [0-9]+ more wait for .0. of the 256 "
                "elements .*, which holds 1; block [0-3], thread [0-9]+ has changed it last, at "
                ".*support.cuh:[0-9]+, and waits as well\n");
    EXPECT_EXIT(
        run({"", lock_two<false>, nullptr}, 1), testing::ExitedWithCode(66),
        "DEADLOCK in kernel .*\n  Each thread waits for a word that another one of them has "
        "changed last. Who waits where:\n(.*\n)*"
        "    thread .*: spin on .1. of the 256 elements ");
    EXPECT_EXIT(run({"", warp_barrier_against_block_barrier, nullptr}, 1),
                testing::ExitedWithCode(66),
                "DEADLOCK in kernel .*Who waits where:\n  block .0, 0, 0. of 64 threads:\n"
                "    threads 0, 32: wait in __syncwarp .*\n"
                "    threads 1 to 31, 33 to 63: wait in __syncthreads.*\n");
    EXPECT_EXIT(run({"", wait_for_a_flag_that_is_never_set, nullptr}, 1),
                testing::ExitedWithCode(66), "holds 0; no thread of this launch has changed it\n");
}

}  // namespace
