// expect: does not compile "unknown_intrinsic.cu:4: error: the CPU device does not have __hfma9, or
//     an #include of cuda_fp16.h"
__global__ void k(float* x) {
    x[0] = __hfma9(x[1], x[2], x[3]);
}

int main() {}
