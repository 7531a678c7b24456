// expect: does not compile "missing_ptx_order_of_bits.cu:6: error: inline PTX, which the CPU
//     device does not have"
// Bits have no order; nvcc refuses this, too.
__global__ void k(unsigned* x) {
    unsigned less;
    asm("{ .reg .pred p; setp.lt.b32 p, %1, 1; selp.u32 %0, 1, 2, p; }" : "=r"(less) : "r"(x[0]));
    x[threadIdx.x] = less;
}

int main() {}
