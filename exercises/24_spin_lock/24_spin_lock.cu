// 24. A spin lock
//
// The kernel looks for the largest element and for its place. The two must fit together, so a
// thread compares and changes both in a critical section: lines that only one thread at a time may
// run. *d_lock is 0 if the lock is free, and 1 if a thread has taken it. It is 0 at the beginning,
// and *d_place is -1. All threads take the same lock, those of one warp as well. (An older course
// may have told you that this hangs. It did, before compute capability 7.0. Now each lane goes on
// by itself.)
//
// Write lock(), which waits until the lock is free and takes it, and unlock(), which gives it back.
// Write each access to *d_lock as an atomic function. Do without the word volatile. The fences are
// there already: the next exercise is about them.
// Read: mutex_dot/README.md
__device__ void lock(int* d_lock) {
    ____;
    __threadfence();  // the critical section comes after this
}

__device__ void unlock(int* d_lock) {
    __threadfence();  // the critical section came before this
    ____;
}

__global__ void find_largest(const int* d_x, int n, int* d_lock, int* d_largest, int* d_place) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        lock(d_lock);
        if (*d_place == -1 || d_x[i] > *d_largest) {
            *d_largest = d_x[i];
            *d_place = i;
        }
        unlock(d_lock);
    }
}

void launch_find_largest(const int* d_x, int n, int* d_lock, int* d_largest, int* d_place,
                         int block_size) {
    if (n > 0) {
        find_largest<<<(n + block_size - 1) / block_size, block_size>>>(d_x, n, d_lock, d_largest,
                                                                        d_place);
    }
}
