// 19. A private histogram per block
//
// The kernel counts how often each number from 0 to 63 occurs. d_bins[k] counts the number k, and
// all bins are 0 at the beginning. All threads of the grid meet at these 64 words of global memory.
//
// Let each block count in bins of its own, in shared memory, and add these to d_bins at the end. At
// most 64 atomics in global memory per block are allowed: 64 * ((n + block_size - 1) / block_size)
// in all. Atomics in shared memory are free. A block may have fewer than 64 threads.
// Read: histogram/README.md
constexpr int bins = 64;

__global__ void histogram(const int* d_x, int n, unsigned* d_bins) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        atomicAdd(&d_bins[d_x[i]], 1u);
    }
}

void launch_histogram(const int* d_x, int n, unsigned* d_bins, int block_size) {
    if (n > 0) {
        histogram<<<(n + block_size - 1) / block_size, block_size>>>(d_x, n, d_bins);
    }
}
