// cuBLAS's rarer routines, in float and double, against plain loops: symmetric and triangular
// matrices of which only one triangle is looked at, diagonals, rotations.
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
OF_BOTH_TYPES(rot)
OF_BOTH_TYPES(symv)
OF_BOTH_TYPES(trsv)
OF_BOTH_TYPES(trsm)
OF_BOTH_TYPES(syrk)
OF_BOTH_TYPES(dgmm)

// Device memory with small whole numbers, some apart from zero.
template <typename T>
struct Numbers {
    std::vector<T> host;
    T* device = nullptr;
    Numbers(int n, int seed) : host(n) {
        for (int i = 0; i < n; ++i) {
            host[i] = T((i * 7919 + seed * 104729) % 9 - 4);
        }
        cudaMalloc(&device, n * sizeof(T));
        send();
    }
    ~Numbers() { cudaFree(device); }
    void send() {
        cudaMemcpy(device, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice);
    }
    std::vector<T> now() const {
        std::vector<T> all(host.size());
        cudaMemcpy(all.data(), device, all.size() * sizeof(T), cudaMemcpyDeviceToHost);
        return all;
    }
};

static bool near(double a, double b) {
    return std::fabs(a - b) <= 1e-4 * (1 + std::fabs(b));
}

constexpr int n = 5, m = 3, ld = 7;
const cublasFillMode_t triangles[] = {CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER};
const cublasOperation_t operations[] = {CUBLAS_OP_N, CUBLAS_OP_T};
const cublasDiagType_t diagonals[] = {CUBLAS_DIAG_UNIT, CUBLAS_DIAG_NON_UNIT};

static bool is_in(cublasFillMode_t triangle, int i, int j) {
    return triangle == CUBLAS_FILL_MODE_LOWER ? i >= j : i <= j;
}

// op(A) of a triangle: elements outside are 0, and a unit diagonal is 1.
template <typename T>
static double element(const std::vector<T>& a, cublasFillMode_t triangle, cublasOperation_t op,
                      cublasDiagType_t diagonal, int i, int j) {
    if (op == CUBLAS_OP_T) {
        const int k = i;
        i = j;
        j = k;
    }
    if (i == j && diagonal == CUBLAS_DIAG_UNIT) {
        return 1;
    }
    return is_in(triangle, i, j) ? double(a[i + j * ld]) : 0;
}

