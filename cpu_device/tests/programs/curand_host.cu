// cuRAND from the host: distributions by mean and variance; the same seed gives the same numbers.
#include <curand.h>

#include <cmath>
#include <cstdio>
#include <vector>

static int failures = 0;
#define EXPECT(...)                                      \
    if (!(__VA_ARGS__)) {                                \
        std::printf("%d: %s\n", __LINE__, #__VA_ARGS__); \
        ++failures;                                      \
    }
#define OK(call) EXPECT((call) == CURAND_STATUS_SUCCESS)

constexpr int n = 40000;

// Within five standard errors of what they should be; `kurtosis` is that of the distribution.
template <typename T>
static void check(int line, const T* d_x, double mean, double variance, double kurtosis) {
    std::vector<T> x(n);
    cudaMemcpy(x.data(), d_x, n * sizeof(T), cudaMemcpyDeviceToHost);
    double sum = 0, squares = 0;
    for (T value : x) {
        sum += value;
        squares += (value - mean) * (value - mean);
    }
    if (std::fabs(sum / n - mean) > 5 * std::sqrt(variance / n) ||
        std::fabs(squares / n - variance) > 5 * variance * std::sqrt((kurtosis - 1) / n)) {
        std::printf("%d: mean %g, variance %g\n", line, sum / n, squares / n);
        ++failures;
    }
}

template <typename T>
static std::vector<T> all(const T* d_x, int count) {
    std::vector<T> x(count);
    cudaMemcpy(x.data(), d_x, count * sizeof(T), cudaMemcpyDeviceToHost);
    return x;
}

int main() {
    float* d_float;
    double* d_double;
    unsigned* d_unsigned;
    cudaMalloc(&d_float, n * sizeof(float));
    cudaMalloc(&d_double, n * sizeof(double));
    cudaMalloc(&d_unsigned, n * sizeof(unsigned));
    for (curandRngType_t type : {CURAND_RNG_PSEUDO_DEFAULT, CURAND_RNG_PSEUDO_PHILOX4_32_10}) {
        curandGenerator_t generator;
        OK(curandCreateGenerator(&generator, type));
        OK(curandSetPseudoRandomGeneratorSeed(generator, 1234));
        OK(curandSetGeneratorOrdering(generator, CURAND_ORDERING_PSEUDO_BEST));
        OK(curandGenerateUniform(generator, d_float, n));
        check(__LINE__, d_float, 0.5, 1.0 / 12, 1.8);
        for (float x : all(d_float, n)) {
            EXPECT(x > 0 && x <= 1);
        }
        OK(curandGenerateUniformDouble(generator, d_double, n));
        check(__LINE__, d_double, 0.5, 1.0 / 12, 1.8);
        OK(curandGenerateNormal(generator, d_float, n, 3, 2));
        check(__LINE__, d_float, 3, 4, 3);
        OK(curandGenerateNormalDouble(generator, d_double, n, -1, 0.5));
        check(__LINE__, d_double, -1, 0.25, 3);
        OK(curandGenerateLogNormal(generator, d_float, n, 0, 0.25f));
        check(__LINE__, d_float, std::exp(0.03125), (std::exp(0.0625) - 1) * std::exp(0.0625), 4.1);
        OK(curandGeneratePoisson(generator, d_unsigned, n, 5));
        check(__LINE__, d_unsigned, 5, 5, 3.2);
        OK(curandGeneratePoisson(generator, d_unsigned, n, 100));
        check(__LINE__, d_unsigned, 100, 100, 3.01);
        OK(curandGenerate(generator, d_unsigned, n));
        check(__LINE__, d_unsigned, 2147483647.5, std::pow(2.0, 64) / 12, 1.8);

        // The same seed, the same numbers; another seed, others.
        OK(curandSetPseudoRandomGeneratorSeed(generator, 7));
        OK(curandGenerateUniform(generator, d_float, 100));
        const std::vector<float> first = all(d_float, 100);
        OK(curandGenerateUniform(generator, d_float, 100));
        EXPECT(all(d_float, 100) != first);
        OK(curandSetPseudoRandomGeneratorSeed(generator, 7));
        OK(curandSetGeneratorOffset(generator, 0));
        OK(curandGenerateUniform(generator, d_float, 100));
        EXPECT(all(d_float, 100) == first);
        OK(curandSetPseudoRandomGeneratorSeed(generator, 8));
        OK(curandGenerateUniform(generator, d_float, 100));
        EXPECT(all(d_float, 100) != first);

        EXPECT(curandGenerateNormal(generator, d_float, 3, 0, 1) ==
               CURAND_STATUS_LENGTH_NOT_MULTIPLE);
        OK(curandDestroyGenerator(generator));
    }
    curandGenerator_t host;
    float x[64];
    OK(curandCreateGeneratorHost(&host, CURAND_RNG_PSEUDO_DEFAULT));
    OK(curandGenerateUniform(host, x, 64));
    EXPECT(x[63] > 0 && x[63] <= 1 && x[0] != x[1]);
    OK(curandDestroyGenerator(host));
    std::printf(failures == 0 ? "ok\n" : "%d failures\n", failures);
    return failures == 0 ? 0 : 1;
}
