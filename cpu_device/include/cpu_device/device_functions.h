// Device functions: barriers, warp functions, fences, and the arithmetic intrinsics.
#pragma once

#include <math.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <ctime>

#include "cpu_device/runtime.h"

// --- barriers and fences --------------------------------------------------------------------

inline int __syncthreads_count(int predicate, cpu_device::Place place = {}) {
    return static_cast<int>(
        cpu_device::block_barrier(predicate != 0, place.file, place.line, place.function));
}
inline void __syncthreads(cpu_device::Place place = {}) {
    __syncthreads_count(0, place);
}
inline int __syncthreads_or(int predicate, cpu_device::Place place = {}) {
    return __syncthreads_count(predicate != 0, place) != 0;
}
inline int __syncthreads_and(int predicate, cpu_device::Place place = {}) {
    return __syncthreads_count(predicate == 0, place) == 0;
}

inline void __threadfence_block() {
    cpu_device::memory_fence(cpu_device::Order::seq_cst, cpu_device::Scope::block);
}
inline void __threadfence() {
    cpu_device::memory_fence(cpu_device::Order::seq_cst, cpu_device::Scope::device);
}
inline void __threadfence_system() {
    cpu_device::memory_fence(cpu_device::Order::seq_cst, cpu_device::Scope::system);
}

inline void __nanosleep(unsigned, cpu_device::Place place = {}) {
    cpu_device::give_way(place);
}

// --- warp functions -------------------------------------------------------------------------

namespace cpu_device {

// The lane of the calling thread: its number in the block, x first, modulo 32.
inline int lane() {
    const unsigned thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    return static_cast<int>(thread % 32);
}

inline std::uint64_t warp_function(WarpOp op, unsigned mask, std::uint64_t value, unsigned source,
                                   const Place& place) {
    return warp_function(op, mask, value, source, place.file, place.line, place.function);
}

template <typename T>
T shuffle(unsigned mask, T value, int source, Place place) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof value);
    bits = warp_function(WarpOp::shuffle, mask, bits, static_cast<unsigned>(source), place);
    std::memcpy(&value, &bits, sizeof value);
    return value;
}

// The lane that each kind of shuffle reads. Outside the segment of `width` lanes: one's own.
inline int shuffle_source(int source_lane, int width) {
    return (lane() & ~(width - 1)) | (source_lane & (width - 1));
}
inline int shuffle_up_source(unsigned delta, int width) {
    const int source = lane() - static_cast<int>(delta);
    return source < (lane() & ~(width - 1)) ? lane() : source;
}
inline int shuffle_down_source(unsigned delta, int width) {
    const int source = lane() + static_cast<int>(delta);
    return source > (lane() | (width - 1)) ? lane() : source;
}
inline int shuffle_xor_source(int lane_mask, int width) {
    const int source = lane() ^ lane_mask;
    return source > (lane() | (width - 1)) ? lane() : source;
}

}  // namespace cpu_device

#define CPU_DEVICE_SHUFFLES(T)                                                                     \
    inline T __shfl_sync(unsigned mask, T value, int source, int width = warpSize,                 \
                         cpu_device::Place place = {}) {                                           \
        return cpu_device::shuffle(mask, value, cpu_device::shuffle_source(source, width), place); \
    }                                                                                              \
    inline T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = warpSize,          \
                            cpu_device::Place place = {}) {                                        \
        return cpu_device::shuffle(mask, value, cpu_device::shuffle_up_source(delta, width),       \
                                   place);                                                         \
    }                                                                                              \
    inline T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = warpSize,        \
                              cpu_device::Place place = {}) {                                      \
        return cpu_device::shuffle(mask, value, cpu_device::shuffle_down_source(delta, width),     \
                                   place);                                                         \
    }                                                                                              \
    inline T __shfl_xor_sync(unsigned mask, T value, int lane_mask, int width = warpSize,          \
                             cpu_device::Place place = {}) {                                       \
        return cpu_device::shuffle(mask, value, cpu_device::shuffle_xor_source(lane_mask, width),  \
                                   place);                                                         \
    }
#define CPU_DEVICE_MATCHES(T)                                                                \
    inline unsigned __match_any_sync(unsigned mask, T value, cpu_device::Place place = {}) { \
        return cpu_device::match(cpu_device::WarpOp::match_any, mask, value, place);         \
    }                                                                                        \
    inline unsigned __match_all_sync(unsigned mask, T value, int* all_equal,                 \
                                     cpu_device::Place place = {}) {                         \
        const unsigned lanes =                                                               \
            cpu_device::match(cpu_device::WarpOp::match_all, mask, value, place);            \
        *all_equal = lanes != 0;                                                             \
        return lanes;                                                                        \
    }

namespace cpu_device {
template <typename T>
unsigned match(WarpOp op, unsigned mask, T value, Place place) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof value);
    return static_cast<unsigned>(warp_function(op, mask, bits, 0, place));
}
}  // namespace cpu_device

#define CPU_DEVICE_FOR_EACH_TYPE(function)                                                      \
    function(int) function(unsigned) function(long) function(unsigned long) function(long long) \
        function(unsigned long long) function(float) function(double)
CPU_DEVICE_FOR_EACH_TYPE(CPU_DEVICE_SHUFFLES)
CPU_DEVICE_FOR_EACH_TYPE(CPU_DEVICE_MATCHES)
#undef CPU_DEVICE_FOR_EACH_TYPE
#undef CPU_DEVICE_SHUFFLES
#undef CPU_DEVICE_MATCHES

