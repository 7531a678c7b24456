// 22. Without atomics
//
// Each element is added to its left and to its right neighbor: d_x[i] to d_y[i - 1] and to
// d_y[i + 1], where these exist. Two threads add to the same word, so they need an atomic. This is
// called scatter: a thread belongs to an input, and writes to several outputs.
//
// Turn it around: a thread belongs to an output, reads the inputs that it needs, and no other
// thread writes this output. This is called gather. No atomic is allowed. d_y may hold anything at
// the beginning.
// Read: neighbor_list/README.md
__global__ void add_to_neighbors(const int* d_x, int n, int* d_y) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && i > 0) {
        atomicAdd(&d_y[i - 1], d_x[i]);
    }
    if (i + 1 < n) {
        atomicAdd(&d_y[i + 1], d_x[i]);
    }
}

void launch_add_to_neighbors(const int* d_x, int n, int* d_y, int block_size) {
    if (n > 0) {
        cudaMemset(d_y, 0, n * sizeof(int));  // atomicAdd adds to what is there
        add_to_neighbors<<<(n + block_size - 1) / block_size, block_size>>>(d_x, n, d_y);
    }
}
