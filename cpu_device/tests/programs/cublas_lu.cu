// LU of many small matrices with and without exchanged rows, solutions and inverses from it, and a
// matrix without an inverse: the products are what was divided.
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

// One name for the routines of both types.
#define OF_BOTH_TYPES(name)                                      \
    template <typename... Arguments>                             \
    static cublasStatus_t name(float, Arguments... arguments) {  \
        return cublasS##name(arguments...);                      \
    }                                                            \
    template <typename... Arguments>                             \
    static cublasStatus_t name(double, Arguments... arguments) { \
        return cublasD##name(arguments...);                      \
    }
OF_BOTH_TYPES(getrfBatched)
OF_BOTH_TYPES(getrsBatched)
OF_BOTH_TYPES(getriBatched)

constexpr int n = 6, ld = 8, columns = 2, batches = 10;

static bool near(double a, double b) {
    return std::fabs(a - b) <= 1e-4 * (1 + std::fabs(b));
}

template <typename T>
struct Matrices {
    T* values = nullptr;
    T** pointers = nullptr;
    Matrices() {
        cudaMallocManaged(&values, batches * ld * n * sizeof(T));
        cudaMallocManaged(&pointers, batches * sizeof(T*));
        for (int i = 0; i < batches; ++i) {
            pointers[i] = values + i * ld * n;
        }
        for (int i = 0; i < batches * ld * n; ++i) {
            values[i] = T((i * 7919) % 23 - 11);
        }
    }
    ~Matrices() {
        cudaFree(pointers);
        cudaFree(values);
    }
};

template <typename T>
static void check(cublasHandle_t handle, bool exchange) {
    const T type = 0;
    Matrices<T> a, b, inverse;
    int *d_rows = nullptr, *d_info = nullptr, info = -1;
    cudaMallocManaged(&d_rows, batches * n * sizeof(int));
    cudaMallocManaged(&d_info, batches * sizeof(int));
    // Large elements on the diagonal, or in the rows that have to be exchanged for it.
    for (int batch = 0; batch < batches; ++batch) {
        for (int i = 0; i < n; ++i) {
            a.pointers[batch][(i + exchange) % n + i * ld] = T(90 + i);
        }
    }
    const std::vector<T> a_before(a.values, a.values + batches * ld * n);
    const std::vector<T> b_before(b.values, b.values + batches * ld * n);
    int* const P = exchange ? d_rows : nullptr;
    OK(getrfBatched(type, handle, n, a.pointers, ld, P, d_info, batches));
    cudaDeviceSynchronize();
    for (int batch = 0; batch < batches; ++batch) {
        const T* const lu = a.pointers[batch];
        EXPECT(d_info[batch] == 0);
        int row_of[n];
        for (int i = 0; i < n; ++i) {
            row_of[i] = i;
        }
        for (int i = 0; i < n && exchange; ++i) {
            std::swap(row_of[i], row_of[d_rows[batch * n + i] - 1]);
        }
        for (int j = 0; j < n; ++j) {
            for (int i = 0; i < n; ++i) {
                double sum = 0;
                for (int l = 0; l <= (i < j ? i : j); ++l) {
                    sum += (i == l ? 1 : double(lu[i + l * ld])) * double(lu[l + j * ld]);
                }
                EXPECT(near(sum, a_before[batch * ld * n + row_of[i] + j * ld]));
                EXPECT(!exchange || i <= j || std::fabs(lu[i + j * ld]) <= 1);
            }
        }
    }
    for (const cublasOperation_t op : {CUBLAS_OP_N, CUBLAS_OP_T}) {
        std::copy(b_before.begin(), b_before.end(), b.values);
        OK(getrsBatched(type, handle, op, n, columns, a.pointers, ld, P, b.pointers, ld, &info,
                        batches));
        EXPECT(info == 0);
        cudaDeviceSynchronize();
        for (int at = 0; at < batches * columns * n; ++at) {
            const int batch = at / (columns * n), j = at / n % columns, i = at % n;
            double sum = 0;
            for (int l = 0; l < n; ++l) {
                sum +=
                    double(
                        a_before[batch * ld * n + (op == CUBLAS_OP_N ? i + l * ld : l + i * ld)]) *
                    double(b.pointers[batch][l + j * ld]);
            }
            EXPECT(near(sum, b_before[batch * ld * n + i + j * ld]));
        }
    }
    OK(getriBatched(type, handle, n, a.pointers, ld, P, inverse.pointers, ld, d_info, batches));
    cudaDeviceSynchronize();
    for (int batch = 0; batch < batches; ++batch) {
        EXPECT(d_info[batch] == 0);
        for (int at = 0; at < n * n; ++at) {
            double sum = 0;
            for (int l = 0; l < n; ++l) {
                sum += double(a_before[batch * ld * n + at % n + l * ld]) *
                       double(inverse.pointers[batch][l + at / n * ld]);
            }
            EXPECT(near(sum, at % n == at / n ? 1 : 0));
        }
    }
    for (int i = 0; i < n; ++i) {
        a.pointers[1][i + 2 * ld] = 0;
    }
    OK(getrfBatched(type, handle, n, a.pointers, ld, P, d_info, 2));
    cudaDeviceSynchronize();
    EXPECT(d_info[1] == 3);
    EXPECT(getrfBatched(type, handle, n, a.pointers, n - 1, P, d_info, 2) ==
           CUBLAS_STATUS_INVALID_VALUE);
    cudaFree(d_rows);
    cudaFree(d_info);
}

int main() {
    cublasHandle_t handle;
    OK(cublasCreate(&handle));
    for (const bool exchange : {true, false}) {
        check<float>(handle, exchange);
        check<double>(handle, exchange);
    }
    OK(cublasDestroy(handle));
    std::printf(failures == 0 ? "ok\n" : "%d failures\n", failures);
    return failures == 0 ? 0 : 1;
}
