// Numbers of 8 bits: every one goes to float and back, what lies between two goes to the nearer,
// and what is too large becomes the largest.
#include <cuda_fp8.h>

template <typename T>
__global__ void round_trip(int* wrong) {
    T x;
    x.__x = static_cast<unsigned char>(threadIdx.x);
    const float value = float(x);
    if (isnan(value) || isinf(value))
        return;
    if (T(value).__x != x.__x || T(__half(x)).__x != x.__x || T(__nv_bfloat16(x)).__x != x.__x)
        atomicAdd(wrong, 1);
    // The next one away from zero; between the two lies a tie, which goes to the even one.
    T next;
    next.__x = x.__x + 1;
    const float after = float(next);
    if (isnan(after) || isinf(after) || (x.__x & 0x7f) == 0x7f)
        return;
    const float middle = (value + after) / 2;
    const T even = (x.__x & 1) == 0 ? x : next;
    if (T(middle).__x != even.__x || T(nextafterf(middle, value)).__x != x.__x ||
        T(nextafterf(middle, after)).__x != next.__x)
        atomicAdd(wrong, 1);
}

template <typename T>
static int wrong_ones(int* wrong) {
    *wrong = 0;
    round_trip<T><<<1, 256>>>(wrong);
    return cudaDeviceSynchronize() == cudaSuccess ? *wrong : -1;
}

int main() {
    int* wrong;
    cudaMallocManaged(&wrong, sizeof *wrong);
    if (wrong_ones<__nv_fp8_e4m3>(wrong) != 0 || wrong_ones<__nv_fp8_e5m2>(wrong) != 0)
        return 1;
    if (float(__nv_fp8_e4m3(1e9f)) != 448 || float(__nv_fp8_e4m3(-464.0)) != -448 ||
        float(__nv_fp8_e5m2(1e9f)) != 57344 || int(__nv_fp8_e4m3(-3.5f)) != -3)
        return 2;
    if (__nv_cvt_float_to_fp8(465, __NV_NOSAT, __NV_E4M3) != 0x7f ||
        __nv_cvt_float_to_fp8(61440, __NV_NOSAT, __NV_E5M2) != 0x7c ||
        __nv_cvt_float_to_fp8(1, __NV_SATFINITE, __NV_E4M3) != 0x38 ||
        __nv_cvt_fp8_to_halfraw(0x38, __NV_E4M3).x != 0x3c00)
        return 3;
    const __nv_fp8x4_e4m3 four(make_float4(1, -2, 0.5f, 448));
    const float4 back = float4(four);
    const float2 two = float2(__nv_fp8x2_e5m2(__half2(1.5f, -0.25f)));
    return back.x == 1 && back.y == -2 && back.z == 0.5f && back.w == 448 && two.x == 1.5f &&
                   two.y == -0.25f
               ? 0
               : 4;
}
