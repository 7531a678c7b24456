// cuBLAS on vectors, against plain loops: float and double, steps, both pointer modes.
// needs: BLAS
#include <cublas_v2.h>

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

static bool near(double a, double b) {
    return std::fabs(a - b) <= 1e-5 * (1 + std::fabs(b));
}

int main() {
    cublasHandle_t handle;
    OK(cublasCreate(&handle));
    const int n = 50;
    std::vector<float> x(n), y(2 * n);
    double dot = 0, sum = 0, square = 0;
    for (int i = 0; i < n; ++i) {
        x[i] = (i * 37 % 23) - 11.5f;
        y[2 * i] = i % 7 - 3;
        y[2 * i + 1] = 1000;
        dot += double(x[i]) * y[2 * i];
        sum += std::fabs(x[i]);
        square += double(x[i]) * x[i];
    }
    float *d_x, *d_y, *d_result;
    cudaMalloc(&d_x, n * sizeof(float));
    cudaMalloc(&d_y, 2 * n * sizeof(float));
    cudaMalloc(&d_result, sizeof(float));
    OK(cublasSetVector(n, sizeof(float), x.data(), 1, d_x, 1));
    OK(cublasSetVector(2 * n, sizeof(float), y.data(), 1, d_y, 1));
    float result = 0;
    int index = 0;
    OK(cublasSdot(handle, n, d_x, 1, d_y, 2, &result));
    EXPECT(near(result, dot));
    OK(cublasSasum(handle, n, d_x, 1, &result));
    EXPECT(near(result, sum));
    OK(cublasSnrm2(handle, n, d_x, 1, &result));
    EXPECT(near(result, std::sqrt(square)));
    OK(cublasIsamax(handle, n, d_x, 1, &index));
    for (int i = 0; i < n; ++i) {
        EXPECT(std::fabs(x[i]) < std::fabs(x[index - 1]) || i >= index - 1);
    }
    OK(cublasIsamin(handle, n, d_x, 1, &index));
    EXPECT(std::fabs(x[index - 1]) == 0.5f);

    OK(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE));
    OK(cublasSdot(handle, n, d_x, 1, d_y, 2, d_result));
    cudaMemcpy(&result, d_result, sizeof result, cudaMemcpyDeviceToHost);
    EXPECT(near(result, dot));
    OK(cublasSaxpy(handle, n, d_result, d_x, 1, d_y, 2));
    OK(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST));
    std::vector<float> found(2 * n);
    OK(cublasGetVector(2 * n, sizeof(float), d_y, 1, found.data(), 1));
    for (int i = 0; i < n; ++i) {
        EXPECT(near(found[2 * i], y[2 * i] + dot * x[i]) && found[2 * i + 1] == 1000);
    }
    const float half = 0.5f;
    OK(cublasSscal(handle, n, &half, d_x, 1));
    OK(cublasScopy(handle, n, d_x, 1, d_y, 2));
    OK(cublasSscal(handle, n, &half, d_x, 1));
    OK(cublasSswap(handle, n, d_x, 1, d_y, 2));
    OK(cublasGetVector(n, sizeof(float), d_x, 1, found.data(), 1));
    EXPECT(found[3] == x[3] / 2);
    OK(cublasGetVector(n, sizeof(float), d_y, 2, found.data(), 1));
    EXPECT(found[3] == x[3] / 4);
    const float c = 0.6f, s = 0.8f;
    OK(cublasSrot(handle, n, d_x, 1, d_y, 2, &c, &s));
    OK(cublasGetVector(n, sizeof(float), d_x, 1, found.data(), 1));
    EXPECT(near(found[3], 0.6 * x[3] / 2 + 0.8 * x[3] / 4));

    std::vector<double> u(n, 1.0 / 3);
    double *d_u, exact = 0;
    cudaMalloc(&d_u, n * sizeof(double));
    OK(cublasSetVector(n, sizeof(double), u.data(), 1, d_u, 1));
    OK(cublasDdot(handle, n, d_u, 1, d_u, 1, &exact));
    EXPECT(std::fabs(exact - n / 9.0) < 1e-13);
    OK(cublasDnrm2(handle, n, d_u, 1, &exact));
    EXPECT(std::fabs(exact - std::sqrt(n / 9.0)) < 1e-13);
    OK(cublasDasum(handle, 0, d_u, 1, &exact));
    EXPECT(exact == 0);

    // Errors are CUDA's.
    EXPECT(cublasSdot(nullptr, n, d_x, 1, d_y, 2, &result) == CUBLAS_STATUS_NOT_INITIALIZED);
    const float one = 1;
    EXPECT(cublasSger(handle, n, 1, &one, d_x, 0, d_y, 1, d_x, n) == CUBLAS_STATUS_INVALID_VALUE);
    EXPECT(cublasSetMatrix(4, 4, 4, x.data(), 3, d_x, 4) == CUBLAS_STATUS_INVALID_VALUE);
    cudaFree(d_u);
    cudaFree(d_x);
    cudaFree(d_y);
    cudaFree(d_result);
    OK(cublasDestroy(handle));
    std::printf(failures == 0 ? "ok\n" : "%d failures\n", failures);
    return failures == 0 ? 0 : 1;
}
