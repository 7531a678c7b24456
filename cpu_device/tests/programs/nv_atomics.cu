// The built-in functions __nv_atomic_..., with orders and scopes: counters, a flag, a lock.
// quick
#include <cstdio>

#ifndef ORDER_OF_FLAG  // nv_atomics_relaxed.cu has another
#define ORDER_OF_FLAG __NV_ATOMIC_RELEASE
#endif

struct Words {
    int sum, low, high, bits, lock, guarded, message, flag, got;
    unsigned long long wide;
    float real;
};

__global__ void count(Words* d) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    __nv_atomic_fetch_add(&d->sum, i, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
    __nv_atomic_fetch_sub(&d->sum, 1, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
    __nv_atomic_fetch_min(&d->low, i - 5, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
    __nv_atomic_max(&d->high, i, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
    __nv_atomic_fetch_or(&d->bits, 1 << i % 8, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
    __nv_atomic_add(&d->wide, 1ull << 32, __NV_ATOMIC_RELAXED);
    __nv_atomic_fetch_add(&d->real, 0.5f, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
    // A lock.
    int expected = 0;
    while (!__nv_atomic_compare_exchange_n(&d->lock, &expected, 1, true, __NV_ATOMIC_ACQUIRE,
                                           __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE)) {
        expected = 0;
    }
    ++d->guarded;
    __nv_atomic_store_n(&d->lock, 0, __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_DEVICE);
}

__global__ void send(Words* d) {
    if (blockIdx.x == 0) {
        d->message = 42;
        int one = 1;
        __nv_atomic_store(&d->flag, &one, ORDER_OF_FLAG, __NV_THREAD_SCOPE_DEVICE);
    } else {
        int seen = 0;
        while (seen == 0) {
            __nv_atomic_load(&d->flag, &seen, __NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_DEVICE);
        }
        d->got = d->message;
    }
}

int main() {
    Words *d, words{};
    cudaMalloc(&d, sizeof *d);
    cudaMemcpy(d, &words, sizeof words, cudaMemcpyHostToDevice);
    count<<<4, 64>>>(d);
    send<<<2, 1>>>(d);
    cudaMemcpy(&words, d, sizeof words, cudaMemcpyDeviceToHost);
    if (words.sum != 255 * 128 - 256 || words.low != -5 || words.high != 255 || words.bits != 255 ||
        words.wide != 256ull << 32 || words.real != 128 || words.guarded != 256 ||
        words.got != 42) {
        std::printf("%d %d %d %d %llu %g %d %d\n", words.sum, words.low, words.high, words.bits,
                    words.wide, words.real, words.guarded, words.got);
        return 1;
    }
    std::printf("ok\n");
}
