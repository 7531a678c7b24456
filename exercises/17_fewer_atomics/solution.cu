// 17. Fewer atomics at one word
//
// The kernel adds up all elements in *d_sum, which is 0 at the beginning. The sum is right, but all
// threads of the grid wait for each other at this one word of global memory.
//
// Read: reduce_atomic/README.md
__global__ void sum(const int* d_x, int n, int* d_sum) {
    __shared__ int s_sum;
    if (threadIdx.x == 0) {
        s_sum = 0;
    }
    __syncthreads();  // it is 0 before any thread adds
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        atomicAdd(&s_sum, d_x[i]);  // a tree or shuffles would do as well
    }
    __syncthreads();  // all threads have added
    if (threadIdx.x == 0) {
        atomicAdd(d_sum, s_sum);
    }
}

void launch_sum(const int* d_x, int n, int* d_sum, int block_size) {
    if (n > 0) {
        sum<<<(n + block_size - 1) / block_size, block_size>>>(d_x, n, d_sum);
    }
}
