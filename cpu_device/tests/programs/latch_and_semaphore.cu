// cuda::latch: one block waits until all others have written. cuda::counting_semaphore: at most
// two threads at a time are where it lets them.
#include <cstdio>
#include <cuda/latch>
#include <cuda/semaphore>

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
    *d_sum += 1;
    lock->release();
}

int main() {
    const int blocks = 8;
    Latch* d_latch;
    Semaphore* d_semaphore;
    int* d_x;
    cudaMalloc(&d_latch, sizeof *d_latch);
    cudaMalloc(&d_semaphore, sizeof *d_semaphore);
    cudaMallocManaged(&d_x, (blocks + 4) * sizeof *d_x);
    for (int i = 0; i < 4; ++i)
        d_x[blocks + i] = 0;
    set_up<<<1, 1>>>(d_latch, d_semaphore, blocks);
    sum_of_blocks<<<blocks, 1>>>(d_latch, d_semaphore, d_x, d_x + blocks, d_x + blocks + 1,
                                 d_x + blocks + 2);
    lock_of_a_block<<<1, 40>>>(d_x + blocks + 3);
    const cudaError_t error = cudaDeviceSynchronize();
    printf("%s: %d %d %d\n", cudaGetErrorName(error), d_x[blocks], d_x[blocks + 2],
           d_x[blocks + 3]);
    return error == cudaSuccess && d_x[blocks] == 28 && d_x[blocks + 2] == 0 &&
                   d_x[blocks + 3] == 40
               ? 0
               : 1;
}
