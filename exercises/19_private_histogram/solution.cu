// 19. A private histogram per block
//
// The kernel counts how often each number from 0 to 63 occurs. d_bins[k] counts the number k, and
// all bins are 0 at the beginning. All threads of the grid meet at these 64 words of global memory.
//
// Read: histogram/README.md
constexpr int bins = 64;

__global__ void histogram(const int* d_x, int n, unsigned* d_bins) {
    __shared__ unsigned s_bins[bins];
    for (int bin = threadIdx.x; bin < bins; bin += blockDim.x) {  // any block size
        s_bins[bin] = 0;
    }
    __syncthreads();  // all bins are 0 before any thread counts
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        atomicAdd(&s_bins[d_x[i]], 1u);
    }
    __syncthreads();  // all threads have counted
    for (int bin = threadIdx.x; bin < bins; bin += blockDim.x) {
        atomicAdd(&d_bins[bin], s_bins[bin]);
    }
}

void launch_histogram(const int* d_x, int n, unsigned* d_bins, int block_size) {
    if (n > 0) {
        histogram<<<(n + block_size - 1) / block_size, block_size>>>(d_x, n, d_bins);
    }
}
