// The sum of a warp as before Volta, by volatile; the only fence is that of one lane, after it.
// race: status 66, "VOLATILE WITHOUT ORDER", "volatile_sum_with_a_fence.cu:11: block 0"
__global__ void k(int* d_sum) {
    __shared__ volatile int s_x[64];
    const unsigned t = threadIdx.x;
    s_x[t] = 1;
    s_x[t + 32] = 0;
    __syncthreads();
    for (unsigned d = 16; d > 0; d /= 2) {
        // All lanes read, then all lanes write: nothing says so.
        s_x[t] = s_x[t] + s_x[t + d];
    }
    if (t == 0) {
        d_sum[0] = s_x[0];
        __threadfence();
        atomicAdd(&d_sum[1], 1);
    }
}

int main() {
    int* d_sum = nullptr;
    cudaMalloc(&d_sum, 2 * sizeof(int));
    cudaMemset(d_sum, 0, 2 * sizeof(int));
    k<<<1, 32>>>(d_sum);
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
