// 2. The tail
//
// The kernel doubles n numbers: d_y[i] = 2 * d_x[i]. The last elements are never written. The
// elements after the last full block are called the tail.
//
// There are two faults, and one hides the other. First mend the number of blocks in the launcher:
// every element needs a thread. Then check again, and read what the report says about the kernel.
// Read: basics/03_vector_sum.md
__global__ void twice(const int* d_x, int* d_y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {  // the last block may have more threads than elements are left
        d_y[i] = 2 * d_x[i];
    }
}

// Without elements there is nothing to launch. (A launch of 0 blocks is refused.)
void launch_twice(const int* d_x, int* d_y, int n, int block_size) {
    if (n > 0) {
        twice<<<(n + block_size - 1) / block_size, block_size>>>(d_x, d_y, n);  // rounds up
    }
}
