// Products of matrices of half, in batches and by type, against plain loops. Small whole numbers:
// the results are exact.
// needs: BLAS
#include <cublas_v2.h>

#include <cstdio>
#include <vector>

static int failures = 0;
#define EXPECT(...)                                      \
    if (!(__VA_ARGS__)) {                                \
        std::printf("%d: %s\n", __LINE__, #__VA_ARGS__); \
        ++failures;                                      \
    }
#define OK(call) EXPECT((call) == CUBLAS_STATUS_SUCCESS)

constexpr int m = 4, n = 3, k = 5, batches = 3;
constexpr int a_size = m * k, b_size = n * k, c_size = m * n;

template <typename T>
static T* numbers(int count, int seed) {
    T* x = nullptr;
    cudaMallocManaged(&x, count * sizeof(T));
    for (int i = 0; i < count; ++i) {
        x[i] = T(float((i * 7919 + seed * 104729) % 9 - 4));
    }
    return x;
}

// C = 2 A B^T - C in each batch; c0 is what C was.
template <typename T, typename C>
static bool right(const T* a, const T* b, const C* c0, const C* c, int count) {
    cudaDeviceSynchronize();
    for (int batch = 0; batch < count; ++batch) {
        for (int j = 0; j < n; ++j) {
            for (int i = 0; i < m; ++i) {
                const int at = batch * c_size + i + j * m;
                float wanted = -float(c0[at]);
                for (int l = 0; l < k; ++l) {
                    wanted += 2 * float(a[batch * a_size + i + l * m]) *
                              float(b[batch * b_size + j + l * n]);
                }
                if (float(c[at]) != float(C(wanted))) {
                    return false;
                }
            }
        }
    }
    return true;
}

template <typename T, typename C>
static void by_type(cublasHandle_t handle, cudaDataType type, cudaDataType c_type) {
    const float alpha = 2, beta = -1;
    const T* const a = numbers<T>(batches * a_size, 1);
    const T* const b = numbers<T>(batches * b_size, 2);
    const C* const c0 = numbers<C>(batches * c_size, 3);
    C* const c = numbers<C>(batches * c_size, 3);
    OK(cublasGemmStridedBatchedEx(handle, CUBLAS_OP_N, CUBLAS_OP_T, m, n, k, &alpha, a, type, m,
                                  a_size, b, type, n, b_size, &beta, c, c_type, m, c_size, batches,
                                  CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT_TENSOR_OP));
    EXPECT(right(a, b, c0, c, batches));
    C* const once = numbers<C>(batches * c_size, 3);
    OK(cublasSgemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_T, m, n, k, &alpha, a, type, m, b, type, n,
                     &beta, once, c_type, m));
    EXPECT(right(a, b, c0, once, 1));
    EXPECT(float(once[c_size]) == float(c0[c_size]));
}

int main() {
    cublasHandle_t handle;
    OK(cublasCreate(&handle));
    const __half alpha = 2.0f, beta = -1.0f;
    const __half* const a = numbers<__half>(batches * a_size, 1);
    const __half* const b = numbers<__half>(batches * b_size, 2);
    const __half* const c0 = numbers<__half>(batches * c_size, 3);
    __half* const c = numbers<__half>(batches * c_size, 3);
    OK(cublasHgemm(handle, CUBLAS_OP_N, CUBLAS_OP_T, m, n, k, &alpha, a, m, b, n, &beta, c, m));
    EXPECT(right(a, b, c0, c, 1));
    EXPECT(float(c[c_size]) == float(c0[c_size]));
    __half* const all = numbers<__half>(batches * c_size, 3);
    OK(cublasHgemmStridedBatched(handle, CUBLAS_OP_N, CUBLAS_OP_T, m, n, k, &alpha, a, m, a_size, b,
                                 n, b_size, &beta, all, m, c_size, batches));
    EXPECT(right(a, b, c0, all, batches));
    by_type<__half, __half>(handle, CUDA_R_16F, CUDA_R_16F);
    by_type<__half, float>(handle, CUDA_R_16F, CUDA_R_32F);
    by_type<__nv_bfloat16, __nv_bfloat16>(handle, CUDA_R_16BF, CUDA_R_16BF);
    by_type<float, float>(handle, CUDA_R_32F, CUDA_R_32F);
    OK(cublasDestroy(handle));
    std::printf(failures == 0 ? "ok\n" : "%d failures\n", failures);
    return failures == 0 ? 0 : 1;
}
