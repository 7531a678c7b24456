// Arithmetic functions of the device: bits, rounding, conversions, approximations, min and max.
#pragma once

#include <cfenv>
#include <cmath>
#include <cstdint>
#include <cstring>

// --- bits -----------------------------------------------------------------------------------

inline int __popc(unsigned x) {
    return __builtin_popcount(x);
}
inline int __popcll(unsigned long long x) {
    return __builtin_popcountll(x);
}
inline int __clz(int x) {
    return x == 0 ? 32 : __builtin_clz(static_cast<unsigned>(x));
}
inline int __clzll(long long x) {
    return x == 0 ? 64 : __builtin_clzll(static_cast<unsigned long long>(x));
}
inline int __ffs(int x) {
    return __builtin_ffs(x);
}
inline int __ffsll(long long x) {
    return __builtin_ffsll(x);
}
// The place of the n-th set bit, counted from `base` up, or down if n is negative; n = 0 asks for
// the bit at `base`. All ones if there is none.
inline unsigned __fns(unsigned mask, unsigned base, int n) {
    int left = n == 0 ? 1 : std::abs(n);
    for (int i = static_cast<int>(base); i >= 0 && i < 32; i += n < 0 ? -1 : 1) {
        left -= static_cast<int>(mask >> i & 1);
        if (left == 0) {
            return static_cast<unsigned>(i);
        }
        if (n == 0) {
            break;
        }
    }
    return 0xffffffff;
}
inline unsigned __brev(unsigned x) {
    unsigned reversed = 0;
    for (int bit = 0; bit < 32; ++bit) {
        reversed |= (x >> bit & 1u) << (31 - bit);
    }
    return reversed;
}
inline unsigned long long __brevll(unsigned long long x) {
    return static_cast<unsigned long long>(__brev(static_cast<unsigned>(x))) << 32 |
           __brev(static_cast<unsigned>(x >> 32));
}
// Each nibble of `selector` picks one of the eight bytes of y:x; its highest bit spreads the byte's
// sign instead.
inline unsigned __byte_perm(unsigned x, unsigned y, unsigned selector) {
    const std::uint64_t bytes = static_cast<std::uint64_t>(y) << 32 | x;
    unsigned result = 0;
    for (int i = 0; i < 4; ++i) {
        const unsigned pick = selector >> (4 * i);
        unsigned byte = static_cast<unsigned>(bytes >> (8 * (pick & 7))) & 0xff;
        if ((pick & 8) != 0) {
            byte = (byte & 0x80) != 0 ? 0xff : 0;
        }
        result |= byte << (8 * i);
    }
    return result;
}
inline unsigned __funnelshift_l(unsigned low, unsigned high, unsigned shift) {
    const std::uint64_t both = static_cast<std::uint64_t>(high) << 32 | low;
    return static_cast<unsigned>(both << (shift & 31) >> 32);
}
inline unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift) {
    const std::uint64_t both = static_cast<std::uint64_t>(high) << 32 | low;
    return static_cast<unsigned>(both >> (shift & 31));
}

// The same, where a shift of more than 32 counts as 32.
inline unsigned __funnelshift_lc(unsigned low, unsigned high, unsigned shift) {
    const std::uint64_t both = static_cast<std::uint64_t>(high) << 32 | low;
    return static_cast<unsigned>(both << (shift < 32 ? shift : 32) >> 32);
}
inline unsigned __funnelshift_rc(unsigned low, unsigned high, unsigned shift) {
    const std::uint64_t both = static_cast<std::uint64_t>(high) << 32 | low;
    return static_cast<unsigned>(both >> (shift < 32 ? shift : 32));
}

#define CPU_DEVICE_REINTERPRET(name, From, To)                  \
    inline To name(From value) {                                \
        static_assert(sizeof(From) == sizeof(To), "same size"); \
        To result;                                              \
        std::memcpy(&result, &value, sizeof result);            \
        return result;                                          \
    }
