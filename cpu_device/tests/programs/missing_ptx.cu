// expect: does not compile "missing_ptx.cu:5: error: inline PTX, which the CPU device does not
//     have"
__global__ void k(unsigned* x) {
    unsigned lane;
    asm volatile("mov.u32 %0, %%laneid;" : "=r"(lane));
    x[threadIdx.x] = lane;
}

int main() {}
