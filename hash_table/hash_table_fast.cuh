// The chained table at the speed of memory: few visits to each lock, and the library beside it.
//
//   splice           each block links its keys to sub-chains in shared memory first; then one lock
//                    and one splice for each bucket and block
//   splice_one_word  the head itself is the lock: one exchange takes it and reads it
//   splice_push      no lock: one exchange hangs the sub-chain in
//   splice_rows      splice_one_word, and warps write their entries to memory in whole rows
//   splice_once      the same; the sub-chains of all blocks are joined before a lock is taken
//
// hash_table_cluster.cuh joins them in clusters of blocks, where the hardware has those.
//
// Idea: aggregation in shared memory before the global update, as in histograms with private bins
// (ECE408, lecture 18), applied to lists.
#pragma once

#include <cstdint>

#include "common/shared_memory.cuh"
#include "hash_table/hash_table.cuh"

#ifdef __CUDACC__
#include <cub/device/device_radix_sort.cuh>
#endif

namespace {

// Four numbers are read by one 16-byte load; four entries are three times four numbers.
struct alignas(16) FourNumbers {
    unsigned number[4];
};

__device__ FourNumbers load_four(const unsigned* d_numbers) {
    if (reinterpret_cast<std::uintptr_t>(d_numbers) % sizeof(FourNumbers) == 0) {
        return *reinterpret_cast<const FourNumbers*>(d_numbers);
    }
    return {{d_numbers[0], d_numbers[1], d_numbers[2], d_numbers[3]}};
}

// Puts an entry at the head of its bucket's sub-chain, by the exchange of lock_free_push, which
// costs little in shared memory. Returns the entry's `next`. The entry that comes first stays the
// last of the sub-chain.
__device__ unsigned push_in_block(unsigned* s_first, unsigned* s_last, unsigned bucket,
                                  unsigned entry) {
    const unsigned next = atomicExch(&s_first[bucket], entry);
    if (next == end_of_chain) {
        s_last[bucket] = entry;
    }
    return next;
}

constexpr int splice_block_size = 1024;
// Threads of a block that splice. With all 1024, each lock would be asked for by every block of the
// device at once.
constexpr unsigned splicing_threads = 256;

// A block's sub-chains, one for each bucket, in shared memory.
struct SubChains {
    unsigned* s_first;    // or end_of_chain
    unsigned* s_last;     // or end_of_chain
    FourNumbers* s_rows;  // 3 for each thread, if the entries are to be written in rows
};

// The sub-chains in the block's dynamic shared memory, all of them empty.
template <bool in_rows>
__device__ SubChains empty_sub_chains(unsigned buckets) {
    auto* s_rows = dynamic_shared<FourNumbers>();
    auto* s_first = reinterpret_cast<unsigned*>(s_rows + (in_rows ? 3 * splice_block_size : 0));
    for (unsigned bucket = threadIdx.x; bucket < 2 * buckets; bucket += blockDim.x) {
        s_first[bucket] = end_of_chain;
    }
    __syncthreads();  // all sub-chains are empty before the first entry comes
    return {s_first, s_first + buckets, s_rows};
}

// The entries of four keys, as a thread has made them, go to the pool: three 16-byte stores. The
// lanes of a warp do not store side by side then: each store touches 32 sectors of memory of 32
// bytes, and writes one half of each. With `in_rows` the lanes exchange their entries in shared
// memory first, so that each store writes 512 bytes in a row: on an H200 the linking took 0.144 ms
// in place of 0.210.
template <bool in_rows>
__device__ void store_entries(const FourNumbers (&rows)[3], std::size_t group, std::size_t groups,
                              FourNumbers* s_rows, Entry* d_pool) {
    auto* d_rows = reinterpret_cast<FourNumbers*>(d_pool);
    const unsigned lane = threadIdx.x % warp_size;
    const std::size_t first_group = group - lane;  // of the warp
    if (in_rows && first_group + warp_size <= groups) {
        FourNumbers* s_warp = s_rows + 3 * (threadIdx.x - lane);
        for (unsigned k = 0; k < 3; ++k) {
            s_warp[3 * lane + k] = rows[k];
        }
        __syncwarp();  // all lanes' entries are there
        for (unsigned k = 0; k < 3; ++k) {
            d_rows[3 * first_group + k * warp_size + lane] = s_warp[k * warp_size + lane];
        }
        __syncwarp();  // and have been read before the next ones come
    } else {
        for (unsigned k = 0; k < 3; ++k) {
            d_rows[3 * group + k] = rows[k];
        }
    }
}

// Links the block's share of the keys to its sub-chains; the entries go to their place in the pool
// at once. Four pairs at a time. (Eight or sixteen under way a thread were slower on an H200: 0.276
// and 0.315 ms in place of 0.256 for splice_one_word.)
template <bool in_rows>
__device__ void link_keys(const unsigned* d_keys, const unsigned* d_values, std::size_t n,
                          const ChainedTable& table, const SubChains& chains) {
    const std::size_t groups = n / 4;
    for (std::size_t group = first_index(); group < groups; group += index_step()) {
        const FourNumbers keys = load_four(d_keys + 4 * group);
        const FourNumbers values = load_four(d_values + 4 * group);
        FourNumbers rows[3];
#pragma unroll
        for (int j = 0; j < 4; ++j) {
            const unsigned key = keys.number[j];
            const unsigned next =
                push_in_block(chains.s_first, chains.s_last, bucket_of(key, table.buckets),
                              static_cast<unsigned>(4 * group + j));
            const unsigned entry[3] = {key, values.number[j], next};
            for (int k = 0; k < 3; ++k) {
                rows[(3 * j + k) / 4].number[(3 * j + k) % 4] = entry[k];
            }
        }
        store_entries<in_rows>(rows, group, groups, chains.s_rows, table.d_pool);
    }
    // The last n % 4 keys.
    const std::size_t i = 4 * groups + first_index();
    if (i < n) {
        const unsigned next =
            push_in_block(chains.s_first, chains.s_last, bucket_of(d_keys[i], table.buckets),
                          static_cast<unsigned>(i));
        table.d_pool[i] = {d_keys[i], d_values[i], next};
    }
    __syncthreads();  // the sub-chains are complete, and so are their last entries
}

// Each block links its share of the keys to a sub-chain for each bucket. Then
// `splice(table, bucket, first, last)` hangs each sub-chain into its bucket's chain:
// blocks * buckets visits to the locks, where each_thread makes n. Any order of blocks and threads
// gives a right table, each another one.
template <bool in_rows, typename Splice>
__global__ void __launch_bounds__(splice_block_size)
    insert_spliced(const unsigned* d_keys, const unsigned* d_values, std::size_t n,
                   ChainedTable table, Splice splice) {
    const SubChains chains = empty_sub_chains<in_rows>(table.buckets);
    link_keys<in_rows>(d_keys, d_values, n, table, chains);

    // Each block begins at another bucket, so that few meet at one lock.
    if (threadIdx.x < splicing_threads) {
        const auto start =
            static_cast<unsigned>(std::size_t{blockIdx.x} * table.buckets / gridDim.x);
        for (unsigned k = threadIdx.x; k < table.buckets; k += splicing_threads) {
            const unsigned bucket = (start + k) % table.buckets;
            if (chains.s_first[bucket] != end_of_chain) {
                splice(table, bucket, chains.s_first[bucket], chains.s_last[bucket]);
            }
        }
    }
}

// --- splice -------------------------------------------------------------------------------------

// The chain changes only under its bucket's lock, as in each_thread; but a whole sub-chain at once.
struct SpliceUnderLock {
    int* d_locks;

