// cuBLAS gets a pointer of the host: said so, with the name of the operand.
// needs: BLAS
// expect: status 3, "cublasSscal: expected 400 bytes of device memory for x"
#include <cublas_v2.h>

int main() {
    float x[100] = {};
    const float two = 2;
    cublasHandle_t handle;
    cublasCreate(&handle);
    return cublasSscal(handle, 100, &two, x, 1) == CUBLAS_STATUS_EXECUTION_FAILED ? 3 : 1;
}
