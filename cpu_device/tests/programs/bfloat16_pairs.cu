// __nv_bfloat162: arithmetic in pairs, comparisons, conversions, shuffles, atomics.
#include <cuda_bf16.h>

#include <cstdio>

__device__ unsigned wrong;
#define EXPECT(...)                                     \
    if (!(__VA_ARGS__)) {                               \
        if (atomicAdd(&wrong, 1) < 10) {                \
            printf("%d: %s\n", __LINE__, #__VA_ARGS__); \
        }                                               \
    }

__device__ bool is(__nv_bfloat162 pair, float x, float y) {
    return __low2float(pair) == x && __high2float(pair) == y;
}

__global__ void pairs() {
    const __nv_bfloat162 a = __floats2bfloat162_rn(1, 2),
                         b = __halves2bfloat162(__float2bfloat16(3), __float2bfloat16(-4));
    EXPECT(is(a + b, 4, -2) && is(a - b, -2, 6) && is(a * b, 3, -8) && is(b / a, 3, -2));
    EXPECT(is(__hadd2(a, b), 4, -2) && is(__hsub2(a, b), -2, 6) && is(__hmul2(a, b), 3, -8));
    EXPECT(is(__h2div(b, a), 3, -2) && is(__hneg2(b), -3, 4) && is(__habs2(b), 3, 4));
    EXPECT(is(__hfma2(a, b, a), 4, -6) && is(__hfma2_relu(a, b, a), 4, 0));
    EXPECT(is(__hfma2_sat(a, b, a), 1, 0) && is(__hadd2_sat(a, b), 1, 0));
    EXPECT(is(__hmax2(a, b), 3, 2) && is(__hmin2(a, b), 1, -4));
    EXPECT(is(__hcmadd(a, b, a), 1 + 3 + 8, 2 - 4 + 6));
    EXPECT(is(__float2bfloat162_rn(0.1f), float(__nv_bfloat16(0.1f)), float(__nv_bfloat16(0.1f))));
    EXPECT(is(__float22bfloat162_rn(make_float2(5, 6)), 5, 6) && __bfloat1622float2(a).y == 2);
    EXPECT(is(__bfloat162bfloat162(__nv_bfloat16(7)), 7, 7) && is(__lowhigh2highlow(a), 2, 1));
    EXPECT(is(__lows2bfloat162(a, b), 1, 3) && is(__highs2bfloat162(a, b), 2, -4));
    EXPECT(is(__low2bfloat162(a), 1, 1) && is(__high2bfloat162(a), 2, 2) &&
           is(make_bfloat162(1, 2), 1, 2));
    EXPECT(float(__low2bfloat16(b)) == 3 && float(__high2bfloat16(b)) == -4);
    EXPECT(is(__hgt2(a, b), 0, 1) && __hgt2_mask(a, b) == 0xffff0000u && !__hbgt2(a, b));
    EXPECT(is(__heq2(a, a), 1, 1) && __hbeq2(a, a) && a == a && !(a == b) && a != b && !(a < b));
    const __nv_bfloat162 nan = __halves2bfloat162(CUDART_NAN_BF16, __float2bfloat16(2));
    EXPECT(is(__hisnan2(nan), 1, 0) && __heq2_mask(nan, a) == 0xffff0000u &&
           __hequ2_mask(nan, a) == 0xffffffffu && __hneu2_mask(nan, a) == 0x0000ffffu &&
           __hne2_mask(nan, a) == 0 && __hbequ2(nan, a) && !__hbeq2(nan, a));
    EXPECT(is(h2exp2(a), 2, 4) && is(h2sqrt(a * a), 1, 2) && is(h2rcp(a), 1, 0.5f));
    EXPECT(is(h2log2(a), 0, 1) && is(h2rint(a * __float2bfloat162_rn(1.25f)), 1, 2));
    EXPECT(float(hexp10(__nv_bfloat16(2))) == 100 && float(hrsqrt(__nv_bfloat16(4))) == 0.5f &&
           float(htanh(__nv_bfloat16(0))) == 0);
    __nv_bfloat162 c = a;
    c += b;
    ++c;
    EXPECT(is(c, 5, -1) && is(-c, -5, 1));
    __nv_bfloat16 h = 3;
    h *= __nv_bfloat16(2);
    h--;
    const int i = h;
    const float f = h;
    const double d = h;
    EXPECT(i == 5 && f == 5 && d == 5 && h && !__nv_bfloat16(0.0f) &&
           __nv_bfloat16(2.75f) > __nv_bfloat16(2));
    const __nv_bfloat16_raw raw = h;
    EXPECT(raw.x == __bfloat16_as_ushort(h) && float(__nv_bfloat16(raw)) == 5);
    EXPECT(__hisinf(__nv_bfloat16(-3.4e38f)) == -1 && __hisinf(__nv_bfloat16(3.389e38f)) == 0);
}

__global__ void warp_sum(__nv_bfloat16* d_sum, __nv_bfloat162* d_pair) {
    __nv_bfloat16 x = threadIdx.x;
    __nv_bfloat162 y = __halves2bfloat162(x, __hneg(x));
    for (int lanes = 16; lanes > 0; lanes /= 2) {
        x += __shfl_down_sync(0xffffffff, x, lanes);
        y += __shfl_xor_sync(0xffffffff, y, lanes);
    }
    EXPECT(is(y, 496, -496));
    const __nv_bfloat16 first = __shfl_sync(0xffffffff, x, 0);
    EXPECT(float(first) == 496);
    atomicAdd(d_sum, __nv_bfloat16(1));
    atomicAdd(d_pair, __floats2bfloat162_rn(1, -2));
}

int main() {
    __nv_bfloat16* d_sum;
    __nv_bfloat162* d_pair;
    cudaMalloc(&d_sum, sizeof *d_sum);
    cudaMalloc(&d_pair, sizeof *d_pair);
    cudaMemset(d_sum, 0, sizeof *d_sum);
    cudaMemset(d_pair, 0, sizeof *d_pair);
    pairs<<<1, 1>>>();
    warp_sum<<<4, 32>>>(d_sum, d_pair);
    __nv_bfloat16 sum;
    __nv_bfloat162 pair;
    unsigned found = 0;
    cudaMemcpy(&sum, d_sum, sizeof sum, cudaMemcpyDeviceToHost);
    cudaMemcpy(&pair, d_pair, sizeof pair, cudaMemcpyDeviceToHost);
    cudaMemcpyFromSymbol(&found, wrong, sizeof found);
    if (found > 0 || __bfloat162float(sum) != 128 || __low2float(pair) != 128 ||
        __high2float(pair) != -256) {
        std::printf("%u wrong; sums %g, %g, %g\n", found, __bfloat162float(sum), __low2float(pair),
                    __high2float(pair));
        return 1;
    }
    std::printf("ok\n");
}
