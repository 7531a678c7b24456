// A load by ld.global.nc is one by __ldg: the kernel may not write there, even before a barrier.
// race: status 66, "READ-ONLY LOAD", "ptx_read_only_load.cu:9"
__global__ void k(unsigned* x, unsigned* y) {
    x[threadIdx.x] = threadIdx.x;
    __syncthreads();
    const unsigned* const from = x + 63 - threadIdx.x;

    unsigned value;
    asm("ld.global.nc.u32 %0, [%1];" : "=r"(value) : "l"(from));
    y[threadIdx.x] = value;
}

int main() {
    unsigned *x, *y;
    cudaMallocManaged(&x, 64 * sizeof *x);
    cudaMallocManaged(&y, 64 * sizeof *y);
    k<<<1, 64>>>(x, y);
    return cudaDeviceSynchronize() == cudaSuccess && y[63] == 0 && y[0] == 63 ? 0 : 1;
}
