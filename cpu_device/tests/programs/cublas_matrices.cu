// cuBLAS on matrices, against plain loops: every operation, gaps between columns, alpha and beta.
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

template <typename T>
struct Matrix {
    int rows, columns, ld;
    std::vector<T> host;
    T* device = nullptr;
    Matrix(int rows_, int columns_, int gap, int seed)
        : rows(rows_), columns(columns_), ld(rows_ + gap), host(ld * columns_) {
        for (size_t i = 0; i < host.size(); ++i) {
            host[i] = T(float(int((i * 7919 + seed * 104729) % 17) - 8));
        }
        cudaMalloc(&device, host.size() * sizeof(T));
        cudaMemcpy(device, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice);
    }
    ~Matrix() { cudaFree(device); }
    double at(cublasOperation_t op, int i, int j) const {
        return double(float(op == CUBLAS_OP_N ? host[i + j * ld] : host[j + i * ld]));
    }
    std::vector<T> now() const {
        std::vector<T> all(host.size());
        cudaMemcpy(all.data(), device, all.size() * sizeof(T), cudaMemcpyDeviceToHost);
        return all;
    }
};

// Small integers: the results are exact. `c` is alpha op(a) op(b) + beta c, and its gaps are whole.
template <typename T, typename C>
static bool right(cublasOperation_t ta, cublasOperation_t tb, int k, double alpha,
                  const Matrix<T>& a, const Matrix<T>& b, double beta, const Matrix<C>& c) {
    const std::vector<C> found = c.now();
    for (int j = 0; j < c.columns; ++j) {
        for (int i = 0; i < c.ld; ++i) {
            double wanted = double(float(c.host[i + j * c.ld]));
            if (i < c.rows) {
                wanted *= beta;
                for (int l = 0; l < k; ++l) {
                    wanted += alpha * a.at(ta, i, l) * b.at(tb, l, j);
                }
            }
            if (double(float(found[i + j * c.ld])) != double(float(C(float(wanted))))) {
                return false;
            }
        }
    }
    return true;
}

template <typename T, typename C>
static void products_ex(cublasHandle_t handle, cudaDataType type, cudaDataType c_type) {
    const int m = 5, n = 4, k = 6;
    Matrix<T> a(m, k, 1, 1), b(n, k, 2, 2);
    Matrix<C> c(m, n, 3, 3);
    const float alpha = 2, beta = -1;
    OK(cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_T, m, n, k, &alpha, a.device, type, a.ld,
                    b.device, type, b.ld, &beta, c.device, c_type, c.ld, CUBLAS_COMPUTE_32F,
                    CUBLAS_GEMM_DEFAULT));
    EXPECT(right(CUBLAS_OP_N, CUBLAS_OP_T, k, 2, a, b, -1, c));
}

