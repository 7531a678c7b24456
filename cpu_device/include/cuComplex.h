// Complex numbers of cuComplex.h: pairs with the real part in x.
#pragma once

#include "cuda_runtime.h"

using cuFloatComplex = float2;
using cuDoubleComplex = double2;
using cuComplex = cuFloatComplex;

inline cuFloatComplex make_cuFloatComplex(float real, float imaginary) {
    return {real, imaginary};
}
inline float cuCrealf(cuFloatComplex x) {
    return x.x;
}
inline float cuCimagf(cuFloatComplex x) {
    return x.y;
}
inline cuFloatComplex cuConjf(cuFloatComplex x) {
    return {x.x, -x.y};
}
inline cuFloatComplex cuCaddf(cuFloatComplex a, cuFloatComplex b) {
    return {a.x + b.x, a.y + b.y};
}
inline cuFloatComplex cuCsubf(cuFloatComplex a, cuFloatComplex b) {
    return {a.x - b.x, a.y - b.y};
}
inline cuFloatComplex cuCmulf(cuFloatComplex a, cuFloatComplex b) {
    return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};
}
// Both are scaled first, so that no square overflows.
inline cuFloatComplex cuCdivf(cuFloatComplex a, cuFloatComplex b) {
    const float scale = std::abs(b.x) + std::abs(b.y);
    const cuFloatComplex p{a.x / scale, a.y / scale}, q{b.x / scale, b.y / scale};
    const float length = q.x * q.x + q.y * q.y;
    return {(p.x * q.x + p.y * q.y) / length, (p.y * q.x - p.x * q.y) / length};
}
inline float cuCabsf(cuFloatComplex x) {
    return std::hypot(x.x, x.y);
}
// a * b + c
inline cuFloatComplex cuCfmaf(cuFloatComplex a, cuFloatComplex b, cuFloatComplex c) {
    return {-(a.y * b.y) + (a.x * b.x + c.x), a.y * b.x + (a.x * b.y + c.y)};
}

inline cuDoubleComplex make_cuDoubleComplex(double real, double imaginary) {
    return {real, imaginary};
}
inline double cuCreal(cuDoubleComplex x) {
    return x.x;
}
inline double cuCimag(cuDoubleComplex x) {
    return x.y;
}
inline cuDoubleComplex cuConj(cuDoubleComplex x) {
    return {x.x, -x.y};
}
inline cuDoubleComplex cuCadd(cuDoubleComplex a, cuDoubleComplex b) {
    return {a.x + b.x, a.y + b.y};
}
inline cuDoubleComplex cuCsub(cuDoubleComplex a, cuDoubleComplex b) {
    return {a.x - b.x, a.y - b.y};
}
inline cuDoubleComplex cuCmul(cuDoubleComplex a, cuDoubleComplex b) {
    return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};
}
// Both are scaled first, so that no square overflows.
inline cuDoubleComplex cuCdiv(cuDoubleComplex a, cuDoubleComplex b) {
    const double scale = std::abs(b.x) + std::abs(b.y);
    const cuDoubleComplex p{a.x / scale, a.y / scale}, q{b.x / scale, b.y / scale};
    const double length = q.x * q.x + q.y * q.y;
    return {(p.x * q.x + p.y * q.y) / length, (p.y * q.x - p.x * q.y) / length};
}
inline double cuCabs(cuDoubleComplex x) {
    return std::hypot(x.x, x.y);
}
// a * b + c
inline cuDoubleComplex cuCfma(cuDoubleComplex a, cuDoubleComplex b, cuDoubleComplex c) {
    return {-(a.y * b.y) + (a.x * b.x + c.x), a.y * b.x + (a.x * b.y + c.y)};
}

inline cuComplex make_cuComplex(float real, float imaginary) {
    return {real, imaginary};
}
inline cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex x) {
    return {x.x, x.y};
}
inline cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex x) {
    return {static_cast<float>(x.x), static_cast<float>(x.y)};
}
