// 18. The last block adds up
//
// Each block stores the sum of its part in d_sums[blockIdx.x] and counts itself in *d_count, which
// is 0 at the beginning. The block that counts last adds up all sums and stores the total in
// *d_sum. The steps stand in the right order. But other threads may see what a thread does in
// another order, and an atomic puts no other access in order.
//
// Put in what is missing: first in the thread that writes a sum, then in the one that reads it. A
// fence counts only in the thread that makes the atomicAdd. No further atomic is allowed: at most
// one in global memory per block. And no volatile is.
// Read: basics/11_message_passing.md and reduce_atomic/README.md
__global__ void sum_all(const int* d_x, int n, int* d_sums, unsigned* d_count, int* d_sum) {
    __shared__ int s_sum;
    if (threadIdx.x == 0) {
        s_sum = 0;
    }
    __syncthreads();
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        atomicAdd(&s_sum, d_x[i]);
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        d_sums[blockIdx.x] = s_sum;
        const unsigned before = atomicAdd(d_count, 1u);
        if (before == gridDim.x - 1) {
            int total = 0;
            for (unsigned block = 0; block < gridDim.x; ++block) {
                total += d_sums[block];
            }
            *d_sum = total;
        }
    }
}

void launch_sum_all(const int* d_x, int n, int* d_sums, unsigned* d_count, int* d_sum,
                    int block_size) {
    const int blocks = n == 0 ? 1 : (n + block_size - 1) / block_size;
    sum_all<<<blocks, block_size>>>(d_x, n, d_sums, d_count, d_sum);
}