CPU_DEVICE_REINTERPRET(__float_as_int, float, int)
CPU_DEVICE_REINTERPRET(__int_as_float, int, float)
CPU_DEVICE_REINTERPRET(__float_as_uint, float, unsigned)
CPU_DEVICE_REINTERPRET(__uint_as_float, unsigned, float)
CPU_DEVICE_REINTERPRET(__double_as_longlong, double, long long)
CPU_DEVICE_REINTERPRET(__longlong_as_double, long long, double)
#undef CPU_DEVICE_REINTERPRET

inline int __double2hiint(double value) {
    return static_cast<int>(__double_as_longlong(value) >> 32);
}
inline int __double2loint(double value) {
    return static_cast<int>(__double_as_longlong(value));
}
inline double __hiloint2double(int high, int low) {
    const auto bits = static_cast<unsigned long long>(static_cast<unsigned>(high)) << 32 |
                      static_cast<unsigned>(low);
    return __longlong_as_double(static_cast<long long>(bits));
}

// --- integers -------------------------------------------------------------------------------

inline unsigned __umulhi(unsigned x, unsigned y) {
    return static_cast<unsigned>(static_cast<std::uint64_t>(x) * y >> 32);
}
inline int __mulhi(int x, int y) {
    return static_cast<int>(static_cast<std::int64_t>(x) * y >> 32);
}
inline unsigned long long __umul64hi(unsigned long long x, unsigned long long y) {
    __extension__ using Product = unsigned __int128;
    return static_cast<unsigned long long>(static_cast<Product>(x) * y >> 64);
}
inline long long __mul64hi(long long x, long long y) {
    __extension__ using Product = __int128;
    return static_cast<long long>(static_cast<Product>(x) * y >> 64);
}
// The low 32 bits of the product of the low 24 bits.
inline unsigned __umul24(unsigned x, unsigned y) {
    return (x & 0xffffff) * (y & 0xffffff);
}
inline int __mul24(int x, int y) {
    const auto signed_24 = [](int value) {
        return static_cast<std::int64_t>(static_cast<int>(static_cast<unsigned>(value) << 8) >> 8);
    };
    return static_cast<int>(signed_24(x) * signed_24(y));
}
inline unsigned __sad(int x, int y, unsigned sum) {
    return sum + (x < y ? static_cast<unsigned>(y) - static_cast<unsigned>(x)
                        : static_cast<unsigned>(x) - static_cast<unsigned>(y));
}
inline unsigned __usad(unsigned x, unsigned y, unsigned sum) {
    return sum + (x < y ? y - x : x - y);
}
// Averages, without overflow; the r... ones round up.
inline int __hadd(int x, int y) {
    return static_cast<int>((static_cast<std::int64_t>(x) + y) >> 1);
}
inline int __rhadd(int x, int y) {
    return static_cast<int>((static_cast<std::int64_t>(x) + y + 1) >> 1);
}
inline unsigned __uhadd(unsigned x, unsigned y) {
    return static_cast<unsigned>((static_cast<std::uint64_t>(x) + y) >> 1);
}
inline unsigned __urhadd(unsigned x, unsigned y) {
    return static_cast<unsigned>((static_cast<std::uint64_t>(x) + y + 1) >> 1);
}
// The products of the four bytes, summed.
inline int __dp4a(int x, int y, int sum) {
    unsigned result = static_cast<unsigned>(sum);
    for (int shift = 0; shift < 32; shift += 8) {
        const int a = static_cast<signed char>(x >> shift);
        const int b = static_cast<signed char>(y >> shift);
        result += static_cast<unsigned>(a * b);
    }
    return static_cast<int>(result);
}
inline unsigned __dp4a(unsigned x, unsigned y, unsigned sum) {
    for (int shift = 0; shift < 32; shift += 8) {
        sum += (x >> shift & 0xff) * (y >> shift & 0xff);
    }
    return sum;
}

