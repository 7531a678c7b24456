// CUDA's keywords. A kernel is a plain function here, and its memory is plain memory.
//
// Not here: __shared__ and __noinline__, which the rewriter handles (the standard library's headers
// say __attribute__((__noinline__)), so that one cannot be a macro).
#pragma once

#define __global__
#define __device__
#define __host__
#define __constant__
#define __managed__
#define __grid_constant__
#define __launch_bounds__(...)
#define __cluster_dims__(...)
#define __forceinline__ inline __attribute__((always_inline))
#define __align__(bytes) __attribute__((aligned(bytes)))
