// 32. The last GPU adds up
//
// Each of two GPUs has a half of an array. Its threads add their elements to d_sums[gpu], and each
// block counts itself in *d_count. The block that counts last, on either GPU, stores the sum of
// both in *d_total. d_sums, *d_count and *d_total are in the memory of GPU 0. The sums and the
// count are 0 at the beginning, and no GPU has access to the memory of the other.
//
// Read: several_gpus/README.md (3. The memory of GPU 0), basics/11_message_passing.md (Scope)
__global__ void add_half(const int* d_x, int n, int gpu, unsigned blocks_of_both, int* d_sums,
                         unsigned* d_count, int* d_total) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        atomicAdd(&d_sums[gpu], d_x[i]);
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence_system();
        const unsigned before = atomicAdd_system(d_count, 1u);
        __threadfence_system();
        if (before == blocks_of_both - 1) {
            *d_total = d_sums[0] + d_sums[1];
        }
    }
}

// Half 0 is in the memory of GPU 0, half 1 in that of GPU 1.
void launch_add_both(const int* d_x0, int n0, const int* d_x1, int n1, int* d_sums,
                     unsigned* d_count, int* d_total, int block_size) {
    const int blocks0 = n0 / block_size + 1;
    const int blocks1 = n1 / block_size + 1;
    const unsigned both = blocks0 + blocks1;
    cudaSetDevice(0);
    add_half<<<blocks0, block_size>>>(d_x0, n0, 0, both, d_sums, d_count, d_total);
    cudaSetDevice(1);
    cudaDeviceEnablePeerAccess(0, 0);
    add_half<<<blocks1, block_size>>>(d_x1, n1, 1, both, d_sums, d_count, d_total);
    cudaSetDevice(0);
}
