// The functions that C has for double alone by their names take a float in CUDA C++, and give one.
#include <type_traits>

__global__ void k(float* x) {
    static_assert(std::is_same<decltype(rsqrt(1.0f)), float>::value, "");
    static_assert(std::is_same<decltype(rsqrt(1.0)), double>::value, "");
    static_assert(std::is_same<decltype(sinpi(1.0f)), float>::value, "");
    static_assert(std::is_same<decltype(erfcinv(1.0f)), float>::value, "");
    static_assert(std::is_same<decltype(j0(1.0f)), float>::value, "");
    static_assert(std::is_same<decltype(jn(2, 1.0f)), float>::value, "");
    float sine, cosine;
    sincos(0.5f, &sine, &cosine);
    x[0] = sine * sine + cosine * cosine;
    sincospi(0.5f, &sine, &cosine);
    x[1] = sine + cosine;
    double s, c;
    sincos(0.5, &s, &c);
    x[2] = s * s + c * c;
    x[3] = rsqrt(16.0f) + j0(0.0f);
}

int main() {
    float* x;
    cudaMallocManaged(&x, 4 * sizeof(float));
    k<<<1, 1>>>(x);
    if (cudaDeviceSynchronize() != cudaSuccess)
        return 1;
    return fabsf(x[0] - 1) < 1e-6f && x[1] == 1 && fabsf(x[2] - 1) < 1e-6f && x[3] == 1.25f ? 0 : 2;
}
