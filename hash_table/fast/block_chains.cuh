// Block chains: aggregation in shared memory before the global update, as in privatized histograms,
// applied to lists. Each block links its keys to chains of its own in shared memory, one per
// bucket. Then it appends each of these block chains to the bucket's chain: one visit to the bucket
// per block, not per key.
//
// This file has what the block_chains_ variants share. They differ in how a block chain is
// appended, and in how the entries are stored.
//
// Source of the idea: ECE408, lecture 18 (privatization).
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "common/block_reduce.cuh"
#include "common/error.cuh"
#include "common/launch.cuh"
#include "common/shared_memory.cuh"
#include "hash_table/chained_table.cuh"

// Every block has chains for all buckets, so there are few blocks, and these are as large as can
// be: one per multiprocessor.
constexpr int chains_block_size = 1024;

inline int chains_grid_size(std::size_t n) {
    return std::min(common::blocks_to_cover(n, chains_block_size), common::multiprocessor_count());
}

// Four numbers are read by one 16-byte load; four entries are three times four numbers.
struct alignas(16) FourNumbers {
    unsigned number[4];
};

__device__ inline FourNumbers load_four(const unsigned* d_numbers) {
    if (reinterpret_cast<std::uintptr_t>(d_numbers) % sizeof(FourNumbers) == 0) {
        return *reinterpret_cast<const FourNumbers*>(d_numbers);
    }
    return {{d_numbers[0], d_numbers[1], d_numbers[2], d_numbers[3]}};
}

// A block's chains in shared memory, one per bucket.
struct BlockChains {
    unsigned* s_first;    // the first entry, or end_of_chain
    unsigned* s_last;     // the last entry, or end_of_chain
    FourNumbers* s_rows;  // 3 per thread, for coalesced stores; else unused
};

// Dynamic shared memory of a block: two words per bucket, and the rows of its threads.
inline std::size_t chains_bytes(unsigned buckets, bool coalesced) {
    const std::size_t row_bytes = coalesced ? 3 * chains_block_size * sizeof(FourNumbers) : 0;
    return row_bytes + 2 * std::size_t{buckets} * sizeof(unsigned);
}

// The most buckets whose block chains fit shared memory: without coalesced stores in the 48 KiB
// that every GPU gives, with them in what one may ask for.
inline std::size_t max_chain_buckets(bool coalesced) {
    const std::size_t bytes = coalesced ? common::max_shared_memory() : 48 * 1024;
    return (bytes - chains_bytes(0, coalesced)) / chains_bytes(1, false);
}

// The block's chains in its dynamic shared memory, all of them empty.
template <bool coalesced>
__device__ BlockChains empty_block_chains(unsigned buckets) {
    auto* s_rows = common::dynamic_shared<FourNumbers>();
    auto* s_first = reinterpret_cast<unsigned*>(s_rows + (coalesced ? 3 * chains_block_size : 0));
    for (unsigned bucket = threadIdx.x; bucket < 2 * buckets; bucket += blockDim.x) {
        s_first[bucket] = end_of_chain;
    }
    __syncthreads();  // all chains are empty before the first entry comes
    return {s_first, s_first + buckets, s_rows};
}

// Puts an entry at the head of its block chain, by the exchange of lock_free_push. Returns the
// entry's `next`. The entry that comes first stays the last of the chain.
__device__ inline unsigned push_in_block(const BlockChains& chains, unsigned bucket,
                                         unsigned entry) {
    const unsigned next = atomicExch(&chains.s_first[bucket], entry);
    if (next == end_of_chain) {
        chains.s_last[bucket] = entry;
    }
    return next;
}

