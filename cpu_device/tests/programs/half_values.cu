// half and bfloat16: every operation is rounded once, in every mode, for all 65536 numbers.
// race: not run
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cmath>
#include <cstdio>

enum Mode { nearest, zero, down, up };

struct Half {
    using T = __half;
    static constexpr int fraction = 10, lowest = -14;
    static constexpr double largest = 65504;
    __device__ static unsigned bits(T x) { return __half_as_ushort(x); }
    __device__ static T number(unsigned bits) { return __ushort_as_half(bits); }
    __device__ static T convert(float x, Mode mode) {
        return mode == nearest ? __float2half_rn(x)
               : mode == zero  ? __float2half_rz(x)
               : mode == down  ? __float2half_rd(x)
                               : __float2half_ru(x);
    }
    __device__ static T of_double(double x) { return __double2half(x); }
    __device__ static T of_integer(long long x, Mode mode) {
        return mode == nearest ? __ll2half_rn(x)
               : mode == zero  ? __ll2half_rz(x)
               : mode == down  ? __ll2half_rd(x)
                               : __ll2half_ru(x);
    }
    __device__ static int to_int(T x, Mode mode) {
        return mode == nearest ? __half2int_rn(x)
               : mode == zero  ? __half2int_rz(x)
               : mode == down  ? __half2int_rd(x)
                               : __half2int_ru(x);
    }
    __device__ static unsigned short to_ushort(T x) { return __half2ushort_rz(x); }
    __device__ static signed char to_char(T x) { return __half2char_rz(x); }
};

struct Bfloat16 {
    using T = __nv_bfloat16;
    static constexpr int fraction = 7, lowest = -126;
    static constexpr double largest = 255.0 * (1ull << 60) * (1ull << 60);
    __device__ static unsigned bits(T x) { return __bfloat16_as_ushort(x); }
    __device__ static T number(unsigned bits) { return __ushort_as_bfloat16(bits); }
    __device__ static T convert(float x, Mode mode) {
        return mode == nearest ? __float2bfloat16_rn(x)
               : mode == zero  ? __float2bfloat16_rz(x)
               : mode == down  ? __float2bfloat16_rd(x)
                               : __float2bfloat16_ru(x);
    }
    __device__ static T of_double(double x) { return __double2bfloat16(x); }
    __device__ static T of_integer(long long x, Mode mode) {
        return mode == nearest ? __ll2bfloat16_rn(x)
               : mode == zero  ? __ll2bfloat16_rz(x)
               : mode == down  ? __ll2bfloat16_rd(x)
                               : __ll2bfloat16_ru(x);
    }
    __device__ static int to_int(T x, Mode mode) {
        return mode == nearest ? __bfloat162int_rn(x)
               : mode == zero  ? __bfloat162int_rz(x)
               : mode == down  ? __bfloat162int_rd(x)
                               : __bfloat162int_ru(x);
    }
    __device__ static unsigned short to_ushort(T x) { return __bfloat162ushort_rz(x); }
    __device__ static signed char to_char(T x) { return __bfloat162char_rz(x); }
};

__device__ double in_mode(double x, Mode mode) {
    return mode == nearest ? rint(x) : mode == zero ? trunc(x) : mode == down ? floor(x) : ceil(x);
}

// The number of this format that `exact` is rounded to.
template <typename Format>
__device__ double reference(double exact, Mode mode) {
    if (isnan(exact) || isinf(exact) || exact == 0) {
        return exact;
    }
    int exponent;
    frexp(exact, &exponent);
    exponent = (exponent - 1 > Format::lowest ? exponent - 1 : Format::lowest) - Format::fraction;
    const double rounded = ldexp(in_mode(ldexp(exact, -exponent), mode), exponent);
    if (fabs(rounded) <= Format::largest) {
        return copysign(rounded, exact);
    }
    const bool away = mode == nearest || (mode == up && exact > 0) || (mode == down && exact < 0);
    return copysign(away ? INFINITY : Format::largest, exact);
}

template <typename Format>
__device__ bool same(typename Format::T x, double wanted) {
    const double found = float(x);
    return isnan(wanted) ? isnan(found) : found == wanted && signbit(found) == signbit(wanted);
}

__device__ unsigned failures;
__device__ void expect(bool right, const char* what, unsigned a, unsigned b) {
    if (!right && atomicAdd(&failures, 1) < 10) {
        printf("%s is wrong for 0x%04x, 0x%04x\n", what, a, b);
    }
}

