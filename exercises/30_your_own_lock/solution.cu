// 30. A lock of your own
//
// Thread i pays d_amount[i] into an account: it adds it to *d_balance, and writes the next line of
// the statement. In line k, d_who[k] is the number i of the thread, and d_after[k] is the balance
// after it. So each line must follow from the line before. *d_lines is the number of lines so far.
// At the beginning *d_balance, *d_lines and *d_lock are 0.
//
// Read: mutex_dot/README.md
#include <cuda/atomic>

using Lock = cuda::atomic_ref<int, cuda::thread_scope_device>;

__device__ void lock(int* d_lock) {
    Lock word(*d_lock);
    int expected = 0;
    while (!word.compare_exchange_weak(expected, 1, cuda::memory_order_acquire,
                                       cuda::memory_order_relaxed)) {
        expected = 0;  // a failed exchange has put there what it found
    }
}

__device__ void unlock(int* d_lock) {
    Lock(*d_lock).store(0, cuda::memory_order_release);
}

__global__ void pay_all(const int* d_amount, int n, int* d_lock, int* d_balance, int* d_lines,
                        int* d_who, int* d_after) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        lock(d_lock);
        *d_balance += d_amount[i];
        d_who[*d_lines] = i;
        d_after[*d_lines] = *d_balance;
        ++*d_lines;
        unlock(d_lock);
    }
}

void launch_pay_all(const int* d_amount, int n, int* d_lock, int* d_balance, int* d_lines,
                    int* d_who, int* d_after, int block_size) {
    if (n > 0) {
        pay_all<<<(n + block_size - 1) / block_size, block_size>>>(d_amount, n, d_lock, d_balance,
                                                                   d_lines, d_who, d_after);
    }
}
