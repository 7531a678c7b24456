// The two tables of variants of hash_table, to build a table and to search one: what the program
// shows, the tests check and the benchmark times.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "harness/variant.cuh"
#include "hash_table/1_lock_per_bucket.cuh"
#include "hash_table/2_lock_without_turns.cuh"
#include "hash_table/3_lock_free_push.cuh"
#include "hash_table/4_linear_probing.cuh"
#include "hash_table/5_find.cuh"
#include "hash_table/fast/block_chains_cluster.cuh"
#include "hash_table/fast/block_chains_coalesced.cuh"
#include "hash_table/fast/block_chains_lock.cuh"
#include "hash_table/fast/block_chains_lock_free.cuh"
#include "hash_table/fast/block_chains_locked_head.cuh"
#include "hash_table/fast/block_chains_merged_first.cuh"
#include "hash_table/fast/classic_lock.cuh"
#include "hash_table/fast/cub_sort.cuh"
#include "hash_table/fast/find_partitioned.cuh"
#include "hash_table/fast/partitioned.cuh"
#include "hash_table/find_problem.cuh"
#include "hash_table/problem.cuh"
#include "hash_table/wrong_lock_no_fence.cuh"
#include "hash_table/wrong_no_lock.cuh"
#include "hash_table/wrong_values_never_copied.cuh"

// Race mode's sizes. Block chains: two blocks of 1024 threads with four keys each, and a rest. The
// partitioned table: two tiles of 1024 pairs, and a plan of two passes, in which some of the final
// partitions do not fit shared memory.
constexpr std::size_t two_blocks_of_chains = 4 * chains_block_size + 51;
constexpr std::size_t two_tiles = 1024 + 51;
constexpr PartitionPlan small_partition_plan{2, 2, 4, 270};

template <bool coalesced>
std::string skip_reason_block_chains(const BuildProblem& p) {
    const std::size_t max_buckets = max_chain_buckets(coalesced);
    return p.buckets() <= max_buckets
               ? ""
               : harness::format("needs 8 bytes of shared memory per bucket: at most %zu buckets",
                                 max_buckets);
}

inline std::string skip_reason_cluster_chains(const BuildProblem& p) {
    const std::string reason = skip_reason_clusters();
    return reason.empty() ? skip_reason_block_chains<true>(p) : reason;
}

// How much memory the second of two passes needs is known only after the first. So a first build
// allocates it.
inline void prepare_partitioned(BuildProblem& p) {
    if (p.prepare_partitions()) {
        launch_partitioned(p.d_keys(), p.d_values(), p.n(), p.plan, p.partitions(), p.d_used(),
                           p.workspaces());
    }
}

