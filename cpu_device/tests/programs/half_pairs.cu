// half2: arithmetic in pairs, comparisons, conversions, shuffles, atomics.
// quick
#include <cuda_fp16.h>

#include <cstdio>

__device__ unsigned wrong;
#define EXPECT(...)                                     \
    if (!(__VA_ARGS__)) {                               \
        if (atomicAdd(&wrong, 1) < 10) {                \
            printf("%d: %s\n", __LINE__, #__VA_ARGS__); \
        }                                               \
    }

__device__ bool is(half2 pair, float x, float y) {
    return __low2float(pair) == x && __high2float(pair) == y;
}

__global__ void pairs() {
    const half2 a = __floats2half2_rn(1, 2), b = __halves2half2(__float2half(3), __float2half(-4));
    EXPECT(is(a + b, 4, -2) && is(a - b, -2, 6) && is(a * b, 3, -8) && is(b / a, 3, -2));
    EXPECT(is(__hadd2(a, b), 4, -2) && is(__hsub2(a, b), -2, 6) && is(__hmul2(a, b), 3, -8));
    EXPECT(is(__h2div(b, a), 3, -2) && is(__hneg2(b), -3, 4) && is(__habs2(b), 3, 4));
    EXPECT(is(__hfma2(a, b, a), 4, -6) && is(__hfma2_relu(a, b, a), 4, 0));
    EXPECT(is(__hfma2_sat(a, b, a), 1, 0) && is(__hadd2_sat(a, b), 1, 0));
    EXPECT(is(__hmax2(a, b), 3, 2) && is(__hmin2(a, b), 1, -4));
    EXPECT(is(__hcmadd(a, b, a), 1 + 3 + 8, 2 - 4 + 6));
    EXPECT(is(__float2half2_rn(0.1f), float(half(0.1f)), float(half(0.1f))));
    EXPECT(is(__float22half2_rn(make_float2(5, 6)), 5, 6) && __half22float2(a).y == 2);
    EXPECT(is(__half2half2(half(7)), 7, 7) && is(__lowhigh2highlow(a), 2, 1));
    EXPECT(is(__lows2half2(a, b), 1, 3) && is(__highs2half2(a, b), 2, -4));
    EXPECT(is(__low2half2(a), 1, 1) && is(__high2half2(a), 2, 2) && is(make_half2(1, 2), 1, 2));
    EXPECT(float(__low2half(b)) == 3 && float(__high2half(b)) == -4);
    EXPECT(is(__hgt2(a, b), 0, 1) && __hgt2_mask(a, b) == 0xffff0000u && !__hbgt2(a, b));
    EXPECT(is(__heq2(a, a), 1, 1) && __hbeq2(a, a) && a == a && !(a == b) && a != b && !(a < b));
    const half2 nan = __halves2half2(CUDART_NAN_FP16, __float2half(2));
    EXPECT(is(__hisnan2(nan), 1, 0) && __heq2_mask(nan, a) == 0xffff0000u &&
           __hequ2_mask(nan, a) == 0xffffffffu && __hneu2_mask(nan, a) == 0x0000ffffu &&
           __hne2_mask(nan, a) == 0 && __hbequ2(nan, a) && !__hbeq2(nan, a));
    EXPECT(is(h2exp2(a), 2, 4) && is(h2sqrt(a * a), 1, 2) && is(h2rcp(a), 1, 0.5f));
    EXPECT(is(h2log2(a), 0, 1) && is(h2rint(a * __float2half2_rn(1.25f)), 1, 2));
    EXPECT(float(hexp10(half(2))) == 100 && float(hrsqrt(half(4))) == 0.5f &&
           float(htanh(half(0))) == 0);
    half2 c = a;
    c += b;
    ++c;
    EXPECT(is(c, 5, -1) && is(-c, -5, 1));
    half h = 3;
    h *= half(2);
    h--;
    const int i = h;
    const float f = h;
    const double d = h;
    EXPECT(i == 5 && f == 5 && d == 5 && h && !half(0.0f) && half(2.75f) > half(2));
    const __half_raw raw = h;
    EXPECT(raw.x == __half_as_ushort(h) && float(half(raw)) == 5);
    EXPECT(__hisinf(half(-65520.0f)) == -1 && __hisinf(half(65519.0f)) == 0);
}

__global__ void warp_sum(half* d_sum, half2* d_pair) {
    half x = threadIdx.x;
    half2 y = __halves2half2(x, __hneg(x));
    for (int lanes = 16; lanes > 0; lanes /= 2) {
        x += __shfl_down_sync(0xffffffff, x, lanes);
        y += __shfl_xor_sync(0xffffffff, y, lanes);
    }
    EXPECT(is(y, 496, -496));
    const half first = __shfl_sync(0xffffffff, x, 0);
    EXPECT(float(first) == 496);
    atomicAdd(d_sum, half(1));
    atomicAdd(d_pair, __floats2half2_rn(1, -2));
}

int main() {
    half* d_sum;
    half2* d_pair;
    cudaMalloc(&d_sum, sizeof *d_sum);
    cudaMalloc(&d_pair, sizeof *d_pair);
    cudaMemset(d_sum, 0, sizeof *d_sum);
    cudaMemset(d_pair, 0, sizeof *d_pair);
    pairs<<<1, 1>>>();
    warp_sum<<<4, 32>>>(d_sum, d_pair);
    half sum;
    half2 pair;
    unsigned found = 0;
    cudaMemcpy(&sum, d_sum, sizeof sum, cudaMemcpyDeviceToHost);
    cudaMemcpy(&pair, d_pair, sizeof pair, cudaMemcpyDeviceToHost);
    cudaMemcpyFromSymbol(&found, wrong, sizeof found);
    if (found > 0 || __half2float(sum) != 128 || __low2float(pair) != 128 ||
        __high2float(pair) != -256) {
        std::printf("%u wrong; sums %g, %g, %g\n", found, __half2float(sum), __low2float(pair),
                    __high2float(pair));
        return 1;
    }
    std::printf("ok\n");
}
