// The table of variants of mutex_dot: what main runs and the tests check.
#pragma once

#include <vector>

#include "mutex_dot/mutex_dot.cuh"
#include "mutex_dot/mutex_dot_fast.cuh"
#include "mutex_dot/mutex_dot_wrong.cuh"

template <typename T>
std::vector<Variant<DotProblem<T>>> dot_variants() {
    return {
        {"host_finish", "a share per block, added up on the host", Kind::right, run_host_finish<T>},
        {"mutex", "each block adds its share under a lock", Kind::right, run_mutex<T>},
        {"mutex_classic", "the lock by atomicCAS and two fences", Kind::right,
         run_mutex_classic<T>},
        {"ticket", "a lock that serves in order of arrival", Kind::right, run_ticket<T>},
        {"atomic_add", "no lock: one atomicAdd per block", Kind::right, run_atomic_add<T>},
        {"last_block", "the last block adds the shares in order", Kind::right, run_last_block<T>},
        {"vector_loads", "16-byte loads, several in flight", Kind::right, run_vector_loads<T>},
        {"two_level_mutex", "fast loads, few blocks, a mutex per group and one for the groups",
         Kind::right, run_two_level_mutex<T>},
        {"one_word_mutex", "two levels; each mutex and its sum in one word", Kind::right,
         run_one_word_mutex<T>, why_no_one_word<T>},
        {"mutex_tree", "a tree of such words, for a few blocks each", Kind::right,
         run_mutex_tree<T>, why_no_one_word<T>},
#ifdef __CUDACC__
        {"cublas", "cublasSdot or cublasDdot", Kind::library, run_cublas<T>},
#endif
        {"no_mutex", "*d_dot += sum without a lock: blocks undo each other's additions", Kind::race,
         run_no_mutex<T>, nullptr, "mutex"},
        {"mutex_no_fence", "atomicCAS and atomicExch without fences", Kind::order,
         run_mutex_no_fence<T>, nullptr, "mutex_classic"},
        {"tid_plus_one", "a tree that adds s[tid + 1] instead of s[tid + i]; a race besides",
         Kind::wrong_result, run_tid_plus_one<T>, nullptr, "atomic_add"},
    };
}