// Of the two halves of x and two of the four bytes of y.
inline int __dp2a_lo(int x, int y, int sum) {
    const int low = static_cast<short>(x) * static_cast<signed char>(y);
    const int high = static_cast<short>(x >> 16) * static_cast<signed char>(y >> 8);
    return static_cast<int>(static_cast<unsigned>(sum) + static_cast<unsigned>(low) +
                            static_cast<unsigned>(high));
}
inline unsigned __dp2a_lo(unsigned x, unsigned y, unsigned sum) {
    return sum + (x & 0xffff) * (y & 0xff) + (x >> 16) * (y >> 8 & 0xff);
}
inline int __dp2a_hi(int x, int y, int sum) {
    return __dp2a_lo(x, y >> 16, sum);
}
inline unsigned __dp2a_hi(unsigned x, unsigned y, unsigned sum) {
    return __dp2a_lo(x, y >> 16, sum);
}
// The same of vectors.
inline int __dp4a(char4 x, char4 y, int sum) {
    return sum + x.x * y.x + x.y * y.y + x.z * y.z + x.w * y.w;
}
inline unsigned __dp4a(uchar4 x, uchar4 y, unsigned sum) {
    return sum + static_cast<unsigned>(x.x * y.x + x.y * y.y + x.z * y.z + x.w * y.w);
}
inline int __dp2a_lo(short2 x, char4 y, int sum) {
    return sum + x.x * y.x + x.y * y.y;
}
inline unsigned __dp2a_lo(ushort2 x, uchar4 y, unsigned sum) {
    return sum + static_cast<unsigned>(x.x * y.x + x.y * y.y);
}
inline int __dp2a_hi(short2 x, char4 y, int sum) {
    return sum + x.x * y.z + x.y * y.w;
}
inline unsigned __dp2a_hi(ushort2 x, uchar4 y, unsigned sum) {
    return sum + static_cast<unsigned>(x.x * y.z + x.y * y.w);
}

// --- rounding -------------------------------------------------------------------------------

namespace cpu_device {
// The compiler does not know the value from here on, nor what was computed before.
template <typename T>
void hide(T& value) {
    __asm__ volatile("" : "+m"(value) : : "memory");
}

// An operation in a rounding mode of the processor, of which the compiler knows nothing.
template <typename T, typename Operation, typename... Operands>
T rounded(int mode, Operation operation, Operands... operands) {
    if (mode == FE_TONEAREST) {
        return operation(operands...);
    }
    std::fesetround(mode);
    (hide(operands), ...);
    T result = operation(operands...);
    hide(result);
    std::fesetround(FE_TONEAREST);
    return result;
}

// A number too large for the integer type becomes the nearest one that it has; a NaN, what the
// hardware makes of it.
template <typename Integer, typename Real>
Integer saturating_cast(Real rounded) {
    constexpr int bits = 8 * sizeof(Integer);
    if (rounded != rounded) {
        const bool zero = sizeof(Real) < 8 && bits < 64;
        return zero ? 0 : static_cast<Integer>(1ull << (bits - 1));
    }
    constexpr bool is_signed = static_cast<Integer>(-1) < static_cast<Integer>(0);
    const Real limit = std::ldexp(static_cast<Real>(1), is_signed ? bits - 1 : bits);
    const auto most = static_cast<Integer>(is_signed ? (1ull << (bits - 1)) - 1 : ~0ull);
    const auto least = static_cast<Integer>(is_signed ? ~most : 0);
    return rounded >= limit
               ? most
               : (rounded < (is_signed ? -limit : 0) ? least : static_cast<Integer>(rounded));
}
}  // namespace cpu_device

// Each in its four roundings: to nearest, to zero, up, down. Never contracted: the CPU device is
// compiled with -ffp-contract=off.
#define CPU_DEVICE_ROUNDINGS(function, ...)                                            \
    function(_rn, FE_TONEAREST, __VA_ARGS__) function(_rz, FE_TOWARDZERO, __VA_ARGS__) \
        function(_ru, FE_UPWARD, __VA_ARGS__) function(_rd, FE_DOWNWARD, __VA_ARGS__)
#define CPU_DEVICE_UNARY(suffix, mode, name, T, expression) \
    inline T name##suffix(T x) {                            \
        return cpu_device::rounded<T>(                      \
            mode, [](T a) { return expression; }, x);       \
    }