inline void __syncwarp(unsigned mask = 0xffffffffu, cpu_device::Place place = {}) {
    cpu_device::warp_function(cpu_device::WarpOp::sync, mask, 0, 0, place);
}
inline unsigned __ballot_sync(unsigned mask, int predicate, cpu_device::Place place = {}) {
    return static_cast<unsigned>(
        cpu_device::warp_function(cpu_device::WarpOp::ballot, mask, predicate != 0, 0, place));
}
inline int __any_sync(unsigned mask, int predicate, cpu_device::Place place = {}) {
    return __ballot_sync(mask, predicate != 0, place) != 0;
}
inline int __all_sync(unsigned mask, int predicate, cpu_device::Place place = {}) {
    return __ballot_sync(mask, predicate == 0, place) == 0;
}
inline unsigned __activemask(cpu_device::Place place = {}) {
    return cpu_device::active_mask(place);
}

#define CPU_DEVICE_REDUCE(name, T, op)                                                   \
    inline T name(unsigned mask, T value, cpu_device::Place place = {}) {                \
        return static_cast<T>(cpu_device::warp_function(                                 \
            cpu_device::WarpOp::op, mask, static_cast<std::uint64_t>(value), 0, place)); \
    }
CPU_DEVICE_REDUCE(__reduce_add_sync, int, reduce_add)
CPU_DEVICE_REDUCE(__reduce_add_sync, unsigned, reduce_add)
CPU_DEVICE_REDUCE(__reduce_min_sync, int, reduce_min)
CPU_DEVICE_REDUCE(__reduce_min_sync, unsigned, reduce_min)
CPU_DEVICE_REDUCE(__reduce_max_sync, int, reduce_max)
CPU_DEVICE_REDUCE(__reduce_max_sync, unsigned, reduce_max)
CPU_DEVICE_REDUCE(__reduce_and_sync, unsigned, reduce_and)
CPU_DEVICE_REDUCE(__reduce_or_sync, unsigned, reduce_or)
CPU_DEVICE_REDUCE(__reduce_xor_sync, unsigned, reduce_xor)
#undef CPU_DEVICE_REDUCE

// --- time -----------------------------------------------------------------------------------

// Nanoseconds, where a GPU counts cycles.
inline long long clock64() {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000000000LL + now.tv_nsec;
}

inline void __trap(cpu_device::Place place = {}) {
    cpu_device::trap(place);
}

// --- loads and stores with a cache hint -----------------------------------------------------

#define CPU_DEVICE_LOAD(name)         \
    template <typename T>             \
    inline T name(const T* address) { \
        return *address;              \
    }
#define CPU_DEVICE_STORE(name)              \
    template <typename T>                   \
    inline void name(T* address, T value) { \
        *address = value;                   \
    }
CPU_DEVICE_LOAD(__ldg)
CPU_DEVICE_LOAD(__ldca)
CPU_DEVICE_LOAD(__ldcg)
CPU_DEVICE_LOAD(__ldcs)
CPU_DEVICE_LOAD(__ldlu)
CPU_DEVICE_LOAD(__ldcv)
CPU_DEVICE_STORE(__stwb)
CPU_DEVICE_STORE(__stcg)
CPU_DEVICE_STORE(__stcs)
CPU_DEVICE_STORE(__stwt)
#undef CPU_DEVICE_LOAD
#undef CPU_DEVICE_STORE

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

// --- arithmetic -----------------------------------------------------------------------------

// Rounded to nearest and never contracted: the CPU device is compiled with -ffp-contract=off.
inline float __fadd_rn(float x, float y) {
    return x + y;
}
inline float __fsub_rn(float x, float y) {
    return x - y;
}
inline float __fmul_rn(float x, float y) {
    return x * y;
}
inline float __fdiv_rn(float x, float y) {
    return x / y;
}
inline float __fsqrt_rn(float x) {
    return std::sqrt(x);
}
inline float __fmaf_rn(float x, float y, float z) {
    return std::fma(x, y, z);
}
inline double __dadd_rn(double x, double y) {
    return x + y;
}
inline double __dsub_rn(double x, double y) {
    return x - y;
}
inline double __dmul_rn(double x, double y) {
    return x * y;
}
inline double __ddiv_rn(double x, double y) {
    return x / y;
}
inline double __dsqrt_rn(double x) {
    return std::sqrt(x);
}
inline double __fma_rn(double x, double y, double z) {
    return std::fma(x, y, z);
}
inline float __fdividef(float x, float y) {
    return x / y;
}
inline float rsqrtf(float x) {
    return 1.0f / std::sqrt(x);
}
inline double rsqrt(double x) {
    return 1.0 / std::sqrt(x);
}
inline float __saturatef(float x) {
    return x > 0.0f ? (x < 1.0f ? x : 1.0f) : 0.0f;
}
inline long long __double2ll_rn(double x) {
    return std::llrint(x);
}
inline int __float2int_rn(float x) {
    return static_cast<int>(std::lrint(x));
}
inline float __int2float_rn(int x) {
    return static_cast<float>(x);
}
inline float __double2float_rn(double x) {
    return static_cast<float>(x);
}
inline unsigned __umulhi(unsigned x, unsigned y) {
    return static_cast<unsigned>(static_cast<std::uint64_t>(x) * y >> 32);
}
inline unsigned long long __umul64hi(unsigned long long x, unsigned long long y) {
    __extension__ using Product = unsigned __int128;
    return static_cast<unsigned long long>(static_cast<Product>(x) * y >> 64);
}

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
