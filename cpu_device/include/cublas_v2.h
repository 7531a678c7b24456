// cuBLAS, as far as courses use it: vectors and matrices of float and double, and products of
// matrices of half, bfloat16 and int8. It works on a BLAS of the system (libopenblas.so.0 or
// libblas.so.3), which it looks for when the first function is called that computes something.
//
// Matrices are stored column by column. As on a GPU, a function is work in the handle's stream,
// whose result is there when the stream has done it; in race mode its reads and writes are
// compared with those of other streams. Of what this header does not declare the CPU device has
// nothing.
#pragma once

#include <stddef.h>

#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "cuda_runtime.h"
#include "library_types.h"

#define CUBLAS_API_H_  // the guard of NVIDIA's own header, which some sources look at
#define CUBLASAPI
#define CUBLASWINAPI
#define CUBLAS_VER_MAJOR 13
#define CUBLAS_VER_MINOR 0
#define CUBLAS_VERSION 130000

// clang-format off
#define CPU_DEVICE_CUBLAS_STATES(state) \
    state(CUBLAS_STATUS_SUCCESS, 0, "success")                                               \
    state(CUBLAS_STATUS_NOT_INITIALIZED, 1, "the library was not initialized")               \
    state(CUBLAS_STATUS_ALLOC_FAILED, 3, "the resource allocation failed")                   \
    state(CUBLAS_STATUS_INVALID_VALUE, 7, "an invalid value was passed")                     \
    state(CUBLAS_STATUS_ARCH_MISMATCH, 8, "the device's architecture does not have this")    \
    state(CUBLAS_STATUS_MAPPING_ERROR, 11, "an access to GPU memory space failed")           \
    state(CUBLAS_STATUS_EXECUTION_FAILED, 13, "the function failed to launch on the GPU")    \
    state(CUBLAS_STATUS_INTERNAL_ERROR, 14, "an internal operation failed")                  \
    state(CUBLAS_STATUS_NOT_SUPPORTED, 15, "this is not supported")                          \
    state(CUBLAS_STATUS_LICENSE_ERROR, 16, "a license was not found")
// clang-format on
enum cublasStatus_t {
#define CPU_DEVICE_STATE(name, number, text) name = number,
    CPU_DEVICE_CUBLAS_STATES(CPU_DEVICE_STATE)
#undef CPU_DEVICE_STATE
};

enum cublasOperation_t {
    CUBLAS_OP_N = 0,
    CUBLAS_OP_T = 1,
    CUBLAS_OP_C = 2,
    CUBLAS_OP_HERMITAN = 2,
    CUBLAS_OP_CONJG = 3,
};
enum cublasFillMode_t { CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER, CUBLAS_FILL_MODE_FULL };
enum cublasDiagType_t { CUBLAS_DIAG_NON_UNIT, CUBLAS_DIAG_UNIT };
enum cublasSideMode_t { CUBLAS_SIDE_LEFT, CUBLAS_SIDE_RIGHT };
enum cublasPointerMode_t { CUBLAS_POINTER_MODE_HOST, CUBLAS_POINTER_MODE_DEVICE };
enum cublasAtomicsMode_t { CUBLAS_ATOMICS_NOT_ALLOWED, CUBLAS_ATOMICS_ALLOWED };
// Accepted, and without effect: one algorithm and one precision are here.
enum cublasMath_t {
    CUBLAS_DEFAULT_MATH = 0,
    CUBLAS_TENSOR_OP_MATH = 1,
    CUBLAS_PEDANTIC_MATH = 2,
    CUBLAS_TF32_TENSOR_OP_MATH = 3,
    CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION = 16,
};
enum cublasGemmAlgo_t {
    CUBLAS_GEMM_DFALT = -1,
    CUBLAS_GEMM_DEFAULT = -1,
    CUBLAS_GEMM_ALGO0 = 0,
    CUBLAS_GEMM_ALGO1 = 1,
    CUBLAS_GEMM_ALGO2 = 2,
    CUBLAS_GEMM_ALGO3 = 3,
    CUBLAS_GEMM_DEFAULT_TENSOR_OP = 99,
    CUBLAS_GEMM_DFALT_TENSOR_OP = 99,
    CUBLAS_GEMM_ALGO0_TENSOR_OP = 100,
};
enum cublasComputeType_t {
    CUBLAS_COMPUTE_16F = 64,
    CUBLAS_COMPUTE_16F_PEDANTIC = 65,
    CUBLAS_COMPUTE_32F = 68,
    CUBLAS_COMPUTE_32F_PEDANTIC = 69,
    CUBLAS_COMPUTE_64F = 70,
    CUBLAS_COMPUTE_64F_PEDANTIC = 71,
    CUBLAS_COMPUTE_32I = 72,
    CUBLAS_COMPUTE_32I_PEDANTIC = 73,
    CUBLAS_COMPUTE_32F_FAST_16F = 74,
    CUBLAS_COMPUTE_32F_FAST_16BF = 75,
    CUBLAS_COMPUTE_32F_FAST_TF32 = 77,
};