#define CPU_DEVICE_BINARY(suffix, mode, name, T, operation)      \
    inline T name##suffix(T x, T y) {                            \
        return cpu_device::rounded<T>(                           \
            mode, [](T a, T b) { return a operation b; }, x, y); \
    }
#define CPU_DEVICE_FMA(suffix, mode, name, T)                                \
    inline T name##suffix(T x, T y, T z) {                                   \
        return cpu_device::rounded<T>(                                       \
            mode, [](T a, T b, T c) { return std::fma(a, b, c); }, x, y, z); \
    }
CPU_DEVICE_ROUNDINGS(CPU_DEVICE_BINARY, __fadd, float, +)
CPU_DEVICE_ROUNDINGS(CPU_DEVICE_BINARY, __fsub, float, -)
CPU_DEVICE_ROUNDINGS(CPU_DEVICE_BINARY, __fmul, float, *)
CPU_DEVICE_ROUNDINGS(CPU_DEVICE_BINARY, __fdiv, float, /)
CPU_DEVICE_ROUNDINGS(CPU_DEVICE_UNARY, __frcp, float, 1 / a)
CPU_DEVICE_ROUNDINGS(CPU_DEVICE_UNARY, __fsqrt, float, std::sqrt(a))
CPU_DEVICE_ROUNDINGS(CPU_DEVICE_FMA, __fmaf, float)
CPU_DEVICE_ROUNDINGS(CPU_DEVICE_BINARY, __dadd, double, +)
CPU_DEVICE_ROUNDINGS(CPU_DEVICE_BINARY, __dsub, double, -)
CPU_DEVICE_ROUNDINGS(CPU_DEVICE_BINARY, __dmul, double, *)
CPU_DEVICE_ROUNDINGS(CPU_DEVICE_BINARY, __ddiv, double, /)
CPU_DEVICE_ROUNDINGS(CPU_DEVICE_UNARY, __drcp, double, 1 / a)
CPU_DEVICE_ROUNDINGS(CPU_DEVICE_UNARY, __dsqrt, double, std::sqrt(a))
CPU_DEVICE_ROUNDINGS(CPU_DEVICE_FMA, __fma, double)
#undef CPU_DEVICE_UNARY
#undef CPU_DEVICE_BINARY
#undef CPU_DEVICE_FMA

#define CPU_DEVICE_TO_INTEGER(name, Real, Integer)                      \
    inline Integer name##_rn(Real x) {                                  \
        return cpu_device::saturating_cast<Integer>(std::nearbyint(x)); \
    }                                                                   \
    inline Integer name##_rz(Real x) {                                  \
        return cpu_device::saturating_cast<Integer>(std::trunc(x));     \
    }                                                                   \
    inline Integer name##_ru(Real x) {                                  \
        return cpu_device::saturating_cast<Integer>(std::ceil(x));      \
    }                                                                   \
    inline Integer name##_rd(Real x) {                                  \
        return cpu_device::saturating_cast<Integer>(std::floor(x));     \
    }
CPU_DEVICE_TO_INTEGER(__float2int, float, int)
CPU_DEVICE_TO_INTEGER(__float2uint, float, unsigned)
CPU_DEVICE_TO_INTEGER(__float2ll, float, long long)
CPU_DEVICE_TO_INTEGER(__float2ull, float, unsigned long long)
CPU_DEVICE_TO_INTEGER(__double2int, double, int)
CPU_DEVICE_TO_INTEGER(__double2uint, double, unsigned)
CPU_DEVICE_TO_INTEGER(__double2ll, double, long long)
CPU_DEVICE_TO_INTEGER(__double2ull, double, unsigned long long)
#undef CPU_DEVICE_TO_INTEGER

#define CPU_DEVICE_CONVERSION(suffix, mode, name, From, To)      \
    inline To name##suffix(From x) {                             \
        return cpu_device::rounded<To>(                          \
            mode, [](From a) { return static_cast<To>(a); }, x); \
    }
