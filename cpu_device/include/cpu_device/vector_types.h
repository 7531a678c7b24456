// CUDA's vector types with CUDA's alignment, their make_ functions, and dim3.
#pragma once

// A vector of two or four components is aligned to its size, up to 16 bytes; of one or three, to a
// component. float4 in one 16-byte load depends on it.
#define CPU_DEVICE_VECTOR_TYPES(T, name, align2, align4)   \
    struct name##1 {                                       \
        T x;                                               \
    };                                                     \
    struct alignas(align2) name##2 {                       \
        T x, y;                                            \
    };                                                     \
    struct name##3 {                                       \
        T x, y, z;                                         \
    };                                                     \
    struct alignas(align4) name##4 {                       \
        T x, y, z, w;                                      \
    };                                                     \
    constexpr name##1 make_##name##1(T x) {                \
        return {x};                                        \
    }                                                      \
    constexpr name##2 make_##name##2(T x, T y) {           \
        return {x, y};                                     \
    }                                                      \
    constexpr name##3 make_##name##3(T x, T y, T z) {      \
        return {x, y, z};                                  \
    }                                                      \
    constexpr name##4 make_##name##4(T x, T y, T z, T w) { \
        return {x, y, z, w};                               \
    }

CPU_DEVICE_VECTOR_TYPES(signed char, char, 2, 4)
CPU_DEVICE_VECTOR_TYPES(unsigned char, uchar, 2, 4)
CPU_DEVICE_VECTOR_TYPES(short, short, 4, 8)
CPU_DEVICE_VECTOR_TYPES(unsigned short, ushort, 4, 8)
CPU_DEVICE_VECTOR_TYPES(int, int, 8, 16)
CPU_DEVICE_VECTOR_TYPES(unsigned, uint, 8, 16)
CPU_DEVICE_VECTOR_TYPES(long, long, 16, 16)
CPU_DEVICE_VECTOR_TYPES(unsigned long, ulong, 16, 16)
CPU_DEVICE_VECTOR_TYPES(long long, longlong, 16, 16)
CPU_DEVICE_VECTOR_TYPES(unsigned long long, ulonglong, 16, 16)
CPU_DEVICE_VECTOR_TYPES(float, float, 8, 16)
CPU_DEVICE_VECTOR_TYPES(double, double, 16, 16)
#undef CPU_DEVICE_VECTOR_TYPES

struct dim3 {
    unsigned x, y, z;

    constexpr dim3(unsigned x_ = 1, unsigned y_ = 1, unsigned z_ = 1) : x(x_), y(y_), z(z_) {}
    // By reference: race mode sees no load of a class that is an argument as a whole.
    constexpr dim3(const uint3& v) : x(v.x), y(v.y), z(v.z) {}
    constexpr operator uint3() const { return {x, y, z}; }
};
