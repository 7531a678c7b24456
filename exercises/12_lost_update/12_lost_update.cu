// 12. The lost update
//
// Each element that is larger than `limit` is to add 1 to *d_count, which is 0 at the beginning.
// The count comes out too small: two threads read the same old value, both add 1, and one update is
// lost.
//
// Mend the line that counts.
// Read: atomic_functions/README.md
__global__ void count_larger(const int* d_x, int n, int limit, unsigned* d_count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && d_x[i] > limit) {
        ++*d_count;
    }
}

void launch_count_larger(const int* d_x, int n, int limit, unsigned* d_count, int block_size) {
    if (n > 0) {
        count_larger<<<(n + block_size - 1) / block_size, block_size>>>(d_x, n, limit, d_count);
    }
}
