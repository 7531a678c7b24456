// 22. Without atomics
//
// Each element is added to its left and to its right neighbor: d_x[i] to d_y[i - 1] and to
// d_y[i + 1], where these exist. Two threads add to the same word, so they need an atomic. This is
// called scatter: a thread belongs to an input, and writes to several outputs.
//
// Read: neighbor_list/README.md
__global__ void add_to_neighbors(const int* d_x, int n, int* d_y) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        const int left = i > 0 ? d_x[i - 1] : 0;
        const int right = i + 1 < n ? d_x[i + 1] : 0;
        d_y[i] = left + right;  // no other thread writes here, and nothing must be 0 before
    }
}

void launch_add_to_neighbors(const int* d_x, int n, int* d_y, int block_size) {
    if (n > 0) {
        add_to_neighbors<<<(n + block_size - 1) / block_size, block_size>>>(d_x, n, d_y);
    }
}
