// cublasLt's products with a bias, ReLU and GELU, into another matrix than C, in batches, of float,
// half and bfloat16, against plain loops.
// needs: BLAS
#include <cublasLt.h>

#include <cmath>
#include <cstdio>
#include <vector>

static int failures = 0;
#define EXPECT(...)                                      \
    if (!(__VA_ARGS__)) {                                \
        std::printf("%d: %s\n", __LINE__, #__VA_ARGS__); \
        ++failures;                                      \
    }
#define OK(call) EXPECT((call) == CUBLAS_STATUS_SUCCESS)

constexpr int m = 5, n = 4, k = 3, ldd = 7, batches = 2;

template <typename T>
static T* numbers(int count, int seed) {
    T* x = nullptr;
    cudaMallocManaged(&x, count * sizeof(T));
    for (int i = 0; i < count; ++i) {
        x[i] = T(float((i * 7919 + seed * 104729) % 9 - 4) / 4);
    }
    return x;
}

static float gelu(float x) {
    return 0.5f * x * (1 + std::tanh(std::sqrt(2 / 3.14159265f) * (x + 0.044715f * x * x * x)));
}
static float slope(float x) {
    return (gelu(x + 0.01f) - gelu(x - 0.01f)) / 0.02f;
}

template <typename Part>
static cublasStatus_t set(cublasLtMatmulDesc_t what, cublasLtMatmulDescAttributes_t attribute,
                          Part value) {
    return cublasLtMatmulDescSetAttribute(what, attribute, &value, sizeof value);
}
template <typename Part>
static cublasStatus_t set(cublasLtMatrixLayout_t layout, cublasLtMatrixLayoutAttribute_t attribute,
                          Part value) {
    return cublasLtMatrixLayoutSetAttribute(layout, attribute, &value, sizeof value);
}

// D = epilogue(2 A^T B - C), where A has k rows.
template <typename T>
static void check(cublasLtHandle_t handle, cudaDataType type, cublasLtEpilogue_t epilogue,
                  int batches) {
    const T *a = numbers<T>(batches * k * m, 1), *b = numbers<T>(batches * k * n, 2),
            *c = numbers<T>(batches * m * n, 3), *bias = numbers<T>(m, 4);
    T *d = numbers<T>(batches * ldd * n, 5), *aux = numbers<T>(ldd * n, 6);
    const std::vector<T> before(aux, aux + ldd * n);
    cublasLtMatmulDesc_t what;
    cublasLtMatmulPreference_t preference;
    cublasLtMatrixLayout_t A, B, C, D;
    OK(cublasLtMatmulDescCreate(&what, CUBLAS_COMPUTE_32F, CUDA_R_32F));
    OK(set(what, CUBLASLT_MATMUL_DESC_TRANSA, CUBLAS_OP_T));
    OK(set(what, CUBLASLT_MATMUL_DESC_TRANSB, CUBLAS_OP_N));
    OK(set(what, CUBLASLT_MATMUL_DESC_EPILOGUE, epilogue));
    OK(set(what, CUBLASLT_MATMUL_DESC_BIAS_POINTER, bias));
    OK(set(what, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, aux));
    OK(set(what, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, std::int64_t{ldd}));
    OK(cublasLtMatrixLayoutCreate(&A, type, k, m, k));
    OK(cublasLtMatrixLayoutCreate(&B, type, k, n, k));
    OK(cublasLtMatrixLayoutCreate(&C, type, m, n, m));
    OK(cublasLtMatrixLayoutCreate(&D, type, m, n, ldd));
    const std::int64_t strides[] = {k * m, k * n, m * n, ldd * n};
    int next = 0;
    for (const cublasLtMatrixLayout_t layout : {A, B, C, D}) {
        OK(set(layout, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, batches));
        OK(set(layout, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, strides[next++]));
    }
    const std::size_t workspace = 1 << 20;
    OK(cublasLtMatmulPreferenceCreate(&preference));
    OK(cublasLtMatmulPreferenceSetAttribute(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES,
                                            &workspace, sizeof workspace));
    cublasLtMatmulHeuristicResult_t heuristic;
    int found = 0;
    OK(cublasLtMatmulAlgoGetHeuristic(handle, what, A, B, C, D, preference, 1, &heuristic, &found));
    EXPECT(found == 1 && heuristic.workspaceSize <= workspace);
    const float alpha = 2, beta = -1;
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    OK(cublasLtMatmul(handle, what, &alpha, a, A, b, B, &beta, c, C, d, D, &heuristic.algo, nullptr,
                      0, stream));
    cudaStreamSynchronize(stream);
    const double close = sizeof(T) == 4 ? 1e-4 : 0.02;
    for (int batch = 0; batch < batches; ++batch) {
        for (int j = 0; j < n; ++j) {
            for (int i = 0; i < m; ++i) {
                float sum = -float(c[batch * m * n + i + j * m]);
                for (int l = 0; l < k; ++l) {
                    sum += 2 * float(a[batch * k * m + l + i * k]) *
                           float(b[batch * k * n + l + j * k]);
                }
                sum += (epilogue & CUBLASLT_EPILOGUE_BIAS) != 0 ? float(bias[i]) : 0;
                if (epilogue == CUBLASLT_EPILOGUE_GELU_AUX_BIAS) {
                    EXPECT(float(aux[i + j * ldd]) == sum);
                }
                const float wanted = epilogue == CUBLASLT_EPILOGUE_DGELU
                                         ? sum * slope(before[i + j * ldd])
                                     : (epilogue & CUBLASLT_EPILOGUE_GELU) != 0 ? gelu(sum)
                                     : (epilogue & CUBLASLT_EPILOGUE_RELU) != 0 ? fmaxf(sum, 0)
                                                                                : sum;
                EXPECT(std::fabs(float(d[batch * ldd * n + i + j * ldd]) - wanted) <=
                       close * (1 + std::fabs(wanted)));
            }
        }
    }
    // The rows between m and ldd are nobody's.
    EXPECT(float(d[m]) == float(numbers<T>(ldd, 5)[m]));
    // Of another size than A and B have together.
    OK(set(D, CUBLASLT_MATRIX_LAYOUT_ROWS, std::uint64_t{m - 1}));
    EXPECT(cublasLtMatmul(handle, what, &alpha, a, A, b, B, &beta, c, C, d, D, nullptr, nullptr, 0,
                          stream) == CUBLAS_STATUS_INVALID_VALUE);
    OK(cublasLtMatmulPreferenceDestroy(preference));
    for (const cublasLtMatrixLayout_t layout : {A, B, C, D}) {
        OK(cublasLtMatrixLayoutDestroy(layout));
    }
    OK(cublasLtMatmulDescDestroy(what));
    cudaStreamDestroy(stream);
}

int main() {
    cublasLtHandle_t handle;
    OK(cublasLtCreate(&handle));
    for (const cublasLtEpilogue_t epilogue :
         {CUBLASLT_EPILOGUE_DEFAULT, CUBLASLT_EPILOGUE_BIAS, CUBLASLT_EPILOGUE_RELU,
          CUBLASLT_EPILOGUE_RELU_BIAS, CUBLASLT_EPILOGUE_GELU, CUBLASLT_EPILOGUE_GELU_BIAS,
          CUBLASLT_EPILOGUE_GELU_AUX_BIAS, CUBLASLT_EPILOGUE_DGELU}) {
        check<float>(handle, CUDA_R_32F, epilogue, 1);
        check<__half>(handle, CUDA_R_16F, epilogue, 1);
        check<__nv_bfloat16>(handle, CUDA_R_16BF, epilogue, 1);
    }
    check<float>(handle, CUDA_R_32F, CUBLASLT_EPILOGUE_RELU_BIAS, batches);
    check<__half>(handle, CUDA_R_16F, CUBLASLT_EPILOGUE_DEFAULT, batches);
    cublasLtMatmulDesc_t what;
    OK(cublasLtMatmulDescCreate(&what, CUBLAS_COMPUTE_32F, CUDA_R_32F));
    const char too_small = 0;
    EXPECT(cublasLtMatmulDescSetAttribute(what, CUBLASLT_MATMUL_DESC_TRANSA, &too_small, 1) ==
           CUBLAS_STATUS_INVALID_VALUE);
    OK(cublasLtMatmulDescDestroy(what));
    OK(cublasLtDestroy(handle));
    std::printf(failures == 0 ? "ok\n" : "%d failures\n", failures);
    return failures == 0 ? 0 : 1;
}
