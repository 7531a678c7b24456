// atomicAdd of doubles by the loop of 2_cas_loop_add.cuh: what GPUs before compute capability 6.0
// needed.
//
// Source of the idea: Fan, CUDA Programming, section 9.2; CUDA C++ Programming Guide, "Atomic
// Functions".
#pragma once

#include <cuda_runtime.h>

#include "atomic_functions/2_cas_loop_add.cuh"
#include "atomic_functions/more/functions.cuh"

// *word += value. The toolkit has atomicAdd(double*, double) from compute capability 6.0 on. A
// function of that name for older GPUs needs a guard. __CUDA_ARCH__ is defined only while nvcc
// compiles for a GPU, and in #if a name that is not defined is 0: so `#if __CUDA_ARCH__ < 600` is
// also true while nvcc compiles for the host, for which the toolkit declares its own. Right is
//     #if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 600
// around the function, and nothing in any #else. Another name, as here, needs no guard.
__device__ inline double add_by_cas(double* word, double value) {
    auto* bits = reinterpret_cast<unsigned long long*>(word);
    unsigned long long old = load_relaxed(bits);
    unsigned long long assumed = 0;
    do {
        assumed = old;
        const double sum = __longlong_as_double(static_cast<long long>(assumed)) + value;
        old = atomicCAS(bits, assumed, static_cast<unsigned long long>(__double_as_longlong(sum)));
        // Compare the bits. As doubles, a NaN equals nothing, and the loop would never end; and -0
        // equals +0, although atomicCAS has not swapped.
    } while (old != assumed);
    return __longlong_as_double(static_cast<long long>(old));
}

struct DoubleAddByCas : Add {
    __device__ static double apply(Scope, double* word, double value, double) {
        return add_by_cas(word, value);
    }
};