using cublasDataType_t = cudaDataType;

struct cublasContext;
using cublasHandle_t = cublasContext*;

const char* cublasGetStatusName(cublasStatus_t status);
const char* cublasGetStatusString(cublasStatus_t status);

cublasStatus_t cublasCreate(cublasHandle_t* handle);
cublasStatus_t cublasDestroy(cublasHandle_t handle);
cublasStatus_t cublasGetVersion(cublasHandle_t handle, int* version);
cublasStatus_t cublasGetProperty(libraryPropertyType type, int* value);
cublasStatus_t cublasSetStream(cublasHandle_t handle, cudaStream_t stream);
cublasStatus_t cublasGetStream(cublasHandle_t handle, cudaStream_t* stream);
cublasStatus_t cublasSetPointerMode(cublasHandle_t handle, cublasPointerMode_t mode);
cublasStatus_t cublasGetPointerMode(cublasHandle_t handle, cublasPointerMode_t* mode);
cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode);
cublasStatus_t cublasGetMathMode(cublasHandle_t handle, cublasMath_t* mode);
cublasStatus_t cublasSetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t mode);
cublasStatus_t cublasGetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t* mode);
cublasStatus_t cublasSetWorkspace(cublasHandle_t handle, void* workspace, size_t bytes);

// Copies between host and device; an element has element_bytes bytes.
cublasStatus_t cublasSetVector(int n, int element_bytes, const void* x, int incx, void* d_y,
                               int incy);
cublasStatus_t cublasGetVector(int n, int element_bytes, const void* d_x, int incx, void* y,
                               int incy);
cublasStatus_t cublasSetMatrix(int rows, int columns, int element_bytes, const void* A, int lda,
                               void* d_B, int ldb);
cublasStatus_t cublasGetMatrix(int rows, int columns, int element_bytes, const void* d_A, int lda,
                               void* B, int ldb);
cublasStatus_t cublasSetVectorAsync(int n, int element_bytes, const void* x, int incx, void* d_y,
                                    int incy, cudaStream_t stream);
cublasStatus_t cublasGetVectorAsync(int n, int element_bytes, const void* d_x, int incx, void* y,
                                    int incy, cudaStream_t stream);
cublasStatus_t cublasSetMatrixAsync(int rows, int columns, int element_bytes, const void* A,
                                    int lda, void* d_B, int ldb, cudaStream_t stream);
cublasStatus_t cublasGetMatrixAsync(int rows, int columns, int element_bytes, const void* d_A,
                                    int lda, void* B, int ldb, cudaStream_t stream);

