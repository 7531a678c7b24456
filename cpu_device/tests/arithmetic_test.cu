// The arithmetic functions of the device. The same on a GPU and on the CPU device.
#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cfloat>
#include <climits>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#include "device_test.cuh"

namespace {

class ArithmeticFunctions : public DeviceTest {
  protected:
    void allocate() override {
        ASSERT_EQ(cudaMallocManaged(&reals_, 256 * sizeof(double)), cudaSuccess);
        ASSERT_EQ(cudaMallocManaged(&integers_, 256 * sizeof(long long)), cudaSuccess);
    }
    void release() override {
        EXPECT_EQ(cudaFree(reals_), cudaSuccess);
        EXPECT_EQ(cudaFree(integers_), cudaSuccess);
    }
    void expect_integers(const std::vector<long long>& expected) {
        wait();
        for (std::size_t i = 0; i < expected.size(); ++i) {
            EXPECT_EQ(integers_[i], expected[i]) << "number " << i;
        }
    }

    double* reals_ = nullptr;
    long long* integers_ = nullptr;
};

// --- rounding ---------------------------------------------------------------------------------

// rn, rz, ru, rd of each operation on x, y, z.
#define FOUR(name, ...)              \
    *out++ = name##_rn(__VA_ARGS__); \
    *out++ = name##_rz(__VA_ARGS__); \
    *out++ = name##_ru(__VA_ARGS__); \
    *out++ = name##_rd(__VA_ARGS__);

__global__ void round_floats(double* out, float x, float y, float z){
    FOUR(__fadd, x, y) FOUR(__fsub, x, y) FOUR(__fmul, x, y) FOUR(__fdiv, x, y) FOUR(__frcp, y)
        FOUR(__fsqrt, y) FOUR(__fmaf, x, y, z)} __global__
    void round_doubles(double* out, double x, double y, double z) {
    FOUR(__dadd, x, y)
    FOUR(__dsub, x, y)
    FOUR(__dmul, x, y)
    FOUR(__ddiv, x, y)
    FOUR(__drcp, y)
    FOUR(__dsqrt, y)
    FOUR(__fma, x, y, z)
}

// The two neighbors of the exact result are down and up; the others are one of them each.
template <typename T>
void expect_rounded(const double* found, long double exact) {
    const T nearest = static_cast<T>(exact);
    const T down =
        nearest <= exact ? nearest : std::nextafter(nearest, -std::numeric_limits<T>::infinity());
    const T up =
        nearest >= exact ? nearest : std::nextafter(nearest, std::numeric_limits<T>::infinity());
    EXPECT_EQ(found[0], nearest);
    EXPECT_EQ(found[1], exact > 0 ? down : up);
    EXPECT_EQ(found[2], up);
    EXPECT_EQ(found[3], down);
}
template <typename T>
void expect_operations(const double* found, T x_, T y_, T z_) {
    const long double x = x_;
    const long double y = y_;
    const long double z = z_;
    const long double exact[] = {x + y, x - y, x * y, x / y, 1 / y, std::sqrt(y), x * y + z};
    for (int operation = 0; operation < 7; ++operation) {
        SCOPED_TRACE(operation);
        expect_rounded<T>(found + 4 * operation, exact[operation]);
    }
}

TEST_F(ArithmeticFunctions, RoundInFourWays) {
    const float floats[][3] = {{1.1f, 3.3e-3f, 0.7f}, {-2.5e6f, 0.3f, 1e-3f}, {7e-6f, 1e5f, -3.0f}};
    for (const auto& [x, y, z] : floats) {
        SCOPED_TRACE(x);
        round_floats<<<1, 1>>>(reals_, x, y, z);
        wait();
        expect_operations(reals_, x, y, z);
    }
    const double doubles[][3] = {{1.1, 3.25e-3, 0.7}, {-2.5e6, 0.3, 1e-3}};
    for (const auto& [x, y, z] : doubles) {
        SCOPED_TRACE(x);
        round_doubles<<<1, 1>>>(reals_, x, y, z);
        wait();
        expect_operations(reals_, x, y, z);
    }
}

__global__ void convert(double* out) {
    FOUR(__int2float, 16777217)
    FOUR(__uint2float, 4294967295u)
    FOUR(__ll2float, -1234567890123456789ll)
    FOUR(__ull2float, 12345678901234567890ull)
    FOUR(__ll2double, -1234567890123456789ll)
    FOUR(__ull2double, 12345678901234567890ull)
    FOUR(__double2float, 0.1)
    *out++ = __int2double_rn(-2147483647);
    *out++ = __uint2double_rn(4294967295u);
}

TEST_F(ArithmeticFunctions, ConvertToRealsInFourWays) {
    convert<<<1, 1>>>(reals_);
    wait();
    expect_rounded<float>(reals_, 16777217.0L);
    expect_rounded<float>(reals_ + 4, 4294967295.0L);
    expect_rounded<float>(reals_ + 8, -1234567890123456789.0L);
    expect_rounded<float>(reals_ + 12, 12345678901234567890.0L);
    expect_rounded<double>(reals_ + 16, -1234567890123456789.0L);
    expect_rounded<double>(reals_ + 20, 12345678901234567890.0L);
    expect_rounded<float>(reals_ + 24, static_cast<long double>(0.1));
    EXPECT_EQ(reals_[28], -2147483647.0);
    EXPECT_EQ(reals_[29], 4294967295.0);
}

__global__ void convert_to_integers(long long* out, float x, double y){
    FOUR(__float2int, x) FOUR(__float2ll, x) FOUR(__double2int, y) FOUR(__double2ll, y)
        FOUR(__float2uint, -x) FOUR(__float2ull, -x) FOUR(__double2uint, -y)
            FOUR(__double2ull, -y)} __global__
    void convert_what_does_not_fit(long long* out, float large, float nan) {
    *out++ = __float2int_rn(large);
    *out++ = __float2int_rn(-large);
    *out++ = __float2uint_rn(-large);
    *out++ = __float2uint_rn(large);
    *out++ = __float2ll_rn(-large);
    *out++ = __double2int_rz(static_cast<double>(large));
    *out++ = __float2int_rn(nan);
    *out++ = __double2ll_rn(static_cast<double>(nan));
}

TEST_F(ArithmeticFunctions, ConvertToIntegersInFourWays) {
    convert_to_integers<<<1, 1>>>(integers_, -2.5f, -3.75);
    std::vector<long long> expected;
    for (const std::vector<long long>& four : {std::vector<long long>{-2, -2, -2, -3},
                                               {-2, -2, -2, -3},
                                               {-4, -3, -3, -4},
                                               {-4, -3, -3, -4},
                                               {2, 2, 3, 2},
                                               {2, 2, 3, 2},
                                               {4, 3, 4, 3},
                                               {4, 3, 4, 3}}) {
        expected.insert(expected.end(), four.begin(), four.end());
    }
    expect_integers(expected);
    convert_what_does_not_fit<<<1, 1>>>(integers_, 1e30f, std::nanf(""));
    expect_integers({INT_MAX, INT_MIN, 0, UINT_MAX, LLONG_MIN, INT_MAX, 0, LLONG_MIN});
}

// --- integers ---------------------------------------------------------------------------------

__global__ void integer_functions(long long* out, int x, int y, unsigned u, unsigned v) {
    *out++ = __mulhi(x, y);
    *out++ = __umulhi(u, v);
    *out++ = __mul64hi(x * (1ll << 30), y * (1ll << 20));
    *out++ = static_cast<long long>(__umul64hi(u * (1ull << 31), v * (1ull << 20)));
    *out++ = __mul24(x, 3);
    *out++ = __umul24(u, 5);
    *out++ = __sad(x, y, 7u);
    *out++ = __usad(u, v, 7u);
    *out++ = __hadd(x, y);
    *out++ = __rhadd(x, y);
    *out++ = __uhadd(u, v);
    *out++ = __urhadd(u, v);
    *out++ = __dp4a(0x01ff02fe, 0x03040506, 100);
    *out++ = __dp4a(0x01ff02feu, 0x03040506u, 100u);
    *out++ = __funnelshift_lc(u, v, 40);
    *out++ = __funnelshift_rc(u, v, 40);
    *out++ = __funnelshift_l(u, v, 4);
    *out++ = __funnelshift_r(u, v, 4);
    *out++ = umin(u, v);
    *out++ = umax(u, v);
    *out++ = llmin(x, y);
    *out++ = llmax(x, y);
    *out++ = static_cast<long long>(ullmin(u, v));
    *out++ = static_cast<long long>(ullmax(u, v));
    *out++ = __double2hiint(-1.5);
    *out++ = __double2loint(0.1);
    *out++ = static_cast<long long>(__hiloint2double(0x40080000, 0) * 100);
}

TEST_F(ArithmeticFunctions, OfIntegersFollowTheirDefinitions) {
    const int x = -1000000008;
    const int y = 2000000011;
    const unsigned u = 0xfedcba98u;
    const unsigned v = 0x12345679u;
    integer_functions<<<1, 1>>>(integers_, x, y, u, v);
    const auto high = [](__int128 a, __int128 b, int bits) {
        return static_cast<long long>(a * b >> bits);
    };
    const int x24 = static_cast<int>(static_cast<unsigned>(x) << 8) >> 8;
    expect_integers({high(x, y, 32),
                     high(u, v, 32),
                     high(x * (__int128{1} << 30), y * (__int128{1} << 20), 64),
                     high(u * (__int128{1} << 31), v * (__int128{1} << 20), 64),
                     x24 * 3,
                     static_cast<long long>((u & 0xffffff) * 5),
                     7ll + y - x,
                     7ll + u - v,
                     500000001,
                     500000002,
                     (static_cast<long long>(u) + v) / 2,
                     (static_cast<long long>(u) + v + 1) / 2,
                     100 + 1 * 3 + -1 * 4 + 2 * 5 + -2 * 6,
                     100 + 1 * 3 + 255 * 4 + 2 * 5 + 254 * 6,
                     u,
                     v,
                     (static_cast<long long>(v) << 4 | u >> 28) & 0xffffffff,
                     (static_cast<long long>(v) << 28 | u >> 4) & 0xffffffff,
                     v,
                     u,
                     x,
                     y,
                     v,
                     u,
                     static_cast<int>(0xbff80000),
                     static_cast<int>(0x9999999a),
                     300});
}

// --- functions of real numbers ----------------------------------------------------------------

__global__ void real_functions(double* out, double x, float f) {
    *out++ = rsqrt(x);
    *out++ = rcbrt(x);
    *out++ = rhypot(x, 3.0);
    *out++ = norm3d(x, 2.0, 3.0);
    *out++ = rnorm3d(x, 2.0, 3.0);
    *out++ = normcdf(x - 1);
    *out++ = sinpi(x);
    *out++ = cospi(x);
    sincospi(-x, out, out + 1);
    out += 2;
    *out++ = rsqrtf(f);
    *out++ = rcbrtf(f);
    *out++ = rhypotf(f, 3.0f);
    *out++ = norm3df(f, 2.0f, 3.0f);
    *out++ = rnorm3df(f, 2.0f, 3.0f);
    *out++ = normcdff(f - 1);
    *out++ = sinpif(f);
    *out++ = cospif(f);
    float sine = 0;
    float cosine = 0;
    sincospif(-f, &sine, &cosine);
    *out++ = sine;
    *out++ = cosine;
    *out++ = __frsqrt_rn(f);
    __sincosf(f, &sine, &cosine);
    *out++ = sine;
    *out++ = cosine;
    *out++ = __sinf(f);
    *out++ = __cosf(f);
    *out++ = __tanf(f);
    *out++ = __expf(f);
    *out++ = __exp10f(f);
    *out++ = __logf(f);
    *out++ = __log2f(f);
    *out++ = __log10f(f);
    *out++ = __powf(f, 3.0f);
    *out++ = __fdividef(f, 3.0f);
    *out++ = fdividef(f, 3.0f);
    *out++ = __saturatef(f);
    *out++ = __saturatef(f - 1);
    *out++ = __saturatef(f - 2);
}

TEST_F(ArithmeticFunctions, OfRealsAreNearTheirDefinitions) {
    const double x = 1.25;
    const double pi = std::acos(-1.0);
    real_functions<<<1, 1>>>(reals_, x, static_cast<float>(x));
    wait();
    const double both[] = {1 / std::sqrt(x),
                           1 / std::cbrt(x),
                           1 / std::hypot(x, 3.0),
                           std::hypot(x, 2.0, 3.0),
                           1 / std::hypot(x, 2.0, 3.0),
                           std::erfc(-0.25 / std::sqrt(2.0)) / 2,
                           std::sin(pi * x),
                           std::cos(pi * x),
                           -std::sin(pi * x),
                           std::cos(pi * x)};
    for (int i = 0; i < 10; ++i) {
        EXPECT_NEAR(reals_[i], both[i], 4 * DBL_EPSILON) << i;
        EXPECT_NEAR(reals_[10 + i], both[i], 8 * FLT_EPSILON) << i;
    }
    const double fast[] = {1 / std::sqrt(x),
                           std::sin(x),
                           std::cos(x),
                           std::sin(x),
                           std::cos(x),
                           std::tan(x),
                           std::exp(x),
                           std::pow(10, x),
                           std::log(x),
                           std::log2(x),
                           std::log10(x),
                           std::pow(x, 3),
                           x / 3,
                           x / 3,
                           1,
                           0.25,
                           0};
    for (int i = 0; i < 17; ++i) {
        EXPECT_NEAR(reals_[20 + i], fast[i], 1e-5 * (1 + std::fabs(fast[i]))) << i;
    }
}

__global__ void whole_and_half(double* out) {
    out[0] = sinpi(3.0);
    out[1] = cospi(2.5);
    out[2] = sinpif(-1.0f);
    out[3] = cospif(1.0f);
}
TEST_F(ArithmeticFunctions, OfMultiplesOfPiAreExact) {
    whole_and_half<<<1, 1>>>(reals_);
    wait();
    EXPECT_EQ(reals_[0], 0);
    EXPECT_EQ(reals_[1], 0);
    EXPECT_EQ(reals_[2], 0);
    EXPECT_EQ(reals_[3], -1);
}

// --- the halves and bytes of a word -----------------------------------------------------------

// Each function of two words, whether its lanes are signed (s) or not (u), and what it does to two.
// clang-format off
#define COMPARISON(f, name, sign, op)                                                           \
    f(vcmp##name, sign, x op y ? -1 : 0)           f(vset##name, sign, x op y ? 1 : 0)
#define FUNCTIONS_OF_LANES(f)                                                                   \
    f(vadd, u, x + y)                              f(vsub, u, x - y)                            \
    f(vaddss, s, fit(x + y, lane))                 f(vsubss, s, fit(x - y, lane))               \
    f(vaddus, u, fit(x + y, lane))                 f(vsubus, u, fit(x - y, lane))               \
    f(vavgs, s, int(std::round((x + y) / 2.0)))    f(vabsdiffs, s, std::abs(x - y))             \
    f(vavgu, u, (x + y + 1) / 2)                   f(vabsdiffu, u, std::abs(x - y))             \
    f(vmins, s, x < y ? x : y)                     f(vmaxs, s, x > y ? x : y)                   \
    f(vminu, u, x < y ? x : y)                     f(vmaxu, u, x > y ? x : y)                   \
    f(vhaddu, u, (x + y) / 2)                                                                   \
    COMPARISON(f, eq, u, ==)                       COMPARISON(f, ne, u, !=)                     \
    COMPARISON(f, ges, s, >=)                      COMPARISON(f, geu, u, >=)                    \
    COMPARISON(f, gts, s, >)                       COMPARISON(f, gtu, u, >)                     \
    COMPARISON(f, les, s, <=)                      COMPARISON(f, leu, u, <=)                    \
    COMPARISON(f, lts, s, <)                       COMPARISON(f, ltu, u, <)
// Of one word.
#define FUNCTIONS_OF_ONES_LANES(f)                                                              \
    f(vabs, s, std::abs(x))                        f(vabsss, s, fit(std::abs(x), lane))         \
    f(vneg, s, -x)                                 f(vnegss, s, fit(-x, lane))
// clang-format on

// Each word in 8 bytes: 0xfefefefe by itself is what race mode takes for a variable never set.
__global__ void functions_of_lanes(const unsigned* words, unsigned long long* out) {
    const unsigned a = words[2 * threadIdx.x];
    const unsigned b = words[2 * threadIdx.x + 1];
    out += 256 * threadIdx.x;
#define CALL(name, sign, value) \
    *out++ = __##name##2(a, b); \
    *out++ = __##name##4(a, b);
    FUNCTIONS_OF_LANES(CALL)
#undef CALL
#define CALL(name, sign, value) \
    *out++ = __##name##2(a);    \
    *out++ = __##name##4(a);
    FUNCTIONS_OF_ONES_LANES(CALL)
#undef CALL
    *out++ = __vsads2(a, b);
    *out++ = __vsadu2(a, b);
    *out++ = __vsads4(a, b);
    *out++ = __vsadu4(a, b);
}

template <typename Lane>
int fit(int value, Lane) {
    using Limits = std::numeric_limits<Lane>;
    return std::min<int>(std::max<int>(value, Limits::min()), Limits::max());
}
template <typename Lane, typename Function>
unsigned of_lanes(unsigned a, unsigned b, Function function) {
    constexpr std::size_t lanes = sizeof a / sizeof(Lane);
    Lane x[lanes];
    Lane y[lanes];
    std::memcpy(x, &a, sizeof a);
    std::memcpy(y, &b, sizeof b);
    for (std::size_t i = 0; i < lanes; ++i) {
        x[i] = static_cast<Lane>(function(x[i], y[i], x[i]));
    }
    std::memcpy(&a, x, sizeof a);
    return a;
}
template <typename Lane>
unsigned sum_of_differences(unsigned a, unsigned b) {
    unsigned sum = 0;
    of_lanes<Lane>(a, b, [&](int x, int y, Lane) {
        sum += static_cast<unsigned>(std::abs(x - y));
        return 0;
    });
    return sum;
}

TEST_F(ArithmeticFunctions, OfTheLanesOfAWordFollowTheirDefinitions) {
    constexpr int pairs = 128;
    unsigned* words = nullptr;
    unsigned long long* out = nullptr;
    ASSERT_EQ(cudaMallocManaged(&words, 2 * pairs * sizeof(unsigned)), cudaSuccess);
    ASSERT_EQ(cudaMallocManaged(&out, 256 * pairs * sizeof *out), cudaSuccess);
    const unsigned edges[] = {0,           0xffffffffu, 0x80808080u, 0x7f7f7f7fu,
                              0x80007fffu, 0x7fff8000u, 0x00ffff01u, 0x01fe80ffu};
    std::mt19937 random(1);
    for (int i = 0; i < pairs; ++i) {
        words[2 * i] = i < 64 ? edges[i / 8] : static_cast<unsigned>(random());
        words[2 * i + 1] = i < 64 ? edges[i % 8] : static_cast<unsigned>(random());
    }
    functions_of_lanes<<<1, pairs>>>(words, out);
    wait();
    using s2 = std::int16_t;
    using u2 = std::uint16_t;
    using s4 = std::int8_t;
    using u4 = std::uint8_t;
    for (int i = 0; i < pairs; ++i) {
        const unsigned a = words[2 * i];
        const unsigned b = words[2 * i + 1];
        SCOPED_TRACE(testing::Message() << std::hex << a << " and " << b);
        const unsigned long long* found = out + 256 * i;
#define CHECK_LANES(name, sign, value)                                                \
    const auto name = [](int x, [[maybe_unused]] int y, [[maybe_unused]] auto lane) { \
        return value;                                                                 \
    };                                                                                \
    EXPECT_EQ(*found++, of_lanes<sign##2>(a, b, name)) << #name "2";                  \
    EXPECT_EQ(*found++, of_lanes<sign##4>(a, b, name)) << #name "4";
        FUNCTIONS_OF_LANES(CHECK_LANES)
        FUNCTIONS_OF_ONES_LANES(CHECK_LANES)
        EXPECT_EQ(*found++, sum_of_differences<s2>(a, b));
        EXPECT_EQ(*found++, sum_of_differences<u2>(a, b));
        EXPECT_EQ(*found++, sum_of_differences<s4>(a, b));
        EXPECT_EQ(*found++, sum_of_differences<u4>(a, b));
    }
    EXPECT_EQ(cudaFree(words), cudaSuccess);
    EXPECT_EQ(cudaFree(out), cudaSuccess);
}

// --- time -------------------------------------------------------------------------------------

__global__ void wait_for_clock(long long* out, long long ticks) {
    const clock_t begin = clock();
    const long long begin64 = clock64();
    while (clock64() - begin64 < ticks) {
    }
    out[0] = static_cast<long long>(clock() - begin);
}
TEST_F(ArithmeticFunctions, TheClockRuns) {
    wait_for_clock<<<1, 1>>>(integers_, 100000);
    wait();
    EXPECT_GE(integers_[0], 100000);
    EXPECT_LT(integers_[0], 100000 * 1000ll);
}

}  // namespace