// Stores a thread's four entries in the pool: three 16-byte stores.
//
// Without `coalesced` the lanes of a warp store 48 bytes apart: each store touches 32 sectors of 32
// bytes and fills one half of each. With `coalesced` the lanes first exchange their entries in
// shared memory, so that each store fills 16 whole sectors.
template <bool coalesced>
__device__ void store_entries(const FourNumbers (&rows)[3], std::size_t group, std::size_t groups,
                              FourNumbers* s_rows, Entry* d_pool) {
    auto* d_rows = reinterpret_cast<FourNumbers*>(d_pool);
    const unsigned lane = threadIdx.x % common::warp_size;
    const std::size_t first_group = group - lane;  // of the warp
    if (coalesced && first_group + common::warp_size <= groups) {
        FourNumbers* s_warp = s_rows + 3 * (threadIdx.x - lane);
        for (unsigned k = 0; k < 3; ++k) {
            s_warp[3 * lane + k] = rows[k];
        }
        __syncwarp();  // all lanes' entries are in shared memory
        for (unsigned k = 0; k < 3; ++k) {
            d_rows[3 * first_group + k * common::warp_size + lane] =
                s_warp[k * common::warp_size + lane];
        }
        __syncwarp();  // they have been read before the next ones come
    } else {
        for (unsigned k = 0; k < 3; ++k) {
            d_rows[3 * group + k] = rows[k];
        }
    }
}

// Links the block's share of the keys to its block chains; the entries go to their place in the
// pool at once. Four pairs at a time.
template <bool coalesced>
__device__ void link_keys(const unsigned* d_keys, const unsigned* d_values, std::size_t n,
                          const ChainedTable& table, const BlockChains& chains) {
    const std::size_t thread = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
    const std::size_t groups = n / 4;
    for (std::size_t group = thread; group < groups; group += stride) {
        const FourNumbers keys = load_four(d_keys + 4 * group);
        const FourNumbers values = load_four(d_values + 4 * group);
        FourNumbers rows[3];
#pragma unroll
        for (int j = 0; j < 4; ++j) {
            const unsigned key = keys.number[j];
            const unsigned next = push_in_block(chains, bucket_of(key, table.buckets),
                                                static_cast<unsigned>(4 * group + j));
            const unsigned entry[3] = {key, values.number[j], next};
            for (int k = 0; k < 3; ++k) {
                rows[(3 * j + k) / 4].number[(3 * j + k) % 4] = entry[k];
            }
        }
        store_entries<coalesced>(rows, group, groups, chains.s_rows, table.d_pool);
    }
    // The last n % 4 keys.
    const std::size_t i = 4 * groups + thread;
    if (i < n) {
        const unsigned next =
            push_in_block(chains, bucket_of(d_keys[i], table.buckets), static_cast<unsigned>(i));
        table.d_pool[i] = {d_keys[i], d_values[i], next};
    }
    __syncthreads();  // the block chains are complete, and so are their last entries
}

// d_keys, d_values: n keys and their values. table: all heads are end_of_chain before the launch.
// `append(table, bucket, first, last)` puts a block chain in front of its bucket's chain. Any order
// of blocks and threads gives a right table, each another one.
template <bool coalesced, typename Append>
__global__ void __launch_bounds__(chains_block_size)
    insert_block_chains(const unsigned* d_keys, const unsigned* d_values, std::size_t n,
                        ChainedTable table, Append append) {
    const BlockChains chains = empty_block_chains<coalesced>(table.buckets);
    link_keys<coalesced>(d_keys, d_values, n, table, chains);

    // Each block begins at another bucket, so that few blocks want one bucket at the same time.
    // Only some threads append: with all 1024, every block of the device would be at every lock at
    // once.
    constexpr unsigned appending_threads = 256;
    if (threadIdx.x < appending_threads) {
        const auto start =
            static_cast<unsigned>(std::size_t{blockIdx.x} * table.buckets / gridDim.x);
        for (unsigned k = threadIdx.x; k < table.buckets; k += appending_threads) {
            const unsigned bucket = (start + k) % table.buckets;
            if (chains.s_first[bucket] != end_of_chain) {
                append(table, bucket, chains.s_first[bucket], chains.s_last[bucket]);
            }
        }
    }
}

template <bool coalesced, typename Append>
void launch_block_chains(const unsigned* d_keys, const unsigned* d_values, std::size_t n,
                         ChainedTable table, Append append) {
    CHECK(cudaMemsetAsync(table.d_heads, 0xff, table.buckets * sizeof(unsigned)));  // end_of_chain
    const std::size_t smem = chains_bytes(table.buckets, coalesced);
    common::allow_shared_memory(insert_block_chains<coalesced, Append>, smem);
    insert_block_chains<coalesced>
        <<<chains_grid_size(n), chains_block_size, smem>>>(d_keys, d_values, n, table, append);
    CHECK_LAUNCH();
}