template <typename Format>
__global__ void check() {
    using T = typename Format::T;
    const unsigned a_bits = blockIdx.x * blockDim.x + threadIdx.x;
    const T a = Format::number(a_bits);
    const float x = float(a);
    expect(isnan(x) || Format::bits(T(x)) == a_bits, "float", a_bits, 0);
    expect(Format::bits(-a) == (isnan(x) ? 0x7fff : a_bits ^ 0x8000), "-", a_bits, 0);
    expect(same<Format>(hsqrt(a), reference<Format>(sqrt(double(x)), nearest)), "hsqrt", a_bits, 0);
    expect(same<Format>(hfloor(a), floor(x)) && same<Format>(hceil(a), ceil(x)) &&
               same<Format>(htrunc(a), trunc(x)) && same<Format>(hrint(a), rint(x)),
           "hfloor and its kin", a_bits, 0);
    for (int m = 0; m < 4; ++m) {
        const Mode mode = Mode(m);
        // Not a 16-bit number: its last bits are the bits of `a`, or half of a step above it.
        const unsigned wide = __float_as_uint(x) ^ (a_bits * 40503u & 0x1fff);
        const float between = __uint_as_float(wide);
        expect(same<Format>(Format::convert(between, mode), reference<Format>(between, mode)),
               "a float's conversion", a_bits, mode);
        const float middle = __uint_as_float(__float_as_uint(x) + (1u << (22 - Format::fraction)));
        expect(same<Format>(Format::convert(middle, mode), reference<Format>(middle, mode)),
               "a middle's conversion", a_bits, mode);
        const double integer = in_mode(x, mode);
        const int wanted = isnan(x)                 ? 0
                           : integer >= 2147483647  ? 2147483647
                           : integer <= -2147483648 ? -2147483647 - 1
                                                    : int(integer);
        expect(Format::to_int(a, mode) == wanted, "to int", a_bits, mode);
        const long long number = ((long long)a_bits - 32768) * 65537 * 65537 / 1000;
        expect(same<Format>(Format::of_integer(number, mode), reference<Format>(number, mode)),
               "from long long", a_bits, mode);
    }
    const float cut = trunc(x);
    expect(Format::to_ushort(a) == (!(cut > 0)    ? 0
                                    : cut > 65535 ? 65535
                                                  : int(cut)),
           "to ushort", a_bits, 0);
    expect(Format::to_char(a) == (isnan(x)     ? 0
                                  : cut > 127  ? 127
                                  : cut < -128 ? -128
                                               : int(cut)),
           "to char", a_bits, 0);
    // A little above a middle: rounded to float first, it would lie on the middle.
    const double nearly =
        double(__uint_as_float(__float_as_uint(x) + (1u << (22 - Format::fraction)))) * (1 + 1e-12);
    expect(same<Format>(Format::of_double(nearly), reference<Format>(nearly, nearest)),
           "a double's conversion", a_bits, 0);

    unsigned random = a_bits * 2654435761u + 12345;
    for (int i = 0; i < 24; ++i) {
        random = random * 1664525 + 1013904223;
        unsigned b_bits = random >> 16;
        if (i % 2 == 1) {  // near to a, where sums cancel and are even
            b_bits = (a_bits + (b_bits & 0x3ff) - 0x200) & 0xffff;
        }
        const T b = Format::number(b_bits);
        const double y = float(b);
        const double product = x * y;
        expect(same<Format>(a * b, reference<Format>(product, nearest)), "*", a_bits, b_bits);
        expect(same<Format>(a / b, reference<Format>(x / y, nearest)), "/", a_bits, b_bits);
        if (Format::fraction == 10) {  // these sums are exact in double
            expect(same<Format>(a + b, reference<Format>(x + y, nearest)), "+", a_bits, b_bits);
            expect(same<Format>(a - b, reference<Format>(x - y, nearest)), "-", a_bits, b_bits);
            const double clamped = x + y > 1 ? 1 : x + y > 0 ? x + y : 0;
            expect(same<Format>(__hadd_sat(a, b), reference<Format>(clamped, nearest)),
                   "__hadd_sat", a_bits, b_bits);
        }
        // The result of a fused operation is the nearest one: a * b + (c - r) is exact for it.
        const T c = Format::number((random >> 4 & 0x83ff) + (Format::bits(a * b) & 0x7c00));
        const double z = float(c);
        const T r = __hfma(a, b, c);
        const double found = float(r);
        if (Format::fraction == 10 && fabs(product) < 60000 && fabs(z) < 60000 &&
            fabs(found) < 60000) {
            const double error = product + (z - found);
            const bool beyond = found == 0 || (error > 0) == (found > 0);  // away from 0
            const T next = Format::number(Format::bits(r) + (beyond ? 1 : -1));
            const double step = fabs(double(float(next)) - found);
            const double twice = 2 * fabs(error);
            expect(twice < step || (twice == step && Format::bits(r) % 2 == 0), "__hfma", a_bits,
                   b_bits);
        }
        const bool nan = isnan(x) || isnan(y);
        const double larger = isnan(x) ? y : isnan(y) || x > y || (x == y && !signbit(x)) ? x : y;
        const double smaller = isnan(x) ? y : isnan(y) || x < y || (x == y && signbit(x)) ? x : y;
        expect(same<Format>(__hmax(a, b), larger) && same<Format>(__hmin(a, b), smaller),
               "__hmax or __hmin", a_bits, b_bits);
        expect(same<Format>(__hmax_nan(a, b), nan ? NAN : larger) &&
                   same<Format>(__hmin_nan(a, b), nan ? NAN : smaller),
               "__hmax_nan or __hmin_nan", a_bits, b_bits);
        expect(__heq(a, b) == (x == y) && __hne(a, b) == (!nan && x != y) &&
                   __hlt(a, b) == (x < y) && __hgeu(a, b) == !(x < y) && __hneu(a, b) == (x != y) &&
                   __hequ(a, b) == (nan || x == y) && __hgt(a, b) == (x > y) &&
                   __hleu(a, b) == !(x > y) && __hle(a, b) == (x <= y) && __hge(a, b) == (x >= y),
               "a comparison", a_bits, b_bits);
    }
}

