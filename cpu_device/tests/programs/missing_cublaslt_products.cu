// expect: does not compile "missing_cublaslt_products.cu:5: error: cublasLtMatmulDesc_t belongs to
//     a part of cuBLAS, which the CPU device does not have"
#include <cublasLt.h>

cublasLtMatmulDesc_t description;

int main() {}
