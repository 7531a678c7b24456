// An addition that stays at the largest number instead of wrapping around: any function of the old
// value is one call of update_by_cas.
#pragma once

#include <cuda_runtime.h>

#include "atomic_functions/3_float_max_cas.cuh"
#include "atomic_functions/more/functions.cuh"

struct SaturatingAddByCas : SaturatingAdd {
    __device__ static unsigned apply(Scope, unsigned* word, unsigned value, unsigned) {
        return update_by_cas(word, [value](unsigned old) {
            return old > 0xffffffffu - value ? 0xffffffffu : old + value;
        });
    }
};
