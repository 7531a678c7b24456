// block_chains_locked_head with coalesced stores of the entries.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

#include "hash_table/fast/block_chains_locked_head.cuh"

inline void launch_block_chains_coalesced(const unsigned* d_keys, const unsigned* d_values,
                                          std::size_t n, ChainedTable table) {
    launch_block_chains<true>(d_keys, d_values, n, table, AppendToLockedHead{});
}
