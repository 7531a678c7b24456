// Variant 3: no lock. One atomicExch puts an entry at the head of its chain.
//
// Source of the idea: the push of Treiber's stack (Treiber, Systems programming, 1986), without its
// retry: nothing is ever taken out here.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

#include "../common/error.cuh"
#include "../common/launch.cuh"
#include "chained_table.cuh"

// d_keys, d_values: n keys and their values. table: all heads are end_of_chain before the launch. A
// grid of any size.
//
// The exchange makes entry i the head and returns the head that was there, in one step: no other
// thread can come in between. No thread waits for another.
//
// The price: between the exchange and the store of `next` the chain is broken at entry i. So the
// chains may be read only after the launch, whose end puts all of its writes before what follows.
__global__ void insert_lock_free_push(const unsigned* d_keys, const unsigned* d_values,
                                      std::size_t n, ChainedTable table) {
    const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
    for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += stride) {
        const unsigned bucket = bucket_of(d_keys[i], table.buckets);
        const unsigned next = atomicExch(&table.d_heads[bucket], static_cast<unsigned>(i));
        table.d_pool[i] = {d_keys[i], d_values[i], next};
    }
}

inline void launch_lock_free_push(const unsigned* d_keys, const unsigned* d_values, std::size_t n,
                                  ChainedTable table, int block_size) {
    CHECK(cudaMemsetAsync(table.d_heads, 0xff, table.buckets * sizeof(unsigned)));  // end_of_chain
    const int grid_size = common::blocks_to_fill_device(n, block_size);
    insert_lock_free_push<<<grid_size, block_size>>>(d_keys, d_values, n, table);
    CHECK_LAUNCH();
}
