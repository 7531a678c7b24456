// Quasirandom numbers: the first ones of the first three dimensions are known; a kernel that begins
// further on goes on like the host; every interval of length 1/64 gets as many of 64 * 16 numbers.
#include <curand.h>
#include <curand_kernel.h>

__global__ void make(curandDirectionVectors32_t* vectors, unsigned* x, int each) {
    curandStateSobol32 state;
    curand_init(vectors[threadIdx.x], 5, &state);
    for (int i = 0; i < each; ++i)
        x[threadIdx.x * each + i] = curand(&state);
}

int main() {
    constexpr int dimensions = 10, each = 1024;
    curandGenerator_t generator;
    if (curandCreateGenerator(&generator, CURAND_RNG_QUASI_SCRAMBLED_SOBOL32) !=
            CURAND_STATUS_TYPE_ERROR ||
        curandCreateGenerator(&generator, CURAND_RNG_QUASI_SOBOL32) != CURAND_STATUS_SUCCESS ||
        curandSetQuasiRandomGeneratorDimensions(generator, dimensions) != CURAND_STATUS_SUCCESS ||
        curandSetQuasiRandomGeneratorDimensions(generator, 11) != CURAND_STATUS_OUT_OF_RANGE)
        return 1;
    unsigned *x, *y;
    float* u;
    cudaMallocManaged(&x, dimensions * each * sizeof(unsigned));
    cudaMallocManaged(&y, dimensions * 8 * sizeof(unsigned));
    cudaMallocManaged(&u, dimensions * each * sizeof(float));
    if (curandGenerate(generator, x, 11) != CURAND_STATUS_LENGTH_NOT_MULTIPLE ||
        curandGenerate(generator, x, dimensions * each) != CURAND_STATUS_SUCCESS)
        return 2;
    cudaDeviceSynchronize();
    const unsigned known[3][4] = {{0, 1u << 31, 3u << 30, 1u << 30},
                                  {0, 1u << 31, 1u << 30, 3u << 30},
                                  {0, 1u << 31, 1u << 30, 3u << 30}};
    for (int d = 0; d < 3; ++d) {
        for (int i = 0; i < 4; ++i) {
            if (x[d * each + i] != known[d][i])
                return 3;
        }
    }
    for (int d = 0; d < dimensions; ++d) {
        int counts[64] = {};
        for (int i = 0; i < each; ++i)
            ++counts[x[d * each + i] >> 26];
        for (const int count : counts) {
            if (count != each / 64)
                return 4;
        }
    }
    curandDirectionVectors32_t *vectors, *of_device;
    if (curandGetDirectionVectors32(&vectors, CURAND_DIRECTION_VECTORS_32_JOEKUO6) !=
        CURAND_STATUS_SUCCESS)
        return 5;
    cudaMalloc(&of_device, dimensions * sizeof(curandDirectionVectors32_t));
    cudaMemcpy(of_device, vectors, dimensions * sizeof(curandDirectionVectors32_t),
               cudaMemcpyHostToDevice);
    make<<<1, dimensions>>>(of_device, y, 8);
    cudaDeviceSynchronize();
    for (int i = 0; i < dimensions * 8; ++i) {
        if (y[i] != x[i / 8 * each + 5 + i % 8])
            return 6;
    }
    // Pi by the points of a quarter of a circle.
    curandSetGeneratorOffset(generator, 0);
    curandSetQuasiRandomGeneratorDimensions(generator, 2);
    curandGenerateUniform(generator, u, 2 * each);
    cudaDeviceSynchronize();
    int inside = 0;
    for (int i = 0; i < each; ++i)
        inside += u[i] * u[i] + u[each + i] * u[each + i] < 1;
    return fabs(4.0 * inside / each - M_PI) < 0.01 ? 0 : 7;
}