    __device__ void operator()(const ChainedTable& table, unsigned bucket, unsigned first,
                               unsigned last) const {
        lock(d_locks[bucket]);
        table.d_pool[last].next = table.d_heads[bucket];
        table.d_heads[bucket] = first;
        unlock(d_locks[bucket]);
    }
};

// --- splice_one_word ----------------------------------------------------------------------------

constexpr unsigned head_is_locked = end_of_chain - 1;  // no index of an entry: see most_keys

// Lock and data in one word: the exchange that takes the lock brings the head along, and the store
// of the new head gives the lock back. No order is needed: the lock guards this one word, and
// nobody follows the chain before the launch has ended.
struct SpliceByLockedHead {
    __device__ void operator()(const ChainedTable& table, unsigned bucket, unsigned first,
                               unsigned last) const {
        unsigned* d_head = &table.d_heads[bucket];
        unsigned head = atomicExch(d_head, head_is_locked);
        while (head == head_is_locked) {  // a locked head was exchanged for a locked head: no harm
            __nanosleep(lock_pause_ns);
            head = atomicExch(d_head, head_is_locked);
        }
        table.d_pool[last].next = head;
        atomicExch(d_head, first);
    }
};

// --- splice_push --------------------------------------------------------------------------------

// lock_free_push for a whole sub-chain.
struct SpliceByPush {
    __device__ void operator()(const ChainedTable& table, unsigned bucket, unsigned first,
                               unsigned last) const {
        table.d_pool[last].next = atomicExch(&table.d_heads[bucket], first);
    }
};

// --- splice_once --------------------------------------------------------------------------------

// A sub-chain, or end_of_chain twice.
struct ChainEnds {
    unsigned first;
    unsigned last;
};

// Leaves the ends of the block's sub-chains in d_ends[block * buckets + bucket].
__global__ void __launch_bounds__(splice_block_size)
    link_sub_chains(const unsigned* d_keys, const unsigned* d_values, std::size_t n,
                    ChainedTable table, ChainEnds* d_ends) {
    const SubChains chains = empty_sub_chains<true>(table.buckets);
    link_keys<true>(d_keys, d_values, n, table, chains);
    ChainEnds* d_mine = d_ends + std::size_t{blockIdx.x} * table.buckets;
    for (unsigned bucket = threadIdx.x; bucket < table.buckets; bucket += blockDim.x) {
        d_mine[bucket] = {chains.s_first[bucket], chains.s_last[bucket]};
    }
}

// A warp joins all blocks' sub-chains of one bucket, which needs no lock: nobody else knows of
// them. Then a single visit to the lock hangs the whole into the bucket's chain: each lock is taken
// once, and nobody waits. On an H200 this adds 0.009 ms to the 0.144 of the linking.
__global__ void splice_joined(const ChainEnds* d_ends, unsigned blocks, ChainedTable table,
                              int* d_locks) {
    const unsigned bucket = (blockIdx.x * blockDim.x + threadIdx.x) / warp_size;
    const unsigned lane = threadIdx.x % warp_size;
    if (bucket >= table.buckets) {
        return;  // the whole warp
    }
    // Each lane joins every 32nd of the sub-chains, putting each in front of those it has.
    ChainEnds joined{end_of_chain, end_of_chain};
    for (unsigned block = lane; block < blocks; block += warp_size) {
        const ChainEnds ends = d_ends[std::size_t{block} * table.buckets + bucket];
        if (ends.first != end_of_chain) {
            table.d_pool[ends.last].next = joined.first;
            joined = {ends.first, joined.last == end_of_chain ? ends.last : joined.last};
        }
    }
    // Then each lane that has a chain appends that of the next lane that has one.
    const unsigned all = 0xffffffffu;
    const unsigned having = __ballot_sync(all, joined.first != end_of_chain);
    const unsigned behind = lane + 1 < warp_size ? having >> (lane + 1) : 0;
    const unsigned next_lane = behind != 0 ? lane + __ffs(static_cast<int>(behind)) : lane;
    const unsigned next_first = __shfl_sync(all, joined.first, static_cast<int>(next_lane));
    if (joined.first != end_of_chain && behind != 0) {
        table.d_pool[joined.last].next = next_first;
    }
    // The lane whose chain comes last knows the end of all; the lane whose chain comes first, which
    // may be another, tells it the beginning.
    const int first_lane = max(__ffs(static_cast<int>(having)) - 1, 0);
    const unsigned first = __shfl_sync(all, joined.first, first_lane);
    __syncwarp();  // all lanes' links are made before the chain can be seen
    if (joined.first != end_of_chain && behind == 0) {
        lock(d_locks[bucket]);
        table.d_pool[joined.last].next = table.d_heads[bucket];
        table.d_heads[bucket] = first;
        unlock(d_locks[bucket]);
    }
}

}  // namespace

