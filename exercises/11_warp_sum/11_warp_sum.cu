// 11. The sum of a warp
//
// Each warp adds up its 32 elements and stores the sum in d_sums: warp 0 of the whole grid in
// d_sums[0], warp 1 in d_sums[1], and so on. The result is right. But the tree needs shared memory,
// and barriers that stop the whole block.
//
// Do the same with shuffles: without shared memory, without __syncthreads(), without atomics. Each
// thread reads one element of d_x only. The last warp may have fewer than 32 elements.
// Read: basics/07_warps.md
__global__ void sum_warps(const int* d_x, int n, int* d_sums) {
    __shared__ int s_x[1024];
    const int tid = threadIdx.x, lane = tid % 32;
    const int i = blockIdx.x * blockDim.x + tid;
    s_x[tid] = i < n ? d_x[i] : 0;
    __syncthreads();
    for (int offset = 16; offset > 0; offset /= 2) {
        if (lane < offset) {
            s_x[tid] += s_x[tid + offset];
        }
        __syncthreads();
    }
    if (lane == 0 && i < n) {
        d_sums[i / 32] = s_x[tid];
    }
}

// block_size is a multiple of 32.
void launch_sum_warps(const int* d_x, int n, int* d_sums, int block_size) {
    if (n > 0) {
        sum_warps<<<(n + block_size - 1) / block_size, block_size>>>(d_x, n, d_sums);
    }
}
