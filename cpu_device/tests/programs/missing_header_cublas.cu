// expect: does not compile "missing_header_cublas.cu:4: error: This part of cuBLAS: the CPU
//     device does not"

#include <cublas.h>

int main() {}
