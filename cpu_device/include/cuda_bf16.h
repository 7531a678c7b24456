// bfloat16: what the project needs of it.
#pragma once

#include "cuda_runtime.h"

#include "cpu_device/small_float.h"

using __nv_bfloat16 = cpu_device::SmallFloat<7, 8>;
using __nv_bfloat162 = cpu_device::SmallFloatPair<__nv_bfloat16>;
using nv_bfloat16 = __nv_bfloat16;
using nv_bfloat162 = __nv_bfloat162;

CPU_DEVICE_SMALL_FLOAT(__nv_bfloat16, __nv_bfloat162, __float2bfloat16, __bfloat162float,
                       __halves2bfloat162)

inline float __low2float(__nv_bfloat162 pair) {
    return pair.x;
}
inline float __high2float(__nv_bfloat162 pair) {
    return pair.y;
}
inline __nv_bfloat162 __floats2bfloat162_rn(float x, float y) {
    return {x, y};
}
inline float2 __bfloat1622float2(__nv_bfloat162 pair) {
    return {pair.x, pair.y};
}
inline unsigned short __bfloat16_as_ushort(__nv_bfloat16 value) {
    return value.bits;
}
inline __nv_bfloat16 __ushort_as_bfloat16(unsigned short bits) {
    __nv_bfloat16 value;
    value.bits = bits;
    return value;
}
