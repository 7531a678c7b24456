// Variant 4: open addressing. There are no chains: a pair goes into the first free slot from its
// key's home slot on.
//
// Source of the idea: Knuth, The Art of Computer Programming, volume 3, section 6.4; on GPUs:
// Alcantara et al., Real-time parallel hashing on the GPU, 2009.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

#include "common/error.cuh"
#include "common/launch.cuh"
#include "hash_table/slots.cuh"

// d_keys, d_values: n keys and their values; no value is no_value. d_slots: more than n slots, all
// empty before the launch. A grid of any size.
//
// atomicCAS takes a slot only if it is empty. Key and value are in one 64-bit word, so both come in
// one step. There are more slots than keys, so the loop ends; after the last slot comes slot 0.
//
// A key that comes m times fills m slots in a row, and the last pair is stored after m steps: m * m
// / 2 steps in all for that key.
__global__ void insert_linear_probing(const unsigned* d_keys, const unsigned* d_values,
                                      std::size_t n, Slot* d_slots, std::size_t slots) {
    const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
    for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += stride) {
        const Slot pair = make_slot(d_keys[i], d_values[i]);
        std::size_t at = home_slot(d_keys[i], slots);
        while (atomicCAS(&d_slots[at], empty_slot, pair) != empty_slot) {
            at = at + 1 < slots ? at + 1 : 0;
        }
    }
}

inline void launch_linear_probing(const unsigned* d_keys, const unsigned* d_values, std::size_t n,
                                  Slot* d_slots, std::size_t slots, int block_size) {
    CHECK(cudaMemsetAsync(d_slots, 0xff, slots * sizeof(Slot)));  // empty_slot
    const int grid_size = common::blocks_to_fill_device(n, block_size);
    insert_linear_probing<<<grid_size, block_size>>>(d_keys, d_values, n, d_slots, slots);
    CHECK_LAUNCH();
}
