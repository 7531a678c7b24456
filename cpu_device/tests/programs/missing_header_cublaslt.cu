// expect: does not compile "missing_header_cublaslt.cu:4: error: This part of cuBLAS: the CPU
//     device does not"

#include <cublasLt.h>

int main() {}
