// expect: does not compile "missing_header_of_cuda.cu:4: error: cuda_of_the_future.h: if it belongs
//     to CUDA, the CPU device does"

#include <cuda_of_the_future.h>

int main() {}
