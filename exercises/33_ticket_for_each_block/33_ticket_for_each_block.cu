// 33. A ticket for each block
//
// Blocks hand sums on, as in a scan: d_prefix[t] becomes the sum of all elements of the tiles 0 to
// t. The block of tile t adds up its tile, waits for d_prefix[t - 1], and stores d_prefix[t]. Then
// it sets d_ready[t] from 0 to 1.
//
// Two things are wrong. A block may wait for one that has not started: CUDA does not say in which
// order blocks start, and a block that waits keeps its place. And the kernel works only once:
// *d_ticket and d_ready are 0 before the first call of launch_sum_tiles, and no one sets them back
// before the next call, which has other numbers.
//
// Mend both. *d_ticket is for the first: the tickets 0, 1, 2, ... go to the blocks in the order in
// which they start. Each call launches one kernel. Leave the sums plain, and do without the word
// volatile.
// Read: scan/README.md (2. A chain of blocks, and The next launch)
#include <cuda/atomic>

using Flag = cuda::atomic_ref<unsigned, cuda::thread_scope_device>;

__global__ void sum_tiles(const int* d_x, int n, unsigned* d_ticket, unsigned* d_ready,
                          int* d_prefix) {
    __shared__ int s_sum;
    if (threadIdx.x == 0) {
        s_sum = 0;
    }
    __syncthreads();
    const unsigned tile = blockIdx.x;
    const int i = tile * blockDim.x + threadIdx.x;
    if (i < n) {
        atomicAdd(&s_sum, d_x[i]);
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        int before = 0;
        if (tile > 0) {
            while (Flag(d_ready[tile - 1]).load(cuda::memory_order_acquire) == 0) {
            }
            before = d_prefix[tile - 1];
        }
        d_prefix[tile] = before + s_sum;
        Flag(d_ready[tile]).store(1, cuda::memory_order_release);
    }
}

void launch_sum_tiles(const int* d_x, int n, unsigned* d_ticket, unsigned* d_ready, int* d_prefix,
                      int block_size) {
    const int blocks = (n + block_size - 1) / block_size;  // as many as tiles
    sum_tiles<<<blocks, block_size>>>(d_x, n, d_ticket, d_ready, d_prefix);
}
