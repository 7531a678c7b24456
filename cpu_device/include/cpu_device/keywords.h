// CUDA's keywords, and what nvcc defines. A kernel is a plain function here, and its memory is
// plain memory.
//
// Not here: __shared__ and __noinline__, which the rewriter handles (the standard library's headers
// say __attribute__((__noinline__)), so that one cannot be a macro).
#pragma once

#define __CUDACC__ 1
#define __CUDACC_VER_MAJOR__ 13
#define __CUDACC_VER_MINOR__ 0
#define __CUDA_ARCH_LIST__ 900  // __CUDA_ARCH__ itself is for device functions alone: see `compile`
#define __DRIVER_TYPES_H__      // the guards of CUDA's own headers, which some sources look at
#define __CUDA_RUNTIME_H__
#define __CUDA_RUNTIME_API_H__

// Thrust, where it is installed, runs its serial algorithms.
#ifndef THRUST_DEVICE_SYSTEM
#define THRUST_DEVICE_SYSTEM THRUST_DEVICE_SYSTEM_CPP
#endif

#define __global__ __attribute__(())  // no attribute: a mark that the rewriter sees
#ifdef CPU_DEVICE_REWRITES            // who sees these marks, and takes them away
#define __device__ __device__
#define __host__ __host__
#define __constant__ __constant__
#define __managed__ __managed__
#define __launch_bounds__(...) __launch_bounds__(__VA_ARGS__)
#else
#define __device__
#define __host__
#define __constant__
#define __managed__
#define __launch_bounds__(...)
#endif
#define __grid_constant__
#define __maxnreg__(registers)
#define __forceinline__ inline __attribute__((always_inline))
#define __align__(bytes) __attribute__((aligned(bytes)))
#define __builtin_align__(bytes) __align__(bytes)
#define __builtin_assume(condition) ((condition) ? (void)0 : __builtin_unreachable())
#define CUDART_CB
