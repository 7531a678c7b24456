// expect: does not compile "missing_ptx.cu:5: error: inline PTX, which the CPU device does not
//     have"
__global__ void k(unsigned* x) {
    unsigned carry;
    asm volatile("add.cc.u32 %0, %1, %2;" : "=r"(carry) : "r"(x[0]), "r"(x[1]));
    x[threadIdx.x] = carry;
}

int main() {}
