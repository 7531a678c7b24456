// expect: does not compile "missing_intrinsic.cu:4: error: the CPU device does not have
//     __viaddmax_s32"
__global__ void k(int* x) {
    x[0] = __viaddmax_s32(x[1], x[2], x[3]);
}

int main() {}