// Shared memory of a block that splices: two words a bucket, and the rows of its threads.
inline std::size_t splice_bytes(unsigned buckets, bool in_rows) {
    const std::size_t row_bytes = in_rows ? 3 * splice_block_size * sizeof(FourNumbers) : 0;
    return row_bytes + 2 * std::size_t{buckets} * sizeof(unsigned);
}

// 48 KiB of shared memory is what every GPU gives without being asked.
constexpr unsigned most_buckets_to_splice = 48 * 1024 / (2 * sizeof(unsigned));

inline std::string why_not_splice(const HashProblem& p) {
    return p.buckets <= most_buckets_to_splice
               ? ""
               : format("needs 8 bytes of shared memory a bucket: at most %u buckets",
                        most_buckets_to_splice);
}
// The rows take 48 KiB by themselves, so here one has to ask for more.
inline std::string why_not_splice_rows(const HashProblem& p) {
    const std::size_t most =
        (most_shared_memory() - splice_bytes(0, true)) / splice_bytes(1, false);
    return p.buckets <= most
               ? ""
               : format("needs 8 bytes of shared memory a bucket and 48 KiB: at most %zu buckets",
                        most);
}

// These variants choose their block size themselves: every block has sub-chains for all buckets, so
// there should be few blocks, one for each multiprocessor, and those as large as can be.
inline int splice_grid_size(std::size_t n) {
    return std::min(blocks_to_cover(n, splice_block_size), multiprocessor_count());
}