template <typename T>
static void check(cublasHandle_t handle) {
    const T type = 0, alpha = 2, beta = 3;
    for (const cublasFillMode_t triangle : triangles) {
        Numbers<T> a(ld * n, 1), x(2 * n, 2), y(3 * n, 3);
        for (int j = 0; j < n; ++j) {
            for (int i = 0; i < ld; ++i) {
                if (i >= n || !is_in(triangle, i, j)) {
                    a.host[i + j * ld] = NAN;  // must not be read
                }
            }
            a.host[j + j * ld] = T(5 + j);
        }
        a.send();
        OK(symv(type, handle, triangle, n, &alpha, a.device, ld, x.device, 2, &beta, y.device, 3));
        const std::vector<T> product = y.now();
        for (int i = 0; i < n; ++i) {
            double wanted = 3 * double(y.host[3 * i]);
            for (int j = 0; j < n; ++j) {
                const T there = is_in(triangle, i, j) ? a.host[i + j * ld] : a.host[j + i * ld];
                wanted += 2 * double(there) * double(x.host[2 * j]);
            }
            EXPECT(near(product[3 * i], wanted));
        }
        for (const cublasOperation_t op : operations) {
            for (const cublasDiagType_t diagonal : diagonals) {
                Numbers<T> solved(2 * n, 4), left(n * m, 5), right(m * n, 6);
                OK(trsv(type, handle, triangle, op, diagonal, n, a.device, ld, solved.device, 2));
                OK(trsm(type, handle, CUBLAS_SIDE_LEFT, triangle, op, diagonal, n, m, &alpha,
                        a.device, ld, left.device, n));
                OK(trsm(type, handle, CUBLAS_SIDE_RIGHT, triangle, op, diagonal, m, n, &alpha,
                        a.device, ld, right.device, m));
                const std::vector<T> v = solved.now(), l = left.now(), r = right.now();
                for (int i = 0; i < n; ++i) {
                    double of_vector = 0, of_left[m] = {}, of_right[m] = {};
                    for (int j = 0; j < n; ++j) {
                        const double here = element(a.host, triangle, op, diagonal, i, j);
                        of_vector += here * double(v[2 * j]);
                        for (int k = 0; k < m; ++k) {
                            of_left[k] += here * double(l[j + k * n]);
                            of_right[k] += element(a.host, triangle, op, diagonal, j, i) *
                                           double(r[k + j * m]);
                        }
                    }
                    EXPECT(near(of_vector, solved.host[2 * i]));
                    for (int k = 0; k < m; ++k) {
                        EXPECT(near(of_left[k], 2 * left.host[i + k * n]));
                        EXPECT(near(of_right[k], 2 * right.host[k + i * m]));
                    }
                }
            }
            const bool whole = op == CUBLAS_OP_N;
            Numbers<T> b(ld * n, 7), c(n * n, 8);  // b: n times m, or m times n
            OK(syrk(type, handle, triangle, op, n, m, &alpha, b.device, ld, &beta, c.device, n));
            const std::vector<T> found = c.now();
            for (int j = 0; j < n; ++j) {
                for (int i = 0; i < n; ++i) {
                    double wanted = c.host[i + j * n];
                    if (is_in(triangle, i, j)) {
                        wanted *= 3;
                        for (int k = 0; k < m; ++k) {
                            wanted += whole ? 2.0 * b.host[i + k * ld] * b.host[j + k * ld]
                                            : 2.0 * b.host[k + i * ld] * b.host[k + j * ld];
                        }
                    }
                    EXPECT(found[i + j * n] == wanted);
                }
            }
        }
    }
    for (const cublasSideMode_t side : {CUBLAS_SIDE_LEFT, CUBLAS_SIDE_RIGHT}) {
        Numbers<T> a(ld * n, 1), x(2 * n, 2), c(m * n, 3);
        OK(dgmm(type, handle, side, m, n, a.device, ld, x.device, 2, c.device, m));
        const std::vector<T> found = c.now();
        for (int j = 0; j < n; ++j) {
            for (int i = 0; i < m; ++i) {
                const T factor = x.host[2 * (side == CUBLAS_SIDE_LEFT ? i : j)];
                EXPECT(found[i + j * m] == a.host[i + j * ld] * factor);
            }
        }
    }
    Numbers<T> x(2 * n, 1), y(3 * n, 2);
    const T c = T(0.6), s = T(0.8);
    OK(rot(type, handle, n, x.device, 2, y.device, 3, &c, &s));
    const std::vector<T> turned_x = x.now(), turned_y = y.now();
    for (int i = 0; i < n; ++i) {
        EXPECT(near(turned_x[2 * i], 0.6 * x.host[2 * i] + 0.8 * y.host[3 * i]));
        EXPECT(near(turned_y[3 * i], 0.6 * y.host[3 * i] - 0.8 * x.host[2 * i]));
        EXPECT(turned_x[2 * i + 1] == x.host[2 * i + 1]);
    }
    EXPECT(trsv(type, handle, triangles[0], CUBLAS_OP_N, CUBLAS_DIAG_UNIT, n, x.device, n - 1,
                y.device, 1) == CUBLAS_STATUS_INVALID_VALUE);
    EXPECT(syrk(type, handle, triangles[0], CUBLAS_OP_N, n, -1, &alpha, x.device, n, &beta,
                y.device, n) == CUBLAS_STATUS_INVALID_VALUE);
}

int main() {
    cublasHandle_t handle;
    OK(cublasCreate(&handle));
    check<float>(handle);
    check<double>(handle);
    OK(cublasDestroy(handle));
    std::printf(failures == 0 ? "ok\n" : "%d failures\n", failures);
    return failures == 0 ? 0 : 1;
}
