#!/usr/bin/env bash
# The guards under which one may define atomicAdd(double*, double) beside the toolkit's own, as the
# notes of atomic_functions tell it: the three in print do not compile, the two others do.
# Usage: double_add_guard_test.sh NVCC
set -eu
nvcc=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failures=0

# try yes|no GUARD: does a definition between GUARD and #endif compile? (It need not add well.)
try() {
    local expected=$1 guard=$2 got=yes
    printf '%s\n' "$guard" \
        '__device__ double atomicAdd(double* word, double value) { return *word + value; }' \
        '#endif' \
        '__global__ void use(double* d_x) { atomicAdd(d_x, 1.0); }' >"$scratch/guard.cu"
    "$nvcc" -arch=sm_75 -c "$scratch/guard.cu" -o "$scratch/guard.o" \
        >"$scratch/output" 2>&1 || got=no
    if [ $got != "$expected" ]; then
        echo "FAILED: compiles: $got, expected $expected, under"
        echo "$guard"
        cat "$scratch/output"
        failures=$((failures + 1))
    fi
}

try no '#if 1'
try no '#if __CUDA_ARCH__ < 600'
try no $'#if !define (__CUDA_ARCH__) || __CUDA_ARCH__ >= 600\n#else'
try yes $'#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 600\n#else'
try yes '#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 600'
[ $failures = 0 ] && echo "all five guards as told"
exit $((failures > 0))