// S: float, D: double. A vector's elements are incx (incy) apart. An operation named trans is
// applied to the matrix first. alpha, beta and results of a function lie where the pointer mode
// says. What each computes, with op() for the operation:
//
//   iamax, iamin     index, from 1, of the first element of the largest (smallest) absolute value
//   asum, nrm2, dot  sum of absolute values, length, scalar product
//   axpy, scal       y = alpha x + y, x = alpha x
//   rot              x = c x + s y, y = c y - s x
//   gemv, symv       y = alpha op(A) x + beta y; A has m rows and n columns (is symmetric)
//   ger              A = alpha x y^T + A
//   gemm             C = alpha op(A) op(B) + beta C; C has m rows and n columns
//   geam, dgmm       C = alpha op(A) + beta op(B); C = diag(x) A or A diag(x)
//   syrk             C = alpha op(A) op(A)^T + beta C, of one triangle
//   trsv, trsm       x of op(A) x = b, in place of b; of op(A) X = alpha B or X op(A) = alpha B
cublasStatus_t cublasIsamax(cublasHandle_t handle, int n, const float* x, int incx, int* result);
cublasStatus_t cublasIdamax(cublasHandle_t handle, int n, const double* x, int incx, int* result);
cublasStatus_t cublasIsamin(cublasHandle_t handle, int n, const float* x, int incx, int* result);
cublasStatus_t cublasIdamin(cublasHandle_t handle, int n, const double* x, int incx, int* result);
cublasStatus_t cublasSasum(cublasHandle_t handle, int n, const float* x, int incx, float* result);
cublasStatus_t cublasDasum(cublasHandle_t handle, int n, const double* x, int incx, double* result);
cublasStatus_t cublasSnrm2(cublasHandle_t handle, int n, const float* x, int incx, float* result);
cublasStatus_t cublasDnrm2(cublasHandle_t handle, int n, const double* x, int incx, double* result);
cublasStatus_t cublasSdot(cublasHandle_t handle, int n, const float* x, int incx, const float* y,
                          int incy, float* result);
cublasStatus_t cublasDdot(cublasHandle_t handle, int n, const double* x, int incx, const double* y,
                          int incy, double* result);
cublasStatus_t cublasSaxpy(cublasHandle_t handle, int n, const float* alpha, const float* x,
                           int incx, float* y, int incy);
cublasStatus_t cublasDaxpy(cublasHandle_t handle, int n, const double* alpha, const double* x,
                           int incx, double* y, int incy);
cublasStatus_t cublasSscal(cublasHandle_t handle, int n, const float* alpha, float* x, int incx);
cublasStatus_t cublasDscal(cublasHandle_t handle, int n, const double* alpha, double* x, int incx);
cublasStatus_t cublasScopy(cublasHandle_t handle, int n, const float* x, int incx, float* y,
                           int incy);
cublasStatus_t cublasDcopy(cublasHandle_t handle, int n, const double* x, int incx, double* y,
                           int incy);
cublasStatus_t cublasSswap(cublasHandle_t handle, int n, float* x, int incx, float* y, int incy);
cublasStatus_t cublasDswap(cublasHandle_t handle, int n, double* x, int incx, double* y, int incy);
cublasStatus_t cublasSrot(cublasHandle_t handle, int n, float* x, int incx, float* y, int incy,
                          const float* c, const float* s);
cublasStatus_t cublasDrot(cublasHandle_t handle, int n, double* x, int incx, double* y, int incy,
                          const double* c, const double* s);
cublasStatus_t cublasSgemv(cublasHandle_t handle, cublasOperation_t trans, int m, int n,
                           const float* alpha, const float* A, int lda, const float* x, int incx,
                           const float* beta, float* y, int incy);
cublasStatus_t cublasDgemv(cublasHandle_t handle, cublasOperation_t trans, int m, int n,
                           const double* alpha, const double* A, int lda, const double* x, int incx,
                           const double* beta, double* y, int incy);
cublasStatus_t cublasSger(cublasHandle_t handle, int m, int n, const float* alpha, const float* x,
                          int incx, const float* y, int incy, float* A, int lda);
cublasStatus_t cublasDger(cublasHandle_t handle, int m, int n, const double* alpha, const double* x,
                          int incx, const double* y, int incy, double* A, int lda);
cublasStatus_t cublasSsymv(cublasHandle_t handle, cublasFillMode_t uplo, int n, const float* alpha,
                           const float* A, int lda, const float* x, int incx, const float* beta,
                           float* y, int incy);
cublasStatus_t cublasDsymv(cublasHandle_t handle, cublasFillMode_t uplo, int n, const double* alpha,
                           const double* A, int lda, const double* x, int incx, const double* beta,
                           double* y, int incy);