CPU_DEVICE_ROUNDINGS(CPU_DEVICE_CONVERSION, __int2float, int, float)
CPU_DEVICE_ROUNDINGS(CPU_DEVICE_CONVERSION, __uint2float, unsigned, float)
CPU_DEVICE_ROUNDINGS(CPU_DEVICE_CONVERSION, __ll2float, long long, float)
CPU_DEVICE_ROUNDINGS(CPU_DEVICE_CONVERSION, __ull2float, unsigned long long, float)
CPU_DEVICE_ROUNDINGS(CPU_DEVICE_CONVERSION, __ll2double, long long, double)
CPU_DEVICE_ROUNDINGS(CPU_DEVICE_CONVERSION, __ull2double, unsigned long long, double)
CPU_DEVICE_ROUNDINGS(CPU_DEVICE_CONVERSION, __double2float, double, float)
CPU_DEVICE_CONVERSION(_rn, FE_TONEAREST, __int2double, int, double)
CPU_DEVICE_CONVERSION(_rn, FE_TONEAREST, __uint2double, unsigned, double)
#undef CPU_DEVICE_CONVERSION
#undef CPU_DEVICE_ROUNDINGS

// --- functions of real numbers --------------------------------------------------------------

// Approximations on a GPU; here, the C library's functions.
#define CPU_DEVICE_FAST(name, function) \
    inline float name(float x) {        \
        return std::function(x);        \
    }
CPU_DEVICE_FAST(__sinf, sin)
CPU_DEVICE_FAST(__cosf, cos)
CPU_DEVICE_FAST(__tanf, tan)
CPU_DEVICE_FAST(__expf, exp)
CPU_DEVICE_FAST(__logf, log)
CPU_DEVICE_FAST(__log2f, log2)
CPU_DEVICE_FAST(__log10f, log10)
#undef CPU_DEVICE_FAST
inline float __exp10f(float x) {
    return std::pow(10.0f, x);
}
inline float __powf(float x, float y) {
    return std::pow(x, y);
}
inline void __sincosf(float x, float* sine, float* cosine) {
    *sine = std::sin(x);
    *cosine = std::cos(x);
}
inline float __fdividef(float x, float y) {
    return x / y;
}
inline double fdivide(double x, double y) {
    return x / y;
}
inline float fdividef(float x, float y) {
    return x / y;
}
inline float __saturatef(float x) {
    return x > 0.0f ? (x < 1.0f ? x : 1.0f) : 0.0f;
}
inline float __frsqrt_rn(float x) {
    return static_cast<float>(1 / std::sqrt(static_cast<double>(x)));
}

namespace cpu_device {
// The inverse of erf: a first guess (Winitzki, "A handy approximation for the error function and
// its inverse"), then Newton's steps; near 1 with erfc, which keeps the digits that 1 - y has.
inline double inverse_erf(double y) {
    const double positive = std::fabs(y);
    if (!(positive < 1)) {
        return positive == 1 ? std::copysign(INFINITY, y) : NAN;
    }
    const double log = std::log1p(-positive * positive);
    const double half = 2 / (3.14159265358979323846 * 0.147) + log / 2;
    double x = std::sqrt(std::fmax(0.0, std::sqrt(half * half - log / 0.147) - half));
    x = positive < 1e-8 ? positive * 0.88622692545275801365 : x;  // half of the root of pi
    for (int i = 0; i < 4 && positive >= 1e-8; ++i) {
        const double error =
            positive < 0.5 ? std::erf(x) - positive : (1 - positive) - std::erfc(x);
        x -= error * 0.88622692545275801365 * std::exp(x * x);
    }
    return std::copysign(x, y);
}
// The inverse of erfc, whose small values have digits that 1 - y has not.
inline double inverse_erfc(double y) {
    if (!(y > 0 && y < 0.5)) {
        return inverse_erf(1 - y);
    }
    double x = std::sqrt(-std::log(y));  // a little too large
    for (int i = 0; i < 60; ++i) {
        const double step = (std::erfc(x) / y - 1) * y * 0.88622692545275801365 * std::exp(x * x);
        x += step;
        if (std::fabs(step) < 1e-15 * x) {
            break;
        }
    }
    return x;
}
// exp(x * x) * erfc(x); where erfc has no digits any more, its continued fraction.
inline double scaled_erfc(double x) {
    if (x < 10) {
        return std::exp(x * x) * std::erfc(x);
    }
    double fraction = x;
    for (int k = 30; k > 0; --k) {
        fraction = x + k / 2.0 / fraction;
    }
    return 0.56418958354775628695 / fraction;  // one by the root of pi
}
// The length of a vector, for which no square overflows.
template <typename T>
T length_of(int dimension, const T* x) {
    T length = 0;
    for (int i = 0; i < dimension; ++i) {
        length = std::hypot(length, x[i]);
    }
    return length;
}
}  // namespace cpu_device
inline double erfinv(double y) {
    return cpu_device::inverse_erf(y);
}
inline float erfinvf(float y) {
    return static_cast<float>(cpu_device::inverse_erf(y));
}
inline float erfinv(float y) {
    return erfinvf(y);
}