inline std::vector<harness::Variant<BuildProblem>> build_variants() {
    using P = BuildProblem;
    using Row = harness::Variant<P>;
    using harness::Kind;
    constexpr int book_block_size = 256;  // CUDA by Example, appendix A
    const auto of_block_chains = [](Row row) {
        return row.in_record()
            .with_fixed_block(chains_block_size)
            .with_smallest_n(two_blocks_of_chains);
    };
    return {
        Row{"lock_per_bucket", "a lock per bucket; the lanes of a warp take turns", Kind::right,
            [](P& p) {
                launch_lock_per_bucket(p.d_keys(), p.d_values(), p.n(), p.chains(), p.d_locks(),
                                       p.block_size);
            }}
            .from("1_lock_per_bucket.cuh")
            .with_block(book_block_size),
        Row{"lock_without_turns", "a lock per bucket; each thread takes it when it comes",
            Kind::right,
            [](P& p) {
                launch_lock_without_turns(p.d_keys(), p.d_values(), p.n(), p.chains(), p.d_locks(),
                                          p.block_size);
            }}
            .from("2_lock_without_turns.cuh")
            .with_block(book_block_size),
        Row{"lock_free_push", "no lock: atomicExch of the head", Kind::right,
            [](P& p) {
                launch_lock_free_push(p.d_keys(), p.d_values(), p.n(), p.chains(), p.block_size);
            }}
            .from("3_lock_free_push.cuh")
            .with_block(book_block_size),
        Row{"linear_probing", "no chains: atomicCAS takes the first free slot", Kind::right,
            [](P& p) {
                launch_linear_probing(p.d_keys(), p.d_values(), p.n(), p.d_slots(), p.slots(),
                                      p.block_size);
            }}
            .from("4_linear_probing.cuh")
            .with_block(book_block_size)
            .with_prepare([](P& p) { p.prepare_slots(); })
            .with_skip([](const P& p) { return skip_reason_linear_probing(p.pairs()); }),
        Row{"classic_lock", "the lock by atomicCAS, two fences, atomicExch", Kind::right,
            [](P& p) {
                launch_classic_lock(p.d_keys(), p.d_values(), p.n(), p.chains(), p.d_locks(),
                                    p.block_size);
            }}
            .from("fast/classic_lock.cuh")
            .in_record()
            .with_block(book_block_size),
        of_block_chains(Row{
            "block_chains_lock", "chains per block in shared memory; a lock per bucket and block",
            Kind::right,
            [](P& p) {
                launch_block_chains_lock(p.d_keys(), p.d_values(), p.n(), p.chains(), p.d_locks());
            }}.from("fast/block_chains_lock.cuh")
                            .with_skip(skip_reason_block_chains<false>)),
        of_block_chains(Row{
            "block_chains_locked_head", "the same; the head itself is the lock", Kind::right,
            [](P& p) {
                launch_block_chains_locked_head(p.d_keys(), p.d_values(), p.n(), p.chains());
            }}.from("fast/block_chains_locked_head.cuh")
                            .with_skip(skip_reason_block_chains<false>)),
        of_block_chains(Row{
            "block_chains_lock_free", "the same without a lock", Kind::right,
            [](P& p) {
                launch_block_chains_lock_free(p.d_keys(), p.d_values(), p.n(), p.chains());
            }}.from("fast/block_chains_lock_free.cuh")
                            .with_skip(skip_reason_block_chains<false>)),
        of_block_chains(Row{
            "block_chains_coalesced", "block_chains_locked_head with coalesced stores", Kind::right,
            [](P& p) {
                launch_block_chains_coalesced(p.d_keys(), p.d_values(), p.n(), p.chains());
            }}.from("fast/block_chains_coalesced.cuh")
                            .with_skip(skip_reason_block_chains<true>)),
        of_block_chains(
            Row{"block_chains_merged_first",
                "all blocks' chains are merged; each lock is taken once", Kind::right,
                [](P& p) {
                    launch_block_chains_merged_first(p.d_keys(), p.d_values(), p.n(), p.chains(),
                                                     p.d_locks(),
                                                     static_cast<ChainEnds*>(p.d_storage()));
                }}
                .from("fast/block_chains_merged_first.cuh")
                .with_prepare([](P& p) { p.reserve(merged_first_bytes(p.n(), p.buckets())); })
                .with_skip(skip_reason_block_chains<true>)),
        of_block_chains(Row{"block_chains_cluster",
                            "a cluster of blocks merges its chains in shared memory", Kind::right,
                            [](P& p) {
                                launch_block_chains_cluster(p.d_keys(), p.d_values(), p.n(),
                                                            p.chains(), p.d_locks());
                            }}
                            .from("fast/block_chains_cluster.cuh")
                            .with_skip(skip_reason_cluster_chains)),
        Row{"partitioned", "radix partitioning, then a counting sort in shared memory", Kind::right,
            [](P& p) {
                launch_partitioned(p.d_keys(), p.d_values(), p.n(), p.plan, p.partitions(),
                                   p.d_used(), p.workspaces());
            }}
            .from("fast/partitioned.cuh")
            .in_record()
            .with_fixed_block(1024)
            .with_smallest_n(two_tiles)
            .with_prepare(prepare_partitioned),
#ifndef CPU_DEVICE
        Row{"cub_sort", "cub::DeviceRadixSort::SortPairs: a multimap by sorting", Kind::library,
            [](P& p) {
                launch_cub_sort(p.d_keys(), p.d_values(), p.n(), p.d_storage(), p.storage_bytes(),
                                p.d_sorted_keys(), p.d_sorted_values());
            }}
            .from("fast/cub_sort.cuh")
            .in_record()
            .with_fixed_block(0)
            .with_prepare([](P& p) {
                p.prepare_sorted_pairs();
                p.reserve(cub_sort_bytes(p.n()));
            }),
#endif
        Row{"no_lock", "the head is read and written by several threads at once", Kind::race,
            [](P& p) { launch_no_lock(p.d_keys(), p.d_values(), p.n(), p.chains(), p.block_size); }}
            .from("wrong_no_lock.cuh")
            .instead_of("lock_without_turns")
            .with_block(book_block_size),
        Row{"lock_no_fence", "a lock that orders nothing", Kind::unsynchronized,
            [](P& p) {
                launch_lock_no_fence(p.d_keys(), p.d_values(), p.n(), p.chains(), p.d_locks(),
                                     p.block_size);
            }}
            .from("wrong_lock_no_fence.cuh")
            .instead_of("classic_lock")
            .with_block(book_block_size),
        Row{"values_never_copied", "the array of values is never filled", Kind::wrong_result,
            [](P& p) {
                launch_values_never_copied(p.d_keys(), static_cast<unsigned*>(p.d_storage()), p.n(),
                                           p.chains(), p.d_locks(), p.block_size);
            }}
            .from("wrong_values_never_copied.cuh")
            .instead_of("lock_without_turns")
            .with_block(book_block_size)
            .with_prepare([](P& p) { p.reserve((p.n() + 1) * sizeof(unsigned)); }),
    };
}

