// Wrong on purpose: the values are never copied to the device, as in CUDA by Example, appendix A.
// Its main() allocates dev_values and never fills it. Its check counts entries and looks at keys,
// so it finds nothing wrong.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

#include "common/error.cuh"
#include "hash_table/2_lock_without_turns.cuh"

// d_unset: room for n values.
inline void launch_values_never_copied(const unsigned* d_keys, unsigned* d_unset, std::size_t n,
                                       ChainedTable table, int* d_locks, int block_size) {
    CHECK(cudaMemsetAsync(d_unset, 0x7b, n * sizeof(unsigned)));  // what the memory held before
    const unsigned* d_values = d_unset;                           // wrong: values_never_copied
    launch_lock_without_turns(d_keys, d_values, n, table, d_locks, block_size);
}
