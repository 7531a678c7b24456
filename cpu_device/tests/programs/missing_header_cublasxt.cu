// expect: does not compile "missing_header_cublasxt.cu:4: error: This part of cuBLAS: the CPU
//     device does not"

#include <cublasXt.h>

int main() {}
