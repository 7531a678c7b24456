// expect: does not compile "missing_constant_query.cu:6: error: the CPU device does not have
//     __isConstant"
__constant__ int c_x;

__global__ void k(unsigned* y) {
    y[0] = __isConstant(&c_x);
}

int main() {}
