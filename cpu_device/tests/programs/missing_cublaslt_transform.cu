// expect: does not compile "missing_cublaslt_transform.cu:5: error: cublasLtMatrixTransformDesc_t
//     belongs to a part of cuBLAS, which the CPU device does not have"
#include <cublasLt.h>

cublasLtMatrixTransformDesc_t description;

int main() {}
