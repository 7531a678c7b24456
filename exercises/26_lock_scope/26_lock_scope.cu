// 26. A lock for all blocks
//
// Each thread whose element is positive puts it at the end of a list: d_list, with *d_size elements
// so far. The order in the list does not matter. One lock protects the list and its size. The lock
// works as long as there is one block only.
//
// Mend lock() and unlock(), so that the threads of all blocks can share the lock. The kernel stays
// as it is. Do without the word volatile.
// Read: atomic_functions/README.md (Scopes), grid_barrier/README.md
__device__ void lock(int* d_lock) {
    while (atomicCAS_block(d_lock, 0, 1) != 0) {
    }
    __threadfence_block();
}

__device__ void unlock(int* d_lock) {
    __threadfence_block();
    atomicExch_block(d_lock, 0);
}

__global__ void append_positive(const int* d_x, int n, int* d_lock, int* d_list, int* d_size) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && d_x[i] > 0) {
        lock(d_lock);
        d_list[*d_size] = d_x[i];
        ++*d_size;
        unlock(d_lock);
    }
}

void launch_append_positive(const int* d_x, int n, int* d_lock, int* d_list, int* d_size,
                            int block_size) {
    if (n > 0) {
        append_positive<<<(n + block_size - 1) / block_size, block_size>>>(d_x, n, d_lock, d_list,
                                                                           d_size);
    }
}
