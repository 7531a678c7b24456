// cuda::latch: one block waits until all others have written. cuda::counting_semaphore: at most
// two threads at a time are where it lets them.
#include <cstdio>
#include <cuda/latch>
#include <cuda/semaphore>
#include <cuda/std/chrono>

using Latch = cuda::latch<cuda::thread_scope_device>;
using Semaphore = cuda::counting_semaphore<cuda::thread_scope_device, 2>;

__global__ void set_up(Latch* d_latch, Semaphore* d_semaphore, int blocks) {
    new (d_latch) Latch(blocks - 1);
    new (d_semaphore) Semaphore(2);
}

__global__ void sum_of_blocks(Latch* d_latch, Semaphore* d_semaphore, int* d_x, int* d_sum,
                              int* d_inside, int* d_too_many) {
    d_semaphore->acquire();
    if (atomicAdd(d_inside, 1) > 1)
        atomicAdd(d_too_many, 1);
    __nanosleep(1);  // the others have their turn now: they must not come in
    atomicSub(d_inside, 1);
    d_semaphore->release();
    if (blockIdx.x > 0) {
        d_x[blockIdx.x] = blockIdx.x;
        d_latch->count_down();
        return;
    }
    d_latch->wait();
    for (int i = 1; i < gridDim.x; ++i)
        *d_sum += d_x[i];
}

__global__ void lock_of_a_block(int* d_sum) {
    __shared__ char s_memory[sizeof(cuda::binary_semaphore<cuda::thread_scope_block>)];
    auto* lock = reinterpret_cast<cuda::binary_semaphore<cuda::thread_scope_block>*>(s_memory);
    if (threadIdx.x == 0)
        new (lock) cuda::binary_semaphore<cuda::thread_scope_block>(1);
    __syncthreads();
    lock->acquire();
    const int sum = *d_sum;
    __nanosleep(1);
    *d_sum = sum + 1;
    lock->release();
}

__global__ void several_at_once(int* d_right) {
    __shared__ char s_latch[sizeof(Latch)], s_permits[sizeof(Semaphore)];
    __shared__ int s_before;
    auto* latch = reinterpret_cast<Latch*>(s_latch);
    auto* permits = reinterpret_cast<Semaphore*>(s_permits);
    if (threadIdx.x == 0) {
        new (latch) Latch(2 * blockDim.x);
        new (permits) Semaphore(0);
        s_before = 0;
    }
    __syncthreads();
    const bool early = permits->try_acquire() || latch->try_wait();
    atomicAdd(&s_before, 1);
    if (threadIdx.x == 0) {
        latch->count_down(2);
        latch->wait();
    } else {
        latch->arrive_and_wait(2);
    }
    const bool all = s_before == blockDim.x;
    if (threadIdx.x == 0)
        permits->release(2);
    __syncthreads();
    if (threadIdx.x < 2)
        permits->acquire();
    __syncthreads();
    if (!early && all && !permits->try_acquire())
        atomicAdd(d_right, 1);
}

// Objects without a run of their constructor.
__device__ Latch d_two(2);
__device__ Semaphore d_one(1);

__global__ void with_time(int* d_right) {
    using namespace cuda::std::chrono;
    const bool early = d_two.try_wait();
    d_two.count_down(2);
    d_two.wait();
    d_one.acquire();
    const auto begin = steady_clock::now();
    bool in_vain = d_one.try_acquire_for(microseconds(300));
    bool late = steady_clock::now() - begin >= microseconds(300);
    const auto end = steady_clock::now() + microseconds(200);
    in_vain = d_one.try_acquire_until(end) || in_vain;
    late = steady_clock::now() >= end && late;
    d_one.release();
    const bool at_last = d_one.try_acquire_for(hours(1));
    d_one.release();
    atomicAdd(d_right, !early && !in_vain && late && at_last);
}

int main() {
    const int blocks = 8;
    Latch* d_latch;
    Semaphore* d_semaphore;
    int* d_x;
    cudaMalloc(&d_latch, sizeof *d_latch);
    cudaMalloc(&d_semaphore, sizeof *d_semaphore);
    cudaMallocManaged(&d_x, (blocks + 6) * sizeof *d_x);
    for (int i = 0; i < 6; ++i)
        d_x[blocks + i] = 0;
    set_up<<<1, 1>>>(d_latch, d_semaphore, blocks);
    sum_of_blocks<<<blocks, 1>>>(d_latch, d_semaphore, d_x, d_x + blocks, d_x + blocks + 1,
                                 d_x + blocks + 2);
    lock_of_a_block<<<1, 40>>>(d_x + blocks + 3);
    several_at_once<<<1, 40>>>(d_x + blocks + 4);
    with_time<<<1, 1>>>(d_x + blocks + 5);
    const cudaError_t error = cudaDeviceSynchronize();
    printf("%s: %d %d %d %d %d\n", cudaGetErrorName(error), d_x[blocks], d_x[blocks + 2],
           d_x[blocks + 3], d_x[blocks + 4], d_x[blocks + 5]);
    return error == cudaSuccess && d_x[blocks] == 28 && d_x[blocks + 2] == 0 &&
                   d_x[blocks + 3] == 40 && d_x[blocks + 4] == 40 && d_x[blocks + 5] == 1
               ? 0
               : 1;
}