cublasStatus_t cublasStrsv(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans,
                           cublasDiagType_t diag, int n, const float* A, int lda, float* x,
                           int incx);
cublasStatus_t cublasDtrsv(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans,
                           cublasDiagType_t diag, int n, const double* A, int lda, double* x,
                           int incx);
cublasStatus_t cublasSgemm(cublasHandle_t handle, cublasOperation_t transa,
                           cublasOperation_t transb, int m, int n, int k, const float* alpha,
                           const float* A, int lda, const float* B, int ldb, const float* beta,
                           float* C, int ldc);
cublasStatus_t cublasDgemm(cublasHandle_t handle, cublasOperation_t transa,
                           cublasOperation_t transb, int m, int n, int k, const double* alpha,
                           const double* A, int lda, const double* B, int ldb, const double* beta,
                           double* C, int ldc);
cublasStatus_t cublasSgemmBatched(cublasHandle_t handle, cublasOperation_t transa,
                                  cublasOperation_t transb, int m, int n, int k, const float* alpha,
                                  const float* const A[], int lda, const float* const B[], int ldb,
                                  const float* beta, float* const C[], int ldc, int batches);
cublasStatus_t cublasDgemmBatched(cublasHandle_t handle, cublasOperation_t transa,
                                  cublasOperation_t transb, int m, int n, int k,
                                  const double* alpha, const double* const A[], int lda,
                                  const double* const B[], int ldb, const double* beta,
                                  double* const C[], int ldc, int batches);
cublasStatus_t cublasSgemmStridedBatched(cublasHandle_t handle, cublasOperation_t transa,
                                         cublasOperation_t transb, int m, int n, int k,
                                         const float* alpha, const float* A, int lda,
                                         long long strideA, const float* B, int ldb,
                                         long long strideB, const float* beta, float* C, int ldc,
                                         long long strideC, int batches);
cublasStatus_t cublasDgemmStridedBatched(cublasHandle_t handle, cublasOperation_t transa,
                                         cublasOperation_t transb, int m, int n, int k,
                                         const double* alpha, const double* A, int lda,
                                         long long strideA, const double* B, int ldb,
                                         long long strideB, const double* beta, double* C, int ldc,
                                         long long strideC, int batches);
cublasStatus_t cublasSgeam(cublasHandle_t handle, cublasOperation_t transa,
                           cublasOperation_t transb, int m, int n, const float* alpha,
                           const float* A, int lda, const float* beta, const float* B, int ldb,
                           float* C, int ldc);
cublasStatus_t cublasDgeam(cublasHandle_t handle, cublasOperation_t transa,
                           cublasOperation_t transb, int m, int n, const double* alpha,
                           const double* A, int lda, const double* beta, const double* B, int ldb,
                           double* C, int ldc);
cublasStatus_t cublasSdgmm(cublasHandle_t handle, cublasSideMode_t side, int m, int n,
                           const float* A, int lda, const float* x, int incx, float* C, int ldc);
cublasStatus_t cublasDdgmm(cublasHandle_t handle, cublasSideMode_t side, int m, int n,
                           const double* A, int lda, const double* x, int incx, double* C, int ldc);
cublasStatus_t cublasSsyrk(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans,
                           int n, int k, const float* alpha, const float* A, int lda,
                           const float* beta, float* C, int ldc);
cublasStatus_t cublasDsyrk(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans,
                           int n, int k, const double* alpha, const double* A, int lda,
                           const double* beta, double* C, int ldc);
cublasStatus_t cublasStrsm(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo,
                           cublasOperation_t trans, cublasDiagType_t diag, int m, int n,
                           const float* alpha, const float* A, int lda, float* B, int ldb);
cublasStatus_t cublasDtrsm(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo,
                           cublasOperation_t trans, cublasDiagType_t diag, int m, int n,
                           const double* alpha, const double* A, int lda, double* B, int ldb);

// LU of square matrices. A and C are arrays of pointers, and info an array on the device; that of
// getrsBatched is one number on the host. P may be null: then no rows are exchanged.
cublasStatus_t cublasSgetrfBatched(cublasHandle_t handle, int n, float* const A[], int lda, int* P,
                                   int* info, int batches);
