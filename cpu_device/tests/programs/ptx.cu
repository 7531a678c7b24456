// The instructions of inline PTX that have a name in CUDA C++: special registers, fences, bits,
// loads with a hint.
__device__ unsigned lane_of_ptx() {
    unsigned lane;
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
    return lane;
}

__global__ void registers(unsigned* x, int n) {
    unsigned warp, multiprocessor, below, tid, blocks;
    asm volatile("mov.u32 %0, %warpid;" : "=r"(warp));
    asm volatile("mov.u32 %0, %%smid;" : "=r"(multiprocessor));
    asm("mov.u32 %0, %%lanemask_lt;" : "=r"(below));
    asm("mov.u32 %0, %%tid.x; mov.u32 %1, %%nctaid.x;" : "=r"(tid), "=r"(blocks));
    if (lane_of_ptx() != threadIdx.x % 32 || warp != threadIdx.x / 32 || multiprocessor >= n ||
        __popc(below) != threadIdx.x % 32 || tid != threadIdx.x || blocks != gridDim.x)
        atomicAdd(x, 1u);
    asm volatile("membar.gl;" ::: "memory");
    asm volatile("bar.sync 0;");
    unsigned long long begin, end;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin));
    asm volatile("mov.u64 %0, %%clock64;\n\t" : "=l"(end)::"memory");
    if (end < begin)
        atomicAdd(x, 1u);
}

__global__ void bits(unsigned* x) {
    unsigned r[6] = {};
    asm("bfe.u32 %0, %1, %2, %3;" : "=r"(r[0]) : "r"(0xabcd1234u), "r"(8), "r"(8));
    asm("bfi.b32 %0, %1, %2, %3, %4;" : "=r"(r[1]) : "r"(0xf5u), "r"(0x1234u), "r"(4), "r"(4));
    asm("lop3.b32 %0, %1, %2, %3, 0x96;" : "=r"(r[2]) : "r"(1u), "r"(2u), "r"(4u));
    asm("prmt.b32 %0, %1, %2, 0x0123;" : "=r"(r[3]) : "r"(0x04030201u), "r"(0u));
    asm("ld.global.nc.u32 %0, [%1];" : "=r"(r[4]) : "l"(x + 1));
    asm("popc.b32 %0, %1;" : "=r"(r[5]) : "r"(x[1]));
    if (r[0] != 0x12 || r[1] != 0x1254 || r[2] != 7 || r[3] != 0x01020304 || r[4] != 5 || r[5] != 2)
        x[0] = 1;
}

int main() {
    cudaDeviceProp p;
    cudaGetDeviceProperties(&p, 0);
    unsigned* x;
    cudaMallocManaged(&x, 2 * sizeof *x);
    x[0] = 0;
    x[1] = 5;
    registers<<<3, 64>>>(x, p.multiProcessorCount);
    if (cudaDeviceSynchronize() != cudaSuccess || x[0] != 0)
        return 1;
    bits<<<1, 1>>>(x);
    return cudaDeviceSynchronize() == cudaSuccess && x[0] == 0 ? 0 : 2;
}
