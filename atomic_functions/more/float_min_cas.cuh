// The minimum of floats: 3_float_max_cas.cuh with < for >.
#pragma once

#include <cuda_runtime.h>

#include "atomic_functions/3_float_max_cas.cuh"
#include "atomic_functions/more/functions.cuh"

struct FloatMinByCas : FloatMin {
    __device__ static float apply(Scope, float* word, float value, float) {
        auto* bits = reinterpret_cast<unsigned*>(word);
        return __uint_as_float(update_by_cas(bits, [value](unsigned old) {
            const float number = __uint_as_float(old);
            return value < number || isnan(number) ? __float_as_uint(value) : old;
        }));
    }
};
