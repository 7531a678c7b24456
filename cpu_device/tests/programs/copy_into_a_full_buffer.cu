// One warp copies into a buffer, another one reads it, and nobody says that it is empty. The cure
// is a second barrier, and no __syncthreads() between the two branches.
// race: status 66, "DATA RACE", "the copy begun by block 0", "needs a second barrier"
#include <cuda/barrier>

__global__ void k(int* d_x) {
    __shared__ cuda::barrier<cuda::thread_scope_block> s_full;
    __shared__ int s_x[32];
    const unsigned lane = threadIdx.x % 32;
    if (threadIdx.x == 0) {
        init(&s_full, 64);
    }
    __syncthreads();
    if (threadIdx.x < 32) {
        for (int step = 0; step < 2; ++step) {
            cuda::memcpy_async(&s_x[lane], &d_x[step * 32 + lane], sizeof(int), s_full);
            s_full.arrive_and_wait();
        }
    } else {
        for (int step = 0; step < 2; ++step) {
            s_full.arrive_and_wait();
            d_x[64 + step * 32 + lane] = s_x[31 - lane];
        }
    }
}

int main() {
    int* d_x = nullptr;
    cudaMalloc(&d_x, 128 * sizeof(int));
    cudaMemset(d_x, 0, 128 * sizeof(int));
    k<<<1, 64>>>(d_x);
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
