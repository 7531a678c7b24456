// Errors name the right line, also after text that the two passes do not share.
// expect: does not compile "cuda_arch_lines.cu:22:"
#ifdef __CUDA_ARCH__
__device__ int twice(int x) {
    return 2 * x;
}

#else
int twice(int x) {
    return x + x;
}
#endif
__host__ __device__ int three() {
#ifdef __CUDA_ARCH__
    return 3;
#else
    return twice(1) + 1;
#endif
}

__global__ void k(int* x) {
    *x = twice(three()) + wrong;
}
