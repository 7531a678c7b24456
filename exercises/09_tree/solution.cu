// 9. A tree
//
// Each block adds up its part of d_x and stores the sum in d_sums[blockIdx.x]. The sum is a tree in
// shared memory: in the first step the lower half of the threads each add one number of the upper
// half to their own, in the next step a quarter of them, and so on. The last step leaves the sum in
// s_x[0]. block_size is a power of two here.
//
// Write the loop in the place of ____ . No atomics. In each step of the tree a thread may read and
// write at most 5 words of 4 bytes: 50 for a block of 1024 threads, whose tree has 10 steps.
// Read: basics/06_shared_memory.md
__global__ void sum_blocks(const int* d_x, int n, int* d_sums) {
    __shared__ int s_x[1024];
    const int tid = threadIdx.x;
    const int i = blockIdx.x * blockDim.x + tid;
    s_x[tid] = i < n ? d_x[i] : 0;
    __syncthreads();
    for (int offset = blockDim.x / 2; offset > 0; offset /= 2) {
        if (tid < offset) {
            s_x[tid] += s_x[tid + offset];
        }
        __syncthreads();  // the next step reads the sums of this one
    }
    if (tid == 0) {
        d_sums[blockIdx.x] = s_x[0];
    }
}

void launch_sum_blocks(const int* d_x, int n, int* d_sums, int block_size) {
    if (n > 0) {
        sum_blocks<<<(n + block_size - 1) / block_size, block_size>>>(d_x, n, d_sums);
    }
}
