// The table of open addressing, as kernels and host share it: one array of slots, a pair in each.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

#include "hash_table/chained_table.cuh"

// A slot: the key in the upper 32 bits, the value in the lower. No pair has the value no_value, so
// an empty slot differs from every pair, whatever the key: 0 and 0xffffffff are keys like any
// other.
using Slot = unsigned long long;
constexpr Slot empty_slot = ~Slot{0};

__host__ __device__ inline Slot make_slot(unsigned key, unsigned value) {
    return Slot{key} << 32 | value;
}
__host__ __device__ inline unsigned key_of(Slot slot) {
    return static_cast<unsigned>(slot >> 32);
}
__host__ __device__ inline unsigned key_of(unsigned key) {  // of a key without a value
    return key;
}
__host__ __device__ inline unsigned value_of(Slot slot) {
    return static_cast<unsigned>(slot);
}

// Each bit of the key changes about half of the bits of the result. Open addressing needs that:
// without it, consecutive keys would fill consecutive slots.
// Source: the finalizer of MurmurHash3, Austin Appleby.
__host__ __device__ inline unsigned mix_bits(unsigned key) {
    key ^= key >> 16;
    key *= 0x85ebca6bu;
    key ^= key >> 13;
    key *= 0xc2b2ae35u;
    key ^= key >> 16;
    return key;
}

// The slot at which the search for a key begins: floor(mix_bits(key) / 2^32 * slots), by
// multiplications and a shift. Of more than 2^32 slots the whole product would not fit 64 bits.
// Source: Lemire, Fast random integer generation in an interval.
__host__ __device__ inline std::size_t home_slot(unsigned key, std::size_t slots) {
    const unsigned long long mixed = mix_bits(key);
    return mixed * (slots >> 32) + ((mixed * (slots & 0xffffffffu)) >> 32);
}