cublasStatus_t cublasSgetrsBatched(cublasHandle_t handle, cublasOperation_t trans, int n,
                                   int columns, const float* const A[], int lda, const int* P,
                                   float* const B[], int ldb, int* info, int batches);
cublasStatus_t cublasSgetriBatched(cublasHandle_t handle, int n, const float* const A[], int lda,
                                   const int* P, float* const C[], int ldc, int* info, int batches);
cublasStatus_t cublasDgetrfBatched(cublasHandle_t handle, int n, double* const A[], int lda, int* P,
                                   int* info, int batches);
cublasStatus_t cublasDgetrsBatched(cublasHandle_t handle, cublasOperation_t trans, int n,
                                   int columns, const double* const A[], int lda, const int* P,
                                   double* const B[], int ldb, int* info, int batches);
cublasStatus_t cublasDgetriBatched(cublasHandle_t handle, int n, const double* const A[], int lda,
                                   const int* P, double* const C[], int ldc, int* info,
                                   int batches);

// Of half, computed in float; and of the types that are named. CUDA_R_16F, 16BF and 32F: A and B
// have one type, and C theirs or float; 64F: all three; 8I: C is 32I, computed in int, or float.
cublasStatus_t cublasHgemm(cublasHandle_t handle, cublasOperation_t transa,
                           cublasOperation_t transb, int m, int n, int k, const __half* alpha,
                           const __half* A, int lda, const __half* B, int ldb, const __half* beta,
                           __half* C, int ldc);
cublasStatus_t cublasHgemmStridedBatched(cublasHandle_t handle, cublasOperation_t transa,
                                         cublasOperation_t transb, int m, int n, int k,
                                         const __half* alpha, const __half* A, int lda,
                                         long long strideA, const __half* B, int ldb,
                                         long long strideB, const __half* beta, __half* C, int ldc,
                                         long long strideC, int batches);
cublasStatus_t cublasSgemmEx(cublasHandle_t handle, cublasOperation_t transa,
                             cublasOperation_t transb, int m, int n, int k, const float* alpha,
                             const void* A, cudaDataType a_type, int lda, const void* B,
                             cudaDataType b_type, int ldb, const float* beta, void* C,
                             cudaDataType c_type, int ldc);
cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t transa,
                            cublasOperation_t transb, int m, int n, int k, const void* alpha,
                            const void* A, cudaDataType a_type, int lda, const void* B,
                            cudaDataType b_type, int ldb, const void* beta, void* C,
                            cudaDataType c_type, int ldc, cublasComputeType_t compute,
                            cublasGemmAlgo_t algorithm);
cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t handle, cublasOperation_t transa,
                                          cublasOperation_t transb, int m, int n, int k,
                                          const void* alpha, const void* A, cudaDataType a_type,
                                          int lda, long long strideA, const void* B,
                                          cudaDataType b_type, int ldb, long long strideB,
                                          const void* beta, void* C, cudaDataType c_type, int ldc,
                                          long long strideC, int batches,
                                          cublasComputeType_t compute, cublasGemmAlgo_t algorithm);

// Until CUDA 11 the type to compute in was named so.
inline cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t transa,
                                   cublasOperation_t transb, int m, int n, int k, const void* alpha,
                                   const void* A, cudaDataType a_type, int lda, const void* B,
                                   cudaDataType b_type, int ldb, const void* beta, void* C,
                                   cudaDataType c_type, int ldc, cudaDataType compute,
                                   cublasGemmAlgo_t algorithm) {
    return cublasGemmEx(handle, transa, transb, m, n, k, alpha, A, a_type, lda, B, b_type, ldb,
                        beta, C, c_type, ldc,
                        compute == CUDA_R_64F   ? CUBLAS_COMPUTE_64F
                        : compute == CUDA_R_16F ? CUBLAS_COMPUTE_16F
                        : compute == CUDA_R_32F ? CUBLAS_COMPUTE_32F
                                                : CUBLAS_COMPUTE_32I,
                        algorithm);
}