// As prepare_partitioned: a first search allocates the memory of the second pass.
inline void prepare_find_partitioned(FindProblem& p) {
    if (p.build_partitions()) {
        launch_find_partitioned(p.d_queries(), p.queries(), p.plan, p.partitions(), p.d_found(),
                                p.workspaces());
    }
}

inline std::vector<harness::Variant<FindProblem>> find_variants() {
    using P = FindProblem;
    using Row = harness::Variant<P>;
    using harness::Kind;
    constexpr int block_size = 256;
    return {
        Row{"find_in_chains", "follow the chain; as many buckets as keys", Kind::right,
            [](P& p) {
                launch_find_in_chains(p.d_queries(), p.queries(), p.chains(), p.d_found(),
                                      p.block_size);
            }}
            .from("5_find.cuh")
            .with_block(block_size)
            .with_prepare([](P& p) { p.build_chains(); }),
        Row{"find_in_slots", "look at slot after slot; four fifths of them are full", Kind::right,
            [](P& p) {
                launch_find_in_slots(p.d_queries(), p.queries(), p.d_slots(), p.slots(),
                                     p.d_found(), p.block_size);
            }}
            .from("5_find.cuh")
            .with_block(block_size)
            .with_prepare([](P& p) { p.build_slots(); })
            .with_skip([](const P& p) { return skip_reason_linear_probing(p.pairs()); }),
        Row{"find_partitioned", "partition the queries; search in shared memory", Kind::right,
            [](P& p) {
                launch_find_partitioned(p.d_queries(), p.queries(), p.plan, p.partitions(),
                                        p.d_found(), p.workspaces());
            }}
            .from("fast/find_partitioned.cuh")
            .in_record()
            .with_fixed_block(1024)
            .with_smallest_n(two_tiles)
            .with_prepare(prepare_find_partitioned),
    };
}
