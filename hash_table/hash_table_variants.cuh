// The table of variants of hash_table: what main runs and the tests check.
#pragma once

#include <string>
#include <vector>

#include "hash_table/hash_table.cuh"
#include "hash_table/hash_table_cluster.cuh"
#include "hash_table/hash_table_fast.cuh"
#include "hash_table/hash_table_find.cuh"
#include "hash_table/hash_table_parts.cuh"
#include "hash_table/hash_table_wrong.cuh"

inline std::vector<Variant<HashProblem>> hash_variants() {
    return {
        {"warp_turns", "a lock per bucket; the lanes of a warp take turns", Kind::right,
         run_warp_turns},
        {"each_thread", "a lock per bucket; each thread takes it for itself", Kind::right,
         run_each_thread},
        {"classic_lock", "the lock by atomicCAS, two fences, atomicExch", Kind::right,
         run_classic_lock},
        {"lock_free_push", "no lock: atomicExch of the head", Kind::right, run_lock_free_push},
        {"open_addressing", "no chains: atomicCAS takes the first free slot", Kind::right,
         run_open_addressing, why_not_open},
        {"splice", "sub-chains in shared memory; a lock per bucket and block", Kind::right,
         run_splice, why_not_splice},
        {"splice_one_word", "the same; the head itself is the lock", Kind::right,
         run_splice_one_word, why_not_splice},
        {"splice_push", "the same without a lock", Kind::right, run_splice_push, why_not_splice},
        {"splice_rows", "splice_one_word; entries are written in whole rows", Kind::right,
         run_splice_rows, why_not_splice_rows},
        {"splice_once", "the same; sub-chains are joined first, each lock is taken once",
         Kind::right, run_splice_once, why_not_splice_rows},
        {"splice_cluster", "blocks of a cluster join theirs in shared memory", Kind::right,
         run_splice_cluster, why_not_cluster},
        {"parts", "partition into shared memory's size; a counting sort of each part", Kind::right,
         run_parts},
#ifdef __CUDACC__
        {"cub_sort", "cub::DeviceRadixSort::SortPairs: a multimap by sorting", Kind::library,
         run_cub_sort},
#endif
        {"find_chained", "search in chains, as many buckets as keys", Kind::right,
         run_find_chained},
        {"find_open", "search in slots, four fifths of them full", Kind::right, run_find_open,
         why_not_open},
        {"find_parts", "partition the queries; search in shared memory", Kind::right,
         run_find_parts},
        {"no_lock", "the head is read and written by many threads at once", Kind::race, run_no_lock,
         nullptr, "each_thread"},
        {"lock_no_fence", "a lock that orders nothing", Kind::order, run_lock_no_fence, nullptr,
         "classic_lock"},
        {"values_never_copied", "the array of values is never filled", Kind::wrong_result,
         run_values_never_copied, nullptr, "each_thread"},
    };
}

// Variants that search, in a table that was built before; the others build one.
inline bool is_search(const Variant<HashProblem>& variant) {
    return variant.name.rfind("find_", 0) == 0;
}
