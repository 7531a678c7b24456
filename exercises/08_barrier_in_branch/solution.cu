// 8. A barrier in a branch
//
// Each thread adds the next element of its block's part to its own: d_y[i] = d_x[i] + d_x[i + 1].
// The last thread of a block has no next one, and a thread without an element stores 0 in its
// place: so the last elements of each part stay as they are.
//
// Both branches have a barrier. But these are two barriers: CUDA demands that all threads of a
// block come to the same __syncthreads(), each time. Mend it. The shared array stays.
// Read: basics/06_shared_memory.md
__global__ void add_next(const int* d_x, int* d_y, int n) {
    __shared__ int s_x[1024 + 1];
    const int tid = threadIdx.x;
    const int i = blockIdx.x * blockDim.x + tid;
    if (tid == 0) {
        s_x[blockDim.x] = 0;  // after the last thread
    }
    if (i < n) {
        s_x[tid] = d_x[i];
    } else {
        s_x[tid] = 0;
    }
    __syncthreads();  // outside of the branches: one barrier for all threads
    if (i < n) {
        d_y[i] = s_x[tid] + s_x[tid + 1];
    }
}

void launch_add_next(const int* d_x, int* d_y, int n, int block_size) {
    if (n > 0) {
        add_next<<<(n + block_size - 1) / block_size, block_size>>>(d_x, d_y, n);
    }
}
