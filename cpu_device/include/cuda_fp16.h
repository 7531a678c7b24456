// half: what the project needs of it.
#pragma once

#include "cuda_runtime.h"

#include "cpu_device/small_float.h"

using __half = cpu_device::SmallFloat<10, 5>;
using __half2 = cpu_device::SmallFloatPair<__half>;
using half = __half;
using half2 = __half2;

CPU_DEVICE_SMALL_FLOAT(__half, __half2, __float2half, __half2float, __halves2half2)

inline float __low2float(__half2 pair) {
    return pair.x;
}
inline float __high2float(__half2 pair) {
    return pair.y;
}
inline __half2 __floats2half2_rn(float x, float y) {
    return {x, y};
}
inline float2 __half22float2(__half2 pair) {
    return {pair.x, pair.y};
}
inline unsigned short __half_as_ushort(__half value) {
    return value.bits;
}
inline __half __ushort_as_half(unsigned short bits) {
    __half value;
    value.bits = bits;
    return value;
}
