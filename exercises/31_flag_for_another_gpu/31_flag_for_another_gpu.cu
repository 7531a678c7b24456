// 31. A flag for another GPU
//
// Two GPUs work on one array. Block b of `square`, on GPU 0, stores its part of `squares`. Block b
// of `add_one`, on GPU 1, goes on with this part. Both kernels run at the same time. So block b of
// `square` raises flags[b], from 0 to 1, once its part is there, and block b of `add_one` waits for
// that. `squares` and `flags` are in pinned memory, which all GPUs can use. d_x is in the memory of
// GPU 0, and d_y in that of GPU 1.
//
// Write both halves: raise the flag, and wait for it. A hole may become several lines. Use `load`
// and `store` of an atomic_ref, with their order or with fences. Do not use volatile, and leave the
// launches as they are.
// Read: several_gpus/README.md (1. A mailbox), basics/11_message_passing.md
#include <cuda/atomic>

__global__ void square(const int* d_x, int n, int* squares, int* flags) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        squares[i] = d_x[i] * d_x[i];
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        ____;  // raise the flag
    }
}

__global__ void add_one(const int* squares, int n, int* flags, int* d_y) {
    if (threadIdx.x == 0) {
        ____;  // wait for the flag
    }
    __syncthreads();
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        d_y[i] = squares[i] + 1;
    }
}

void launch_both(const int* d_x, int n, int* squares, int* flags, int* d_y, int block_size) {
    if (n > 0) {
        const int blocks = (n + block_size - 1) / block_size;
        cudaSetDevice(0);
        square<<<blocks, block_size>>>(d_x, n, squares, flags);
        cudaSetDevice(1);
        add_one<<<blocks, block_size>>>(squares, n, flags, d_y);
        cudaSetDevice(0);
    }
}
