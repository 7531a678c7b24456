// Products of int8, in int and in float, against plain loops; and sizes that cuBLAS does not take.
// needs: BLAS
#include <cublas_v2.h>

#include <cstdint>
#include <cstdio>

static int failures = 0;
#define EXPECT(...)                                      \
    if (!(__VA_ARGS__)) {                                \
        std::printf("%d: %s\n", __LINE__, #__VA_ARGS__); \
        ++failures;                                      \
    }
#define OK(call) EXPECT((call) == CUBLAS_STATUS_SUCCESS)

constexpr int m = 4, n = 3, k = 8, batches = 2;

template <typename T>
static T* numbers(int count, int seed) {
    T* x = nullptr;
    cudaMallocManaged(&x, count * sizeof(T));
    for (int i = 0; i < count; ++i) {
        x[i] = T((i * 7919 + seed * 104729) % 255 - 127);
    }
    return x;
}

// C = factor A^T B - C
template <typename C, typename Compute>
static void check(cublasHandle_t handle, cudaDataType type, Compute compute) {
    const C alpha = 3, beta = -1;
    const std::int8_t *a = numbers<std::int8_t>(batches * k * m, 1),
                      *b = numbers<std::int8_t>(batches * k * n, 2);
    const C* const before = numbers<C>(batches * m * n, 3);
    C *c = numbers<C>(batches * m * n, 3), *all = numbers<C>(batches * m * n, 3);
    OK(cublasGemmEx(handle, CUBLAS_OP_T, CUBLAS_OP_N, m, n, k, &alpha, a, CUDA_R_8I, k, b,
                    CUDA_R_8I, k, &beta, c, type, m, compute, CUBLAS_GEMM_DEFAULT));
    OK(cublasGemmStridedBatchedEx(
        handle, CUBLAS_OP_T, CUBLAS_OP_N, m, n, k, &alpha, a, CUDA_R_8I, k, k * m, b, CUDA_R_8I, k,
        k * n, &beta, all, type, m, m * n, batches,
        type == CUDA_R_32I ? CUBLAS_COMPUTE_32I : CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT));
    cudaDeviceSynchronize();
    for (int at = 0; at < batches * m * n; ++at) {
        const int batch = at / (m * n), j = at / m % n, i = at % m;
        C wanted = -before[at];
        for (int l = 0; l < k; ++l) {
            wanted += 3 * a[batch * k * m + l + i * k] * b[batch * k * n + l + j * k];
        }
        EXPECT(all[at] == wanted);
        EXPECT(c[at] == (batch == 0 ? wanted : before[at]));
    }
    EXPECT(cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, n, 2, &alpha, a, CUDA_R_8I, m, b,
                        CUDA_R_8I, 2, &beta, c, type, m, compute,
                        CUBLAS_GEMM_DEFAULT) == CUBLAS_STATUS_NOT_SUPPORTED);
}

int main() {
    cublasHandle_t handle;
    OK(cublasCreate(&handle));
    check<std::int32_t>(handle, CUDA_R_32I, CUBLAS_COMPUTE_32I);
    check<std::int32_t>(handle, CUDA_R_32I, CUDA_R_32I);  // as it was named until CUDA 11
    check<float>(handle, CUDA_R_32F, CUBLAS_COMPUTE_32F);
    OK(cublasDestroy(handle));
    std::printf(failures == 0 ? "ok\n" : "%d failures\n", failures);
    return failures == 0 ? 0 : 1;
}
