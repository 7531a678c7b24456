// cublasXt, as far as a product of matrices that may lie on the host, too. Which devices are
// chosen, and in what blocks the matrices are to be cut, has no effect. Scalars lie on the host.
#pragma once

#include "cublas_v2.h"

struct cublasXtContext;
using cublasXtHandle_t = cublasXtContext*;

cublasStatus_t cublasXtCreate(cublasXtHandle_t* handle);
cublasStatus_t cublasXtDestroy(cublasXtHandle_t handle);
cublasStatus_t cublasXtDeviceSelect(cublasXtHandle_t handle, int count, int devices[]);
cublasStatus_t cublasXtSetBlockDim(cublasXtHandle_t handle, int block);
cublasStatus_t cublasXtGetBlockDim(cublasXtHandle_t handle, int* block);

cublasStatus_t cublasXtSgemm(cublasXtHandle_t handle, cublasOperation_t transa,
                             cublasOperation_t transb, size_t m, size_t n, size_t k,
                             const float* alpha, const float* A, size_t lda, const float* B,
                             size_t ldb, const float* beta, float* C, size_t ldc);
cublasStatus_t cublasXtDgemm(cublasXtHandle_t handle, cublasOperation_t transa,
                             cublasOperation_t transb, size_t m, size_t n, size_t k,
                             const double* alpha, const double* A, size_t lda, const double* B,
                             size_t ldb, const double* beta, double* C, size_t ldc);
