// cublasXt: matrices of the host, of the device, and of both in one product, against plain loops.
// needs: BLAS
#include <cublasXt.h>

#include <cstdio>
#include <vector>

static int failures = 0;
#define EXPECT(...)                                      \
    if (!(__VA_ARGS__)) {                                \
        std::printf("%d: %s\n", __LINE__, #__VA_ARGS__); \
        ++failures;                                      \
    }
#define OK(call) EXPECT((call) == CUBLAS_STATUS_SUCCESS)

constexpr int m = 5, n = 4, k = 3;

static cublasStatus_t gemm(cublasXtHandle_t handle, const float* alpha, const float* a,
                           const float* b, const float* beta, float* c) {
    return cublasXtSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_T, m, n, k, alpha, a, m, b, n, beta, c, m);
}
static cublasStatus_t gemm(cublasXtHandle_t handle, const double* alpha, const double* a,
                           const double* b, const double* beta, double* c) {
    return cublasXtDgemm(handle, CUBLAS_OP_N, CUBLAS_OP_T, m, n, k, alpha, a, m, b, n, beta, c, m);
}

template <typename T>
static std::vector<T> numbers(int count, int seed) {
    std::vector<T> x(count);
    for (int i = 0; i < count; ++i) {
        x[i] = T((i * 7919 + seed * 104729) % 9 - 4);
    }
    return x;
}

template <typename T>
static void check(cublasXtHandle_t handle) {
    const std::vector<T> a = numbers<T>(m * k, 1), b = numbers<T>(n * k, 2);
    const std::vector<T> before = numbers<T>(m * n, 3);
    std::vector<T> wanted = before, on_host = before, from_device(m * n);
    for (int j = 0; j < n; ++j) {
        for (int i = 0; i < m; ++i) {
            wanted[i + j * m] *= -1;
            for (int l = 0; l < k; ++l) {
                wanted[i + j * m] += 2 * a[i + l * m] * b[j + l * n];
            }
        }
    }
    const T alpha = 2, beta = -1;
    OK(gemm(handle, &alpha, a.data(), b.data(), &beta, on_host.data()));
    EXPECT(on_host == wanted);
    T *d_a = nullptr, *d_c = nullptr;
    cudaMalloc(&d_a, m * k * sizeof(T));
    cudaMalloc(&d_c, m * n * sizeof(T));
    cudaMemcpy(d_a, a.data(), m * k * sizeof(T), cudaMemcpyHostToDevice);
    cudaMemcpy(d_c, before.data(), m * n * sizeof(T), cudaMemcpyHostToDevice);
    OK(gemm(handle, &alpha, d_a, b.data(), &beta, d_c));
    cudaMemcpy(from_device.data(), d_c, m * n * sizeof(T), cudaMemcpyDeviceToHost);
    EXPECT(from_device == wanted);
    cudaFree(d_a);
    cudaFree(d_c);
}

int main() {
    cublasXtHandle_t handle;
    int devices[] = {0}, none[] = {99}, block = 0;
    OK(cublasXtCreate(&handle));
    OK(cublasXtDeviceSelect(handle, 1, devices));
    EXPECT(cublasXtDeviceSelect(handle, 1, none) == CUBLAS_STATUS_INVALID_VALUE);
    OK(cublasXtSetBlockDim(handle, 64));
    OK(cublasXtGetBlockDim(handle, &block));
    EXPECT(block == 64);
    check<float>(handle);
    check<double>(handle);
    OK(cublasXtDestroy(handle));
    std::printf(failures == 0 ? "ok\n" : "%d failures\n", failures);
    return failures == 0 ? 0 : 1;
}
