// The one distance test that the CPU and every kernel call.
#pragma once

#include <cuda_runtime.h>  // __host__ __device__

#include <cmath>

// The square of the distance of two atoms, in angstrom squared.
//
// Host and device must agree bit for bit. nvcc turns a * b + c into a fused multiply-add, which
// rounds once instead of twice; then some pairs at the cutoff get another verdict than in plain
// C++. So std::fma is written out here. The result is symmetric: x2 - x1 and x1 - x2 differ only in
// sign.
template <typename T>
__host__ __device__ inline T squared_distance(T x1, T y1, T x2, T y2) {
    const T x12 = x2 - x1;
    const T y12 = y2 - y1;
    return std::fma(x12, x12, y12 * y12);
}

// Is the distance of two atoms less than the cutoff? Strictly less, as in the code of Fan, CUDA
// Programming, section 9.3. cutoff_squared is cutoff * cutoff, rounded to T.
//
// Most pairs are too far apart in y alone, and the first half of the test is enough for them. It
// changes no verdict, since rounding keeps order: fma(x12, x12, y) is never less than y.
template <typename T>
__host__ __device__ inline bool within_cutoff(T x1, T y1, T x2, T y2, T cutoff_squared) {
    const T y12 = y2 - y1;
    return y12 * y12 < cutoff_squared && squared_distance(x1, y1, x2, y2) < cutoff_squared;
}
