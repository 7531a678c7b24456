// Minimum and maximum of floats by one instruction instead of a loop, since the bits of floats are
// nearly in order. README.md beside this file has a picture.
#pragma once

#include <cuda_runtime.h>

#include "atomic_functions/more/functions.cuh"

// Read as `int`, the bits of floats from +0 up are in order, and above those of all negative
// floats: atomicMin on int. Read as `unsigned`, the bits of negative floats are in reverse order,
// and above those of all others: atomicMax on unsigned. The sign of the caller's value says which
// of the two to use; both leave the smaller float in the word. NaN is no exception here: it counts
// as a number beyond the infinity of its sign.
struct FloatMinByBits : TotalMin {
    __device__ static float apply(Scope, float* word, float value, float) {
        if (__float_as_int(value) >= 0) {
            return __int_as_float(atomicMin(reinterpret_cast<int*>(word), __float_as_int(value)));
        }
        return __uint_as_float(
            atomicMax(reinterpret_cast<unsigned*>(word), __float_as_uint(value)));
    }
};

struct FloatMaxByBits : TotalMax {
    __device__ static float apply(Scope, float* word, float value, float) {
        if (__float_as_int(value) >= 0) {
            return __int_as_float(atomicMax(reinterpret_cast<int*>(word), __float_as_int(value)));
        }
        return __uint_as_float(
            atomicMin(reinterpret_cast<unsigned*>(word), __float_as_uint(value)));
    }
};
