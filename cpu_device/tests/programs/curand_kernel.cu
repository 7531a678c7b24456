// cuRAND in kernels: pi by random points, distributions, sequences that differ, and skipping.
#include <curand_kernel.h>

#include <cmath>
#include <cstdio>

__device__ unsigned wrong, inside, distinct;
__device__ double sum, squares, poisson_sum;
#define EXPECT(...)                                     \
    if (!(__VA_ARGS__)) {                               \
        if (atomicAdd(&wrong, 1) < 10) {                \
            printf("%d: %s\n", __LINE__, #__VA_ARGS__); \
        }                                               \
    }

__global__ void begin(curandState* d_states) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    curand_init(42, i, 0, &d_states[i]);
}

__global__ void draw(curandState* d_states, unsigned* d_first) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    curandState state = d_states[i];
    d_first[i] = curand(&state);
    for (int k = 0; k < 50; ++k) {
        const float x = curand_uniform(&state), y = curand_uniform(&state);
        EXPECT(x > 0 && x <= 1);
        if (x * x + y * y <= 1) {
            atomicAdd(&inside, 1);
        }
        const float z = curand_normal(&state);
        atomicAdd(&sum, double(z));
        atomicAdd(&squares, double(z) * z);
    }
    atomicAdd(&poisson_sum, double(curand_poisson(&state, 9.5)));
    d_states[i] = state;
}

// Skipping n words is drawing n words.
template <typename State>
__global__ void skip() {
    State a, b, c, d;
    curand_init(1, 5, 0, &a);
    curand_init(1, 5, 10, &b);
    curand_init(1, 5, 0, &c);
    curand_init(1, 6, 0, &d);
    for (int i = 0; i < 10; ++i) {
        curand(&a);
    }
    skipahead(10ull, &c);
    const unsigned x = curand(&a);
    EXPECT(x == curand(&b) && x == curand(&c) && x != curand(&d));
    const double u = curand_uniform_double(&a);
    EXPECT(u > 0 && u <= 1);
    const float2 pair = curand_normal2(&a);
    EXPECT(pair.x != pair.y && isfinite(pair.x));
    EXPECT(curand_log_normal(&a, 0, 1) > 0 && isfinite(curand_normal_double(&a)));
}

__global__ void four() {
    curandStatePhilox4_32_10_t state;
    curand_init(3, 0, 0, &state);
    const float4 u = curand_uniform4(&state), z = curand_normal4(&state);
    const uint4 words = curand4(&state);
    EXPECT(u.x > 0 && u.w <= 1 && u.x != u.y && z.x != z.w && words.x != words.y);
    const double4 v = curand_uniform4_double(&state), y = curand_normal4_double(&state);
    const double4 e = curand_log_normal4_double(&state, 0, 1);
    EXPECT(v.x > 0 && v.w <= 1 && v.x != v.w && y.x != y.w && e.x > 0 && e.y != e.z);
}

#ifdef CPU_DEVICE
// The words are those of Philox 4x32-10, of which the authors' test vector is this.
static bool is_philox() {
    const cpu_device::PhiloxBlock zero = cpu_device::philox({}, 0, 0);
    return zero.word[0] == 0x6627e8d5 && zero.word[1] == 0xe169c58d && zero.word[2] == 0xbc57ac4c &&
           zero.word[3] == 0x9b00dbd8;
}
#else
static bool is_philox() {
    return true;
}
#endif

int main() {
    const int threads = 1024;
    curandState* d_states;
    unsigned *d_first, first[threads];
    cudaMalloc(&d_states, threads * sizeof(curandState));
    cudaMalloc(&d_first, sizeof first);
    begin<<<threads / 128, 128>>>(d_states);
    draw<<<threads / 128, 128>>>(d_states, d_first);
    skip<curandStateXORWOW_t><<<1, 1>>>();
    skip<curandStatePhilox4_32_10_t><<<1, 1>>>();
    skip<curandStateMRG32k3a_t><<<1, 1>>>();
    four<<<1, 1>>>();
    unsigned found = 0, points = 0;
    double mean = 0, variance = 0, poisson = 0;
    cudaMemcpy(first, d_first, sizeof first, cudaMemcpyDeviceToHost);
    cudaMemcpyFromSymbol(&found, wrong, sizeof found);
    cudaMemcpyFromSymbol(&points, inside, sizeof points);
    cudaMemcpyFromSymbol(&mean, sum, sizeof mean);
    cudaMemcpyFromSymbol(&variance, squares, sizeof variance);
    cudaMemcpyFromSymbol(&poisson, poisson_sum, sizeof poisson);
    const double n = threads * 50.0, pi = 4 * points / n;
    mean /= n;
    variance /= n;
    poisson /= threads;
    int equal = 0;
    for (int i = 1; i < threads; ++i) {
        equal += first[i] == first[i - 1];
    }
    if (!is_philox() || found > 0 || equal > 0 ||
        std::fabs(pi - 3.14159265) > 5 * 1.65 / std::sqrt(n) ||
        std::fabs(mean) > 5 / std::sqrt(n) || std::fabs(variance - 1) > 5 * std::sqrt(2 / n) ||
        std::fabs(poisson - 9.5) > 5 * std::sqrt(9.5 / threads)) {
        std::printf("%u wrong, %d equal, pi %g, mean %g, variance %g, Poisson %g\n", found, equal,
                    pi, mean, variance, poisson);
        return 1;
    }
    std::printf("ok\n");
}
