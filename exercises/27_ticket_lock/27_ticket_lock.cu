// 27. A ticket lock
//
// A spin lock lets any of the waiting threads in. This lock serves them in the order in which they
// came. *d_next is the next free number, *d_serving is the number whose turn it is. Both are 0 at
// the beginning, and n at the end. A thread takes a number, its ticket, and waits until it is
// called. In its turn each thread puts its ticket at the end of a list. At the end the
// list must be 0, 1, 2, ... n - 1.
//
// Fill in the two holes: lock() takes a ticket, waits, and returns the ticket; unlock() calls the
// next number. Write each access to the two words as an atomic function. Do without the word
// volatile.
// Read: mutex_dot/README.md
__device__ unsigned lock(unsigned* d_next, unsigned* d_serving) {
    const unsigned ticket = ____;
    ____;
    __threadfence();  // the critical section comes after this
    return ticket;
}

__device__ void unlock(unsigned* d_serving) {
    __threadfence();  // the critical section came before this
    ____;
}

__global__ void serve_all(int n, unsigned* d_next, unsigned* d_serving, unsigned* d_served,
                          int* d_size) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        const unsigned ticket = lock(d_next, d_serving);
        d_served[*d_size] = ticket;
        ++*d_size;
        unlock(d_serving);
    }
}

void launch_serve_all(int n, unsigned* d_next, unsigned* d_serving, unsigned* d_served, int* d_size,
                      int block_size) {
    if (n > 0) {
        serve_all<<<(n + block_size - 1) / block_size, block_size>>>(n, d_next, d_serving, d_served,
                                                                     d_size);
    }
}
