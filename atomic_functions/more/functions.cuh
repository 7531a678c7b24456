// All eleven atomic functions, on every type for which the toolkit declares them, at device, block
// and system scope.
//
// A scope says for which threads the function is one step: those of one block (atomicAdd_block), of
// one GPU (atomicAdd), or of all GPUs and the host (atomicAdd_system). For threads outside the
// scope the operation may fall apart into a read and a write. A wider scope is never wrong, and may
// cost more.
//
// Source: CUDA C++ Programming Guide, "Atomic Functions"; Fan, CUDA Programming, section 9.2.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

#include "atomic_functions/more/functions_cpu.hpp"
#include "atomic_functions/more/operation.cuh"
#include "common/compiled_for.cuh"
#include "common/error.cuh"
#include "common/launch.cuh"

// AtomicAdd is Add, the reference in functions_cpu.hpp, with the call that does it on the device;
// and so on. Where the program is compiled for a GPU that lacks the function, apply() is never
// called: the table skips the row.
#define ATOMIC_FUNCTION(Function, call, ...)                                                       \
    struct Atomic##Function : Function {                                                           \
        template <typename T>                                                                      \
        __device__ static T apply([[maybe_unused]] Scope scope, [[maybe_unused]] T* word, T value, \
                                  [[maybe_unused]] T compare) {                                    \
            if constexpr (WordType<T>::needs_90 && !common::compiled_for_90) {                     \
                return value;                                                                      \
            } else {                                                                               \
                if constexpr (WordType<T>::at_all_scopes) {                                        \
                    if (scope == Scope::block) {                                                   \
                        return call##_block(word, __VA_ARGS__);                                    \
                    }                                                                              \
                    if (scope == Scope::system) {                                                  \
                        return call##_system(word, __VA_ARGS__);                                   \
                    }                                                                              \
                }                                                                                  \
                return call(word, __VA_ARGS__);                                                    \
            }                                                                                      \
        }                                                                                          \
    }
ATOMIC_FUNCTION(Add, atomicAdd, value);
ATOMIC_FUNCTION(Sub, atomicSub, value);
ATOMIC_FUNCTION(Exch, atomicExch, value);
ATOMIC_FUNCTION(Min, atomicMin, value);
ATOMIC_FUNCTION(Max, atomicMax, value);
ATOMIC_FUNCTION(Inc, atomicInc, value);
ATOMIC_FUNCTION(Dec, atomicDec, value);
ATOMIC_FUNCTION(Cas, atomicCAS, compare, value);
ATOMIC_FUNCTION(And, atomicAnd, value);
ATOMIC_FUNCTION(Or, atomicOr, value);
ATOMIC_FUNCTION(Xor, atomicXor, value);
#undef ATOMIC_FUNCTION

// Thread i applies Function to the word that it shares: with all threads, or at block scope with
// those of its own block.
//
// d_words: one word, or at block scope one per block, with start values. d_values, d_compares: n
// operands each. d_olds: n words, each thread's old value.
template <typename Function, typename T>
__global__ void apply_function(Scope scope, T* d_words, const T* d_values, const T* d_compares,
                               std::size_t n, T* d_olds) {
    const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    T* word = scope == Scope::block ? d_words + blockIdx.x : d_words;
    if (i < n) {
        d_olds[i] = Function::apply(scope, word, d_values[i], d_compares[i]);
    }
}

// Launches apply_function() of any function on a T: one piece of code for all of them, since each
// launch takes time to compile.
template <typename T>
void launch_on_words(void (*kernel)(Scope, T*, const T*, const T*, std::size_t, T*), Scope scope,
                     T* d_words, const T* d_values, const T* d_compares, std::size_t n, T* d_olds,
                     int block_size) {
    const int grid_size = common::blocks_to_cover(n, block_size);
    kernel<<<grid_size, block_size>>>(scope, d_words, d_values, d_compares, n, d_olds);
    CHECK_LAUNCH();
}

template <typename Function, typename T>
void launch_function(Scope scope, T* d_words, const T* d_values, const T* d_compares, std::size_t n,
                     T* d_olds, int block_size) {
    launch_on_words(apply_function<Function, T>, scope, d_words, d_values, d_compares, n, d_olds,
                    block_size);
}
