// The chained table at the speed of memory: few visits to each lock, and the library beside it.
//
//   splice           each block links its keys to sub-chains in shared memory first; then one lock
//                    and one splice for each bucket and block
//   splice_one_word  the head itself is the lock: one exchange takes it and reads it
//   splice_push      no lock: one exchange hangs the sub-chain in
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

// Four numbers are read by one 16-byte load, four entries written by three 16-byte stores.
struct alignas(16) FourNumbers {
    unsigned number[4];
};
struct alignas(16) FourEntries {
    Entry entry[4];
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

// Each block links its share of the keys to a sub-chain for each bucket. The heads are in shared
// memory, the entries at their place in the pool at once. Then `splice(table, bucket, first, last)`
// hangs each sub-chain into its bucket's chain: blocks * buckets visits to the locks, where
// each_thread makes n. Any order of blocks and threads gives a right table, each another one.
template <typename Splice>
__global__ void __launch_bounds__(splice_block_size)
    insert_spliced(const unsigned* d_keys, const unsigned* d_values, std::size_t n,
                   ChainedTable table, Splice splice) {
    unsigned* s_first = dynamic_shared<unsigned>();
    unsigned* s_last = s_first + table.buckets;
    for (unsigned bucket = threadIdx.x; bucket < table.buckets; bucket += blockDim.x) {
        s_first[bucket] = end_of_chain;
    }
    __syncthreads();  // all sub-chains are empty before the first entry comes

    // Four pairs at a time. (Eight or sixteen under way a thread were slower on an H200: 0.276
    // and 0.315 ms in place of 0.256 for splice_one_word.)
    const std::size_t groups = n / 4;
    auto* d_four_entries = reinterpret_cast<FourEntries*>(table.d_pool);
    for (std::size_t group = first_index(); group < groups; group += index_step()) {
        const FourNumbers keys = load_four(d_keys + 4 * group);
        const FourNumbers values = load_four(d_values + 4 * group);
        FourEntries made;
#pragma unroll
        for (int j = 0; j < 4; ++j) {
            const unsigned key = keys.number[j];
            const unsigned next = push_in_block(s_first, s_last, bucket_of(key, table.buckets),
                                                static_cast<unsigned>(4 * group + j));
            made.entry[j] = {key, values.number[j], next};
        }
        d_four_entries[group] = made;
    }
    // The last n % 4 keys.
    const std::size_t i = 4 * groups + first_index();
    if (i < n) {
        const unsigned next = push_in_block(s_first, s_last, bucket_of(d_keys[i], table.buckets),
                                            static_cast<unsigned>(i));
        table.d_pool[i] = {d_keys[i], d_values[i], next};
    }
    __syncthreads();  // the sub-chains are complete, and so are their last entries

    // Each block begins at another bucket, so that few meet at one lock.
    if (threadIdx.x < splicing_threads) {
        const auto start =
            static_cast<unsigned>(std::size_t{blockIdx.x} * table.buckets / gridDim.x);
        for (unsigned k = threadIdx.x; k < table.buckets; k += splicing_threads) {
            const unsigned bucket = (start + k) % table.buckets;
            if (s_first[bucket] != end_of_chain) {
                splice(table, bucket, s_first[bucket], s_last[bucket]);
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

}  // namespace

// Two words of shared memory a bucket; 48 KiB is what every GPU gives without being asked.
constexpr unsigned most_buckets_to_splice = 48 * 1024 / (2 * sizeof(unsigned));

inline std::string why_not_splice(const HashProblem& p) {
    return p.buckets <= most_buckets_to_splice
               ? ""
               : format("needs 8 bytes of shared memory a bucket: at most %u buckets",
                        most_buckets_to_splice);
}

// Chooses its own block size: every block visits every lock, so there should be few blocks, one for
// each multiprocessor, and those as large as can be.
template <typename Splice>
void run_spliced(HashProblem& p, Splice splice) {
    empty_chains(p);
    const int grid_size = std::min(blocks_to_cover(p.n, splice_block_size), multiprocessor_count());
    const std::size_t smem = 2 * std::size_t{p.buckets} * sizeof(unsigned);
    insert_spliced<<<grid_size, splice_block_size, smem>>>(p.d_keys, p.d_values, p.n, p.chains(),
                                                           splice);
    CHECK_LAUNCH();
}

inline void run_splice(HashProblem& p) {
    run_spliced(p, SpliceUnderLock{p.d_locks()});
}
inline void run_splice_one_word(HashProblem& p) {
    run_spliced(p, SpliceByLockedHead{});
}
inline void run_splice_push(HashProblem& p) {
    run_spliced(p, SpliceByPush{});
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