// Sums and fused operations of bfloat16 that no double holds.
__global__ void check_far_apart() {
    const __nv_bfloat16 one = 1.0f, tiny = __ushort_as_bfloat16(1), step = 0.0078125f;
    const __nv_bfloat16 half_step = 0.00390625f;
    expect(float(one + tiny) == 1 && float(one - tiny) == 1, "1 + 2^-133", 0, 0);
    expect(float(__hfma(half_step, one, one)) == 1, "1 and half a step", 0, 0);
    expect(float(__hfma(half_step, __hadd(one, step), one)) == 1.0078125f, "and more", 0, 0);
    const __nv_bfloat16 odd = 1.0078125f;
    expect(float(__hfma(half_step, one, odd)) == 1.015625f, "odd and half a step", 0, 0);
    expect(float(__hfma(odd, __hmul(tiny, one), one)) == 1, "1 and a tiny product", 0, 0);
    const __nv_bfloat16 plus = CUDART_ZERO_BF16, minus = CUDART_NEG_ZERO_BF16;
    expect(__bfloat16_as_ushort(__hmax(plus, minus)) == 0 &&
               __bfloat16_as_ushort(__hmax(minus, plus)) == 0 &&
               __bfloat16_as_ushort(__hmin(plus, minus)) == 0x8000 &&
               __bfloat16_as_ushort(__hmin(minus, plus)) == 0x8000,
           "max and min of zeros", 0, 0);
    expect(__hisinf(__hmul(__ushort_as_bfloat16(0x7f7f), __float2bfloat16(2))) == 1, "inf", 0, 0);
    expect(__hisnan(__hfma_relu(CUDART_NAN_BF16, one, one)) &&
               float(__hfma_relu(-one, one, tiny)) == 0 && float(__hfma_sat(one, one, one)) == 1,
           "relu and sat", 0, 0);
}

int main() {
    check<Half><<<256, 256>>>();
    check<Bfloat16><<<256, 256>>>();
    check_far_apart<<<1, 1>>>();
    if (cudaDeviceSynchronize() != cudaSuccess) {
        return 2;
    }
    unsigned found = 0;
    cudaMemcpyFromSymbol(&found, failures, sizeof found);
    if (found > 0) {
        std::printf("%u failures\n", found);
        return 1;
    }
    std::printf("ok\n");
}
