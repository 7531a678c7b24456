// The samples' own helper_cuda.h names the errors of a library if its header was included, which it
// sees by that header's guard.
#include <cublas_v2.h>
#include <curand.h>

#ifdef CUBLAS_API_H_
static const char* name_of(cublasStatus_t) {
    return "cuBLAS";
}
#endif
#ifdef CURAND_H_
static const char* name_of(curandStatus_t) {
    return "cuRAND";
}
#endif

int main() {
    return name_of(CUBLAS_STATUS_SUCCESS)[2] == 'B' && name_of(CURAND_STATUS_SUCCESS)[2] == 'R' ? 0
                                                                                                : 1;
}
