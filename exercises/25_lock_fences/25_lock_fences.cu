// 25. A lock without an order
//
// One thread at a time holds this lock, and still the sums are right only by luck. The additions
// are plain. Nothing says that they have arrived in memory before the lock is seen free, and
// nothing says that the next thread reads the sums after it has the lock.
//
// Mend lock() and unlock(). The kernel stays as it is: the sums are plain code under the lock. The
// report says what is missing. Do without the word volatile.
// Read: mutex_dot/README.md
__device__ void lock(int* d_lock) {
    while (atomicCAS(d_lock, 0, 1) != 0) {
    }
}

__device__ void unlock(int* d_lock) {
    atomicExch(d_lock, 0);
}

__global__ void add_all(const int* d_x, int n, int* d_lock, int* d_sum, int* d_squares) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        lock(d_lock);
        *d_sum += d_x[i];
        *d_squares += d_x[i] * d_x[i];
        unlock(d_lock);
    }
}

void launch_add_all(const int* d_x, int n, int* d_lock, int* d_sum, int* d_squares,
                    int block_size) {
    if (n > 0) {
        add_all<<<(n + block_size - 1) / block_size, block_size>>>(d_x, n, d_lock, d_sum,
                                                                   d_squares);
    }
}
