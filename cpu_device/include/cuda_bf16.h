// bfloat16 and bfloat162: all that CUDA's header of this name documents.
#pragma once

#include "cuda_runtime.h"

#include "cuda_fp16.h"

#include "cpu_device/small_float.h"

struct alignas(2) __nv_bfloat16_raw {
    unsigned short x;
};
struct alignas(4) __nv_bfloat162_raw {
    unsigned short x, y;
};

using __nv_bfloat16 = cpu_device::SmallFloat<__nv_bfloat16_raw, 7, 8>;
using __nv_bfloat162 = cpu_device::SmallFloatPair<__nv_bfloat16, __nv_bfloat162_raw>;
using nv_bfloat16 = __nv_bfloat16;
using nv_bfloat162 = __nv_bfloat162;

#define FORMAT bfloat16
#define SMALL __nv_bfloat16
#define PAIR __nv_bfloat162
#include "cpu_device/small_float_functions.inc"

#define CUDART_INF_BF16 __ushort_as_bfloat16(0x7f80)
#define CUDART_NAN_BF16 __ushort_as_bfloat16(0x7fff)
#define CUDART_MIN_DENORM_BF16 __ushort_as_bfloat16(0x0001)
#define CUDART_MAX_NORMAL_BF16 __ushort_as_bfloat16(0x7f7f)
#define CUDART_NEG_ZERO_BF16 __ushort_as_bfloat16(0x8000)
#define CUDART_ZERO_BF16 __ushort_as_bfloat16(0x0000)
#define CUDART_ONE_BF16 __ushort_as_bfloat16(0x3f80)
