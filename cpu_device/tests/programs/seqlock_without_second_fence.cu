// The reader of a sequence lock looks at the number again, and has no fence before it: so it may
// find the number that it has found before, though the data are new.
// environment: RACE_SEED=4
// race: status 66, "DATA RACE", "seqlock_without_second_fence.cu:22: block 1, thread 0"
#include <cuda/atomic>

using Word = cuda::atomic_ref<int, cuda::thread_scope_device>;

__global__ void k(int* d_x) {
    Word number(d_x[1]), data(d_x[2]);
    if (blockIdx.x == 0) {
        number.store(1, cuda::memory_order_relaxed);
        __threadfence();
        data.store(1, cuda::memory_order_relaxed);
        __threadfence();
        number.store(2, cuda::memory_order_relaxed);
    } else if (blockIdx.x == 1) {
        const int before = number.load(cuda::memory_order_acquire);
        while (data.load(cuda::memory_order_relaxed) == 0) {
        }
        if (before == 0 && number.load(cuda::memory_order_relaxed) == 0) {
            d_x[0] = 1;  // never with the fence
        }
    } else {
        d_x[0] = 2;
    }
}

int main() {
    int* d_x = nullptr;
    cudaMalloc(&d_x, 3 * sizeof(int));
    cudaMemset(d_x, 0, 3 * sizeof(int));
    k<<<3, 1>>>(d_x);
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