// Those that C does not have, for float and double; in C++ a float may go to the name without f.
#define CPU_DEVICE_REAL(suffix, T)                                                      \
    inline T rsqrt##suffix(T x) {                                                       \
        return 1 / std::sqrt(x);                                                        \
    }                                                                                   \
    inline T rcbrt##suffix(T x) {                                                       \
        return 1 / std::cbrt(x);                                                        \
    }                                                                                   \
    inline T rhypot##suffix(T x, T y) {                                                 \
        return 1 / std::hypot(x, y);                                                    \
    }                                                                                   \
    inline T norm3d##suffix(T x, T y, T z) {                                            \
        return std::hypot(x, y, z);                                                     \
    }                                                                                   \
    inline T rnorm3d##suffix(T x, T y, T z) {                                           \
        return 1 / std::hypot(x, y, z);                                                 \
    }                                                                                   \
    inline T normcdf##suffix(T x) {                                                     \
        return std::erfc(-x / std::sqrt(static_cast<T>(2))) / 2;                        \
    }                                                                                   \
    inline T erfcinv##suffix(T x) {                                                     \
        return static_cast<T>(cpu_device::inverse_erfc(x));                             \
    }                                                                                   \
    inline T normcdfinv##suffix(T x) {                                                  \
        return static_cast<T>(-M_SQRT2 * cpu_device::inverse_erfc(2.0 * x));            \
    }                                                                                   \
    inline T erfcx##suffix(T x) {                                                       \
        return static_cast<T>(cpu_device::scaled_erfc(x));                              \
    }                                                                                   \
    inline T norm##suffix(int dimension, const T* x) {                                  \
        return cpu_device::length_of(dimension, x);                                     \
    }                                                                                   \
    inline T rnorm##suffix(int dimension, const T* x) {                                 \
        return 1 / cpu_device::length_of(dimension, x);                                 \
    }                                                                                   \
    inline T norm4d##suffix(T x, T y, T z, T w) {                                       \
        return std::hypot(std::hypot(x, y), std::hypot(z, w));                          \
    }                                                                                   \
    inline T rnorm4d##suffix(T x, T y, T z, T w) {                                      \
        return 1 / norm4d##suffix(x, y, z, w);                                          \
    }                                                                                   \
    inline T cyl_bessel_i0##suffix(T x) {                                               \
        return std::cyl_bessel_i(static_cast<T>(0), std::fabs(x));                      \
    }                                                                                   \
    inline T cyl_bessel_i1##suffix(T x) {                                               \
        return std::copysign(std::cyl_bessel_i(static_cast<T>(1), std::fabs(x)), x);    \
    }                                                                                   \
    inline T sinpi##suffix(T x) {                                                       \
        const T part = std::remainder(x, static_cast<T>(2));                            \
        return std::fabs(part) == 1 ? 0 : std::sin(part * static_cast<T>(M_PI));        \
    }                                                                                   \
    inline T cospi##suffix(T x) {                                                       \
        const T part = std::fabs(std::remainder(x, static_cast<T>(2)));                 \
        return part == static_cast<T>(0.5) ? 0 : std::cos(part * static_cast<T>(M_PI)); \
    }                                                                                   \
    inline void sincospi##suffix(T x, T* sine, T* cosine) {                             \
        *sine = sinpi##suffix(x);                                                       \
        *cosine = cospi##suffix(x);                                                     \
    }