template <bool in_rows, typename Splice>
void run_spliced(HashProblem& p, Splice splice) {
    empty_chains(p);
    const std::size_t smem = splice_bytes(p.buckets, in_rows);
    allow_shared_memory(insert_spliced<in_rows, Splice>, smem);
    insert_spliced<in_rows><<<splice_grid_size(p.n), splice_block_size, smem>>>(
        p.d_keys, p.d_values, p.n, p.chains(), splice);
    CHECK_LAUNCH();
}

inline void run_splice(HashProblem& p) {
    run_spliced<false>(p, SpliceUnderLock{p.d_locks()});
}
inline void run_splice_one_word(HashProblem& p) {
    run_spliced<false>(p, SpliceByLockedHead{});
}
inline void run_splice_push(HashProblem& p) {
    run_spliced<false>(p, SpliceByPush{});
}
inline void run_splice_rows(HashProblem& p) {
    run_spliced<true>(p, SpliceByLockedHead{});
}
inline void run_splice_once(HashProblem& p) {
    empty_chains(p);
    const int grid_size = splice_grid_size(p.n);
    const std::size_t smem = splice_bytes(p.buckets, true);
    const std::size_t bytes = std::size_t{p.buckets} * grid_size * sizeof(ChainEnds);
    auto* d_ends = static_cast<ChainEnds*>(p.d_scratch(bytes));
    allow_shared_memory(link_sub_chains, smem);
    link_sub_chains<<<grid_size, splice_block_size, smem>>>(p.d_keys, p.d_values, p.n, p.chains(),
                                                            d_ends);
    CHECK_LAUNCH();
    constexpr int block_size = 256;
    splice_joined<<<blocks_to_cover(std::size_t{p.buckets} * warp_size, block_size), block_size>>>(
        d_ends, static_cast<unsigned>(grid_size), p.chains(), p.d_locks());
    CHECK_LAUNCH();
}

#ifdef __CUDACC__
// The library has no hash table; its sort builds a multimap as well, for binary search.
inline void run_cub_sort(HashProblem& p) {
    std::size_t bytes = 0;
    const auto sort = [&](void* d_scratch) {
        CHECK(cub::DeviceRadixSort::SortPairs(d_scratch, bytes, p.d_keys, p.d_sorted_keys(),
                                              p.d_values, p.d_sorted_values(), p.n));
    };
    sort(nullptr);  // asks for the size of the scratch
    sort(p.d_scratch(bytes));
    p.set_made(HashProblem::Made::sorted_pairs);
}
#endif
