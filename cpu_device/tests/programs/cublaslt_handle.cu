// A handle of cublasLt, which many programs make beside the one of cuBLAS, even if no library of
// the system could multiply.
#include <cublasLt.h>

int main() {
    cublasHandle_t one;
    cublasLtHandle_t two;
    if (cublasCreate(&one) != CUBLAS_STATUS_SUCCESS ||
        cublasLtCreate(&two) != CUBLAS_STATUS_SUCCESS)
        return 1;
    if (cublasLtCreate(nullptr) != CUBLAS_STATUS_INVALID_VALUE || cublasLtGetVersion() == 0)
        return 2;
    return cublasLtDestroy(two) == CUBLAS_STATUS_SUCCESS &&
                   cublasDestroy(one) == CUBLAS_STATUS_SUCCESS
               ? 0
               : 3;
}
