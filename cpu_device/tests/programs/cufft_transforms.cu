// cuFFT against plain sums: complex and real numbers, one to three dimensions, many transforms with
// gaps between them, in place and not, forth and back; and what it refuses.
#include <cufft.h>

#include <cmath>
#include <complex>
#include <cstdio>
#include <type_traits>
#include <vector>

static int failures = 0;
#define EXPECT(...)                                      \
    if (!(__VA_ARGS__)) {                                \
        std::printf("%d: %s\n", __LINE__, #__VA_ARGS__); \
        ++failures;                                      \
    }
#define OK(call) EXPECT((call) == CUFFT_SUCCESS)

using Number = std::complex<double>;

static double value(int i) {
    return (i * 7919 % 31 - 15) / 8.0;
}

// The transform of sizes[0] x sizes[1] x sizes[2] numbers, term by term.
static std::vector<Number> slow(const std::vector<Number>& x, const int (&sizes)[3],
                                int direction) {
    std::vector<Number> sums(x.size());
    for (int k = 0; k < int(x.size()); ++k) {
        for (int i = 0; i < int(x.size()); ++i) {
            double turns = 0;
            for (int d = 2, left_k = k, left_i = i; d >= 0; --d) {
                turns += double(left_k % sizes[d]) * (left_i % sizes[d]) / sizes[d];
                left_k /= sizes[d];
                left_i /= sizes[d];
            }
            sums[k] += x[i] * std::polar(1.0, direction * 2 * M_PI * turns);
        }
    }
    return sums;
}

static cufftResult run(cufftHandle plan, float2* in, float2* out, int direction) {
    return cufftExecC2C(plan, in, out, direction);
}
static cufftResult run(cufftHandle plan, double2* in, double2* out, int direction) {
    return cufftExecZ2Z(plan, in, out, direction);
}
static cufftResult run(cufftHandle plan, float* in, float2* out, int) {
    return cufftExecR2C(plan, in, out);
}
static cufftResult run(cufftHandle plan, double* in, double2* out, int) {
    return cufftExecD2Z(plan, in, out);
}
static cufftResult run(cufftHandle plan, float2* in, float* out, int) {
    return cufftExecC2R(plan, in, out);
}
static cufftResult run(cufftHandle plan, double2* in, double* out, int) {
    return cufftExecZ2D(plan, in, out);
}

template <typename T>
static T* memory(int count) {
    T* x = nullptr;
    cudaMallocManaged(&x, count * sizeof(T));
    return x;
}

// A plan for sizes of which those that are 1 do not count.
static cufftResult make_plan(cufftHandle* plan, const int (&sizes)[3], cufftType type) {
    return sizes[0] > 1   ? cufftPlan3d(plan, sizes[0], sizes[1], sizes[2], type)
           : sizes[1] > 1 ? cufftPlan2d(plan, sizes[1], sizes[2], type)
                          : cufftPlan1d(plan, sizes[2], type, 1);
}

static bool near(Number a, Number b, double close) {
    return std::abs(a - b) <= close * (1 + std::abs(b));
}

template <typename Real, typename Pair>
static void check(const int (&sizes)[3], cufftType pairs, cufftType forth, cufftType back) {
    const double close = sizeof(Real) == 4 ? 1e-4 : 1e-10;
    const int last = sizes[2], half = last / 2 + 1, rows = sizes[0] * sizes[1], all = rows * last;
    for (const int direction : {CUFFT_FORWARD, CUFFT_INVERSE}) {
        Pair *in = memory<Pair>(all), *out = memory<Pair>(all);
        std::vector<Number> x(all);
        for (int i = 0; i < all; ++i) {
            x[i] = {value(i), value(3 * i + 1)};
            in[i] = {Real(x[i].real()), Real(x[i].imag())};
        }
        cufftHandle plan;
        OK(make_plan(&plan, sizes, pairs));
        OK(run(plan, in, out, direction));
        OK(run(plan, in, in, direction));
        cudaDeviceSynchronize();
        const std::vector<Number> wanted = slow(x, sizes, direction);
        for (int i = 0; i < all; ++i) {
            EXPECT(near({out[i].x, out[i].y}, wanted[i], close));
            EXPECT(in[i].x == out[i].x && in[i].y == out[i].y);
        }
        OK(cufftDestroy(plan));
        cudaFree(in);
        cudaFree(out);
    }
    for (const bool in_place : {false, true}) {
        const int row = in_place ? 2 * half : last;
        Pair* const transformed = memory<Pair>(rows * half);
        Real* const in = in_place ? reinterpret_cast<Real*>(transformed) : memory<Real>(rows * row);
        std::vector<Number> x(all);
        for (int i = 0; i < all; ++i) {
            x[i] = value(i);
            in[i / last * row + i % last] = Real(x[i].real());
        }
        cufftHandle plan, plan_back;
        OK(make_plan(&plan, sizes, forth));
        OK(make_plan(&plan_back, sizes, back));
        OK(run(plan, in, transformed, 0));
        cudaDeviceSynchronize();
        const std::vector<Number> wanted = slow(x, sizes, CUFFT_FORWARD);
        for (int i = 0; i < rows * half; ++i) {
            EXPECT(near({transformed[i].x, transformed[i].y}, wanted[i / half * last + i % half],
                        close));
        }
        OK(run(plan_back, transformed, in, 0));
        cudaDeviceSynchronize();
        for (int i = 0; i < all; ++i) {
            EXPECT(near(in[i / last * row + i % last] / Real(all), x[i], close));
        }
        OK(cufftDestroy(plan));
        OK(cufftDestroy(plan_back));
        cudaFree(transformed);
        if (!in_place) {
            cudaFree(in);
        }
    }
}

// Columns of a matrix, two of them: 6 numbers 4 apart.
static void with_gaps() {
    int n[] = {6};
    float2 *in = memory<float2>(24), *out = memory<float2>(24);
    for (int i = 0; i < 24; ++i) {
        in[i] = {float(value(i)), 0};
        out[i] = {77, 77};
    }
    cufftHandle plan;
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    std::size_t work = 1;
    OK(cufftCreate(&plan));
    OK(cufftMakePlanMany(plan, 1, n, n, 4, 1, n, 1, 8, CUFFT_C2C, 2, &work));
    OK(cufftSetStream(plan, stream));
    OK(cufftExecC2C(plan, in, out, CUFFT_FORWARD));
    cudaStreamSynchronize(stream);
    for (int batch = 0; batch < 2; ++batch) {
        std::vector<Number> x(6);
        for (int i = 0; i < 6; ++i) {
            x[i] = in[batch + 4 * i].x;
        }
        const std::vector<Number> wanted = slow(x, {1, 1, 6}, CUFFT_FORWARD);
        for (int i = 0; i < 6; ++i) {
            EXPECT(near({out[8 * batch + i].x, out[8 * batch + i].y}, wanted[i], 1e-4));
        }
        EXPECT(out[8 * batch + 6].x == 77);
    }
    OK(cufftDestroy(plan));
    OK(cufftPlan1d(&plan, 12, CUFFT_C2C, 2));
    OK(cufftExecC2C(plan, in, out, CUFFT_FORWARD));
    cudaDeviceSynchronize();
    float sum = 0;
    for (int i = 12; i < 24; ++i) {
        sum += in[i].x;
    }
    EXPECT(near(out[12].x, sum, 1e-4));
    EXPECT(cufftExecC2C(plan, in, out, 0) == CUFFT_INVALID_VALUE);
    EXPECT(cufftExecC2C(plan, nullptr, out, CUFFT_FORWARD) == CUFFT_INVALID_VALUE);
    EXPECT(cufftPlan1d(&plan, 0, CUFFT_C2C, 1) == CUFFT_INVALID_SIZE);
    EXPECT(cufftPlan1d(&plan, 8, cufftType(5), 1) == CUFFT_INVALID_TYPE);
    EXPECT(cufftDestroy(12345) == CUFFT_INVALID_PLAN);
    float2 of_host[12];
    OK(cufftPlan1d(&plan, 12, CUFFT_C2C, 1));
    EXPECT(cufftExecC2C(plan, of_host, out, CUFFT_FORWARD) == CUFFT_EXEC_FAILED);
}

int main() {
    // Powers of 2, other factors, a prime; and odd lengths of real numbers.
    const int sizes[][3] = {{1, 1, 16}, {1, 1, 60}, {1, 1, 13}, {1, 1, 1},
                            {1, 6, 8},  {1, 4, 9},  {3, 4, 10}, {2, 5, 7}};
    for (const auto& size : sizes) {
        check<float, float2>(size, CUFFT_C2C, CUFFT_R2C, CUFFT_C2R);
        check<double, double2>(size, CUFFT_Z2Z, CUFFT_D2Z, CUFFT_Z2D);
    }
    with_gaps();
    std::printf(failures == 0 ? "ok\n" : "%d failures\n", failures);
    return failures == 0 ? 0 : 1;
}