CPU_DEVICE_REAL(f, float)
CPU_DEVICE_REAL(, float)
CPU_DEVICE_REAL(, double)
#undef CPU_DEVICE_REAL

// Those of the C library that know double alone by this name.
inline void sincos(float x, float* sine, float* cosine) {
    sincosf(x, sine, cosine);
}
inline float j0(float x) {
    return j0f(x);
}
inline float j1(float x) {
    return j1f(x);
}
inline float jn(int n, float x) {
    return jnf(n, x);
}
inline float y0(float x) {
    return y0f(x);
}
inline float y1(float x) {
    return y1f(x);
}
inline float yn(int n, float x) {
    return ynf(n, x);
}

// --- min and max ----------------------------------------------------------------------------

// min and max in the global namespace, for every pair of types that CUDA has them for. A signed and
// an unsigned number are compared as unsigned ones, as C++ would.
#define CPU_DEVICE_MIN_MAX(Result, A, B)                                                 \
    constexpr Result min(A a, B b) {                                                     \
        return static_cast<Result>(b) < static_cast<Result>(a) ? static_cast<Result>(b)  \
                                                               : static_cast<Result>(a); \
    }                                                                                    \
    constexpr Result max(A a, B b) {                                                     \
        return static_cast<Result>(a) < static_cast<Result>(b) ? static_cast<Result>(b)  \
                                                               : static_cast<Result>(a); \
    }
#define CPU_DEVICE_MIN_MAX_INTEGER(Signed, Unsigned) \
    CPU_DEVICE_MIN_MAX(Signed, Signed, Signed)       \
    CPU_DEVICE_MIN_MAX(Unsigned, Unsigned, Unsigned) \
    CPU_DEVICE_MIN_MAX(Unsigned, Signed, Unsigned)   \
    CPU_DEVICE_MIN_MAX(Unsigned, Unsigned, Signed)
CPU_DEVICE_MIN_MAX_INTEGER(int, unsigned)
CPU_DEVICE_MIN_MAX_INTEGER(long, unsigned long)
CPU_DEVICE_MIN_MAX_INTEGER(long long, unsigned long long)
#undef CPU_DEVICE_MIN_MAX_INTEGER
#undef CPU_DEVICE_MIN_MAX

// A NaN gives way to the other number.
#define CPU_DEVICE_MIN_MAX_REAL(Result, A, B)                             \
    inline Result min(A a, B b) {                                         \
        return std::fmin(static_cast<Result>(a), static_cast<Result>(b)); \
    }                                                                     \
    inline Result max(A a, B b) {                                         \
        return std::fmax(static_cast<Result>(a), static_cast<Result>(b)); \
    }
CPU_DEVICE_MIN_MAX_REAL(float, float, float)
CPU_DEVICE_MIN_MAX_REAL(double, double, double)
CPU_DEVICE_MIN_MAX_REAL(double, float, double)
CPU_DEVICE_MIN_MAX_REAL(double, double, float)
#undef CPU_DEVICE_MIN_MAX_REAL

#define CPU_DEVICE_MIN_MAX_OF(prefix, T) \
    constexpr T prefix##min(T x, T y) {  \
        return y < x ? y : x;            \
    }                                    \
    constexpr T prefix##max(T x, T y) {  \
        return x < y ? y : x;            \
    }
CPU_DEVICE_MIN_MAX_OF(u, unsigned)
CPU_DEVICE_MIN_MAX_OF(ll, long long)
CPU_DEVICE_MIN_MAX_OF(ull, unsigned long long)
#undef CPU_DEVICE_MIN_MAX_OF