int main() {
    cublasHandle_t handle;
    OK(cublasCreate(&handle));
    OK(cublasSetMathMode(handle, CUBLAS_TF32_TENSOR_OP_MATH));
    const int m = 7, n = 5, k = 6;
    const float alpha = 3, beta = 2, zero = 0, one = 1;
    const double alpha2 = -2, beta2 = 4;
    const cublasOperation_t both[] = {CUBLAS_OP_N, CUBLAS_OP_T};
    for (cublasOperation_t ta : both) {
        for (cublasOperation_t tb : both) {
            const bool na = ta == CUBLAS_OP_N, nb = tb == CUBLAS_OP_N;
            Matrix<float> a(na ? m : k, na ? k : m, 2, 1), b(nb ? k : n, nb ? n : k, 1, 2),
                c(m, n, 3, 3);
            OK(cublasSgemm(handle, ta, tb, m, n, k, &alpha, a.device, a.ld, b.device, b.ld, &beta,
                           c.device, c.ld));
            EXPECT(right(ta, tb, k, 3, a, b, 2, c));
            Matrix<double> a2(na ? m : k, na ? k : m, 0, 4), b2(nb ? k : n, nb ? n : k, 0, 5),
                c2(m, n, 0, 6);
            OK(cublasDgemm(handle, ta, tb, m, n, k, &alpha2, a2.device, a2.ld, b2.device, b2.ld,
                           &beta2, c2.device, c2.ld));
            EXPECT(right(ta, tb, k, -2, a2, b2, 4, c2));
            // geam: as a product of numbers would be, element by element.
            Matrix<float> p(na ? m : n, na ? n : m, 1, 7), q(nb ? m : n, nb ? n : m, 2, 8),
                r(m, n, 1, 9);
            OK(cublasSgeam(handle, ta, tb, m, n, &alpha, p.device, p.ld, &beta, q.device, q.ld,
                           r.device, r.ld));
            const std::vector<float> sums = r.now();
            for (int j = 0; j < n; ++j) {
                for (int i = 0; i < m; ++i) {
                    EXPECT(sums[i + j * r.ld] == 3 * p.at(ta, i, j) + 2 * q.at(tb, i, j));
                }
            }
        }
        Matrix<float> a(m, n, 1, 1), x(1, 2 * m, 0, 2), y(1, 3 * m, 0, 3);
        OK(cublasSgemv(handle, ta, m, n, &alpha, a.device, a.ld, x.device, 2, &beta, y.device, 3));
        const std::vector<float> found = y.now();
        const bool na = ta == CUBLAS_OP_N;
        for (int i = 0; i < (na ? m : n); ++i) {
            double wanted = 2 * y.host[3 * i];
            for (int j = 0; j < (na ? n : m); ++j) {
                wanted += 3 * a.at(ta, i, j) * x.host[2 * j];
            }
            EXPECT(found[3 * i] == wanted);
        }
    }
    // beta = 0: what C holds is not looked at.
    Matrix<float> a(4, 4, 0, 1), b(4, 4, 0, 2), c(4, 4, 0, 3);
    cudaMemset(c.device, 0xff, 16 * sizeof(float));
    OK(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 4, 4, 4, &one, a.device, 4, b.device, 4, &zero,
                   c.device, 4));
    EXPECT(right(CUBLAS_OP_N, CUBLAS_OP_N, 4, 1, a, b, 0, c));
    OK(cublasSger(handle, 4, 4, &alpha, a.device, 1, b.device, 1, c.device, 4));

    products_ex<__half, __half>(handle, CUDA_R_16F, CUDA_R_16F);
    products_ex<__half, float>(handle, CUDA_R_16F, CUDA_R_32F);
    products_ex<__nv_bfloat16, float>(handle, CUDA_R_16BF, CUDA_R_32F);
    products_ex<__nv_bfloat16, __nv_bfloat16>(handle, CUDA_R_16BF, CUDA_R_16BF);
    products_ex<float, float>(handle, CUDA_R_32F, CUDA_R_32F);

    // Batches: with a stride, and by arrays of pointers.
    Matrix<float> as(3, 3 * 4, 0, 1), bs(3, 3 * 4, 0, 2), cs(3, 3 * 4, 0, 3), ds(3, 3 * 4, 0, 3);
    OK(cublasSgemmStridedBatched(handle, CUBLAS_OP_N, CUBLAS_OP_N, 3, 3, 3, &alpha, as.device, 3, 9,
                                 bs.device, 3, 9, &beta, cs.device, 3, 9, 4));
    const float *pa[4], *pb[4], **d_pa, **d_pb;
    float *pc[4], **d_pc;
    for (int i = 0; i < 4; ++i) {
        pa[i] = as.device + 9 * i;
        pb[i] = bs.device + 9 * i;
        pc[i] = ds.device + 9 * i;
    }
    cudaMalloc((void**)&d_pa, sizeof pa);
    cudaMalloc((void**)&d_pb, sizeof pb);
    cudaMalloc((void**)&d_pc, sizeof pc);
    cudaMemcpy(d_pa, pa, sizeof pa, cudaMemcpyHostToDevice);
    cudaMemcpy(d_pb, pb, sizeof pb, cudaMemcpyHostToDevice);
    cudaMemcpy(d_pc, pc, sizeof pc, cudaMemcpyHostToDevice);
    OK(cublasSgemmBatched(handle, CUBLAS_OP_N, CUBLAS_OP_N, 3, 3, 3, &alpha, d_pa, 3, d_pb, 3,
                          &beta, d_pc, 3, 4));
    EXPECT(cs.now() == ds.now());
    for (int i = 0; i < 4; ++i) {
        double wanted = 2 * cs.host[9 * i];
        for (int l = 0; l < 3; ++l) {
            wanted += 3 * as.host[9 * i + 3 * l] * bs.host[9 * i + l];
        }
        EXPECT(cs.now()[9 * i] == wanted);
    }

    // X of L X = 2 B, of a lower triangle with ones on its diagonal.
    Matrix<float> triangle(4, 4, 0, 5), solved(4, 2, 0, 6);
    OK(cublasStrsm(handle, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, CUBLAS_DIAG_UNIT,
                   4, 2, &beta, triangle.device, 4, solved.device, 4));
    const std::vector<float> xs = solved.now();
    for (int j = 0; j < 2; ++j) {
        for (int i = 0; i < 4; ++i) {
            double product = xs[i + 4 * j];
            for (int l = 0; l < i; ++l) {
                product += triangle.host[i + 4 * l] * xs[l + 4 * j];
            }
            EXPECT(product == 2 * solved.host[i + 4 * j]);
        }
    }

    // Errors are CUDA's.
    EXPECT(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 4, 4, 4, &one, a.device, 3, b.device, 4,
                       &zero, c.device, 4) == CUBLAS_STATUS_INVALID_VALUE);
    EXPECT(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, -1, 4, 4, &one, a.device, 4, b.device, 4,
                       &zero, c.device, 4) == CUBLAS_STATUS_INVALID_VALUE);
    EXPECT(cublasSgemm(nullptr, CUBLAS_OP_N, CUBLAS_OP_N, 4, 4, 4, &one, a.device, 4, b.device, 4,
                       &zero, c.device, 4) == CUBLAS_STATUS_NOT_INITIALIZED);
    EXPECT(cublasGetStatusString(CUBLAS_STATUS_INVALID_VALUE)[0] != '\0');
    OK(cublasDestroy(handle));
    std::printf(failures == 0 ? "ok\n" : "%d failures\n", failures);
    return failures == 0 ? 0 : 1;
}
