// What the orders and scopes of C++ become in PTX: one kernel per row of the table in progress.md.
// tests/orders_test.py compiles this file and compares.
#include <cuda_runtime.h>

#include <cuda/atomic>

using Device = cuda::atomic_ref<int, cuda::thread_scope_device>;

// clang-format off
__global__ void count(const float* x, int n, int* total) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && x[i] > 0)
        atomicAdd(total, 1);
}

__global__ void count_by_ref(const float* x, int n, int* total) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && x[i] > 0)
        cuda::atomic_ref<int>(*total).fetch_add(1);
}

// ROW(name, statement): `p` is the word, `q` keeps what is read.
#define ROW(name, ...) \
    extern "C" __global__ void name([[maybe_unused]] int* p, [[maybe_unused]] int* q) { \
        __VA_ARGS__; \
    }
ROW(load_relaxed,  *q = Device(*p).load(cuda::memory_order_relaxed))
ROW(load_acquire,  *q = Device(*p).load(cuda::memory_order_acquire))
ROW(load_seq_cst,  *q = Device(*p).load(cuda::memory_order_seq_cst))
ROW(store_relaxed, Device(*p).store(1, cuda::memory_order_relaxed))
ROW(store_release, Device(*p).store(1, cuda::memory_order_release))
ROW(store_seq_cst, Device(*p).store(1, cuda::memory_order_seq_cst))
ROW(add_relaxed,   *q = Device(*p).fetch_add(1, cuda::memory_order_relaxed))
ROW(add_acquire,   *q = Device(*p).fetch_add(1, cuda::memory_order_acquire))
ROW(add_release,   *q = Device(*p).fetch_add(1, cuda::memory_order_release))
ROW(add_acq_rel,   *q = Device(*p).fetch_add(1, cuda::memory_order_acq_rel))
ROW(add_seq_cst,   *q = Device(*p).fetch_add(1, cuda::memory_order_seq_cst))
ROW(add_default,   *q = cuda::atomic_ref<int>(*p).fetch_add(1))
ROW(fence_acq_rel, cuda::atomic_thread_fence(cuda::memory_order_acq_rel, cuda::thread_scope_device))
ROW(fence_seq_cst, cuda::atomic_thread_fence(cuda::memory_order_seq_cst, cuda::thread_scope_device))
ROW(atomic_add,        *q = atomicAdd(p, 1))
ROW(atomic_add_block,  *q = atomicAdd_block(p, 1))
ROW(atomic_add_system, *q = atomicAdd_system(p, 1))
ROW(threadfence_block,  __threadfence_block())
ROW(threadfence,        __threadfence())
ROW(threadfence_system, __threadfence_system())
ROW(syncthreads,        __syncthreads())
// clang-format on
