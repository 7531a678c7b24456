// 15. An atomic function of your own
//
// CUDA has no atomic function that multiplies. Write one: *d_word becomes *d_word * value % 65521,
// in one atomic step. The function returns the old value, as all atomic functions do. The first
// read is there already. It is an atomic read, because other threads write the word meanwhile.
// (The word and the value are from 0 to 65520, so their product fits into an unsigned.)
//
// Put a loop around atomicCAS in the place of ____ .
// Read: atomic_functions/README.md
#include <cuda/atomic>

__device__ unsigned atomic_multiply(unsigned* d_word, unsigned value) {
    cuda::atomic_ref<unsigned, cuda::thread_scope_device> word(*d_word);
    unsigned old = word.load(cuda::memory_order_relaxed);
    ____
}

// Thread i multiplies the word by d_x[i], and keeps the old value.
__global__ void multiply(const unsigned* d_x, int n, unsigned* d_word, unsigned* d_olds) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        d_olds[i] = atomic_multiply(d_word, d_x[i]);
    }
}

void launch_multiply(const unsigned* d_x, int n, unsigned* d_word, unsigned* d_olds,
                     int block_size) {
    if (n > 0) {
        multiply<<<(n + block_size - 1) / block_size, block_size>>>(d_x, n, d_word, d_olds);
    }
}
