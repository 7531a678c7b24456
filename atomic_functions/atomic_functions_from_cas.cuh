// A tour of atomic functions, third part: functions that the toolkit does not have. Whatever can be
// computed from the old value of 16, 32, 64 (or, from compute capability 9.0 on, 128) bits can be
// made atomic by a loop around atomicCAS.
//
//   double_add_cas      the loop that GPUs before compute capability 6.0 needed for doubles
//   saturating_add_cas  any function of the old value: the loop as a template
//   float_min_cas       ... with a rule for NaN
//   float_max_cas
//   float_min_bits      one instruction instead of a loop, since floats are ordered as their bits
//   float_max_bits
#pragma once

#include <cuda_runtime.h>

#include "atomic_functions/atomic_functions.cuh"
#include "atomic_functions/atomic_functions_all.cuh"

namespace {

// --- double_add_cas

// *word += value, in doubles. The toolkit has atomicAdd(double*, double) from compute capability
// 6.0 on. To write one of that name for older GPUs needs a guard, and those of the post (see "From
// the sources to here" in README.md) do not compile. __CUDA_ARCH__ is defined only while compiling
// for a GPU, and a name that is not defined is 0 in #if: so `#if __CUDA_ARCH__ < 600` is also true
// while compiling for the host, where the toolkit declares its own. Right is
//     #if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 600
// around the function, and nothing in any #else. Another name, as here, needs no guard at all.
__device__ double add_by_cas(double* word, double value) {
    auto* bits = reinterpret_cast<unsigned long long*>(word);
    unsigned long long old = load_relaxed(bits);
    unsigned long long assumed = 0;
    do {
        assumed = old;
        const double sum = __longlong_as_double(static_cast<long long>(assumed)) + value;
        old = atomicCAS(bits, assumed, static_cast<unsigned long long>(__double_as_longlong(sum)));
        // Compare the bits: as doubles a NaN equals nothing, and the loop would never end; and -0
        // equals +0, for which atomicCAS did not swap.
    } while (old != assumed);
    return __longlong_as_double(static_cast<long long>(old));
}

struct DoubleAddByCas : Add {
    template <Scope scope>
    __device__ static double apply(double* word, double value, double) {
        return add_by_cas(word, value);
    }
};

// --- saturating_add_cas

// *word = new_value(*word) as one step; returns the old value. T: int, unsigned or unsigned long
// long. new_value is called anew after each lost race, so it must do nothing but compute.
template <typename T, typename NewValue>
__device__ T update_by_cas(T* word, NewValue new_value) {
    T old = load_relaxed(word);
    while (true) {
        const T assumed = old;
        const T wanted = new_value(assumed);
        if (wanted == assumed) {
            return assumed;  // nothing to change: the atomic read was the whole step
        }
        old = atomicCAS(word, assumed, wanted);
        if (old == assumed) {
            return old;
        }
    }
}

struct SaturatingAddByCas : SaturatingAdd {
    template <Scope scope>
    __device__ static unsigned apply(unsigned* word, unsigned value, unsigned) {
        return update_by_cas(word, [value](unsigned old) {
            return old > 0xffffffffu - value ? 0xffffffffu : old + value;
        });
    }
};

// --- float_min_cas, float_max_cas

// atomicCAS takes no floats, so the loop works on their bits, and the function turns them into
// floats and back.
struct FloatMinByCas : FloatMin {
    template <Scope scope>
    __device__ static float apply(float* word, float value, float) {
        auto* bits = reinterpret_cast<unsigned*>(word);
        return __uint_as_float(update_by_cas(bits, [value](unsigned old) {
            const float number = __uint_as_float(old);
            return value < number || isnan(number) ? __float_as_uint(value) : old;
        }));
    }
};

struct FloatMaxByCas : FloatMax {
    template <Scope scope>
    __device__ static float apply(float* word, float value, float) {
        auto* bits = reinterpret_cast<unsigned*>(word);
        return __uint_as_float(update_by_cas(bits, [value](unsigned old) {
            const float number = __uint_as_float(old);
            return value > number || isnan(number) ? __float_as_uint(value) : old;
        }));
    }
};

// --- float_min_bits, float_max_bits

// The bits of floats from +0 up grow as the floats do, and as signed integers they lie above those
// of all negative floats: atomicMin on int. The bits of negative floats grow as the floats fall,
// and as unsigned integers they lie above those of all others: atomicMax on unsigned. The sign of
// the caller's value says which of the two; both leave what is smaller in the word. NaN is not
// special here: it counts as a number beyond the infinity of its sign.
struct FloatMinByBits : TotalMin {
    template <Scope scope>
    __device__ static float apply(float* word, float value, float) {
        if (__float_as_int(value) >= 0) {
            return __int_as_float(atomicMin(reinterpret_cast<int*>(word), __float_as_int(value)));
        }
        return __uint_as_float(
            atomicMax(reinterpret_cast<unsigned*>(word), __float_as_uint(value)));
    }
};

struct FloatMaxByBits : TotalMax {
    template <Scope scope>
    __device__ static float apply(float* word, float value, float) {
        if (__float_as_int(value) >= 0) {
            return __int_as_float(atomicMax(reinterpret_cast<int*>(word), __float_as_int(value)));
        }
        return __uint_as_float(
            atomicMin(reinterpret_cast<unsigned*>(word), __float_as_uint(value)));
    }
};

}  // namespace
