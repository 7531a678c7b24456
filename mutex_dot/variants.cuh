// The table of variants of mutex_dot: what the program shows, the tests check and the benchmark
// times.
#pragma once

#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "common/block_reduce.cuh"
#include "common/compiled_for.cuh"
#include "common/vector_load.cuh"
#include "harness/variant.cuh"
#include "mutex_dot/1_host_finish.cuh"
#include "mutex_dot/2_mutex.cuh"
#include "mutex_dot/3_mutex_classic.cuh"
#include "mutex_dot/4_ticket_lock.cuh"
#include "mutex_dot/5_atomic_add.cuh"
#include "mutex_dot/fast/cublas.cuh"
#include "mutex_dot/fast/last_block.cuh"
#include "mutex_dot/fast/mutex_tree.cuh"
#include "mutex_dot/fast/vectorized.cuh"
#include "mutex_dot/problem.cuh"
#include "mutex_dot/wrong_no_fence.cuh"
#include "mutex_dot/wrong_no_mutex.cuh"
#include "mutex_dot/wrong_tid_plus_one.cuh"

// How many additions a product passes through, for each variant's error bound.
template <typename T>
struct DotAdditions {
    using P = DotProblem<T>;
    static double in_block(const P& p) {
        const double threads = static_cast<double>(dot_blocks(p.n(), p.block_size)) * p.block_size;
        return std::ceil(static_cast<double>(p.n()) / threads) + std::ceil(std::log2(p.block_size));
    }
    static double one_word(const P& p) { return in_block(p) + dot_blocks(p.n(), p.block_size); }
    static double last_block(const P& p) {
        const double blocks = dot_blocks(p.n(), p.block_size);
        return in_block(p) + std::ceil(blocks / p.block_size) + common::block_sum_additions;
    }
    static double vectorized(const P& p, int grid_size) {
        return common::vectorized_sum_additions<T>(p.n(), grid_size, p.block_size) +
               common::block_sum_additions;
    }
    static double mutex_levels(const P& p, int levels) {
        const MutexTree tree = mutex_tree<T>(p.n(), p.block_size, levels);
        return vectorized(p, tree.grid_size) + tree.additions;
    }
};

// A row of the record: the sum under a tree of mutexes of `levels` levels.
template <typename T, typename Guarded, int levels>
harness::Variant<DotProblem<T>> mutex_levels_row(const std::string& name, const std::string& idea) {
    using P = DotProblem<T>;
    return harness::Variant<P>{name, idea, harness::Kind::right,
                               [](P& p) {
                                   const auto tree = mutex_tree<T>(p.n(), p.block_size, levels);
                                   launch_mutex_tree(p.d_a(), p.d_b(), p.n(), tree,
                                                     p.template d_guarded<Guarded>(), p.d_dot(),
                                                     p.block_size);
                               }}
        .from("fast/mutex_tree.cuh")
        .in_record()
        .with_block(1024)
        .with_prepare([](P& p) {
            p.template reserve_guarded<Guarded>(mutex_tree<T>(p.n(), p.block_size, levels).mutexes);
        })
        .with_bound([](const P& p) { return p.bound(DotAdditions<T>::mutex_levels(p, levels)); });
}

// Why sum and count of T cannot be exchanged as one word, or empty: 128 bits need 9.0.
template <typename T>
std::string skip_reason_one_word(const DotProblem<T>&) {
    return sizeof(T) == 8 ? common::skip_reason_below_90() : "";
}

template <typename T>
std::vector<harness::Variant<DotProblem<T>>> dot_variants() {
    using P = DotProblem<T>;
    using Row = harness::Variant<P>;
    using harness::Kind;
    using Additions = DotAdditions<T>;
    constexpr int tutorial_block_size = 256;  // Numba tutorial, part 4
    constexpr std::size_t three_vectorized_tiles =
        std::size_t{3 * 64 * common::loads_in_flight / 2} * common::elements_per_vector<T> + 21;
    const auto one_word_bound = [](const P& p) { return p.bound(Additions::one_word(p)); };
    return {
        Row{"host_finish", "a partial sum per block, added up on the host", Kind::right,
            [](P& p) {
                p.set_host_result(launch_host_finish(p.d_a(), p.d_b(), p.n(), p.d_partial(),
                                                     p.h_partial(), p.block_size));
            }}
            .from("1_host_finish.cuh")
            .with_block(tutorial_block_size)
            .with_same_bits()
            .with_bound(one_word_bound),
        Row{"mutex", "each block adds its partial sum under a mutex", Kind::right,
            [](P& p) {
                launch_mutex(p.d_a(), p.d_b(), p.n(), p.d_mutex(), p.d_dot(), p.block_size);
            }}
            .from("2_mutex.cuh")
            .with_block(tutorial_block_size)
            .with_bound(one_word_bound),
        Row{"mutex_classic", "the lock by atomicCAS and two fences", Kind::right,
            [](P& p) {
                launch_mutex_classic(p.d_a(), p.d_b(), p.n(), p.d_mutex(), p.d_dot(), p.block_size);
            }}
            .from("3_mutex_classic.cuh")
            .with_block(tutorial_block_size)
            .with_bound(one_word_bound),
        Row{"ticket_lock", "a lock that serves in the order of arrival", Kind::right,
            [](P& p) {
                launch_ticket_lock(p.d_a(), p.d_b(), p.n(), p.d_ticket_lock(), p.d_dot(),
                                   p.block_size);
            }}
            .from("4_ticket_lock.cuh")
            .with_block(tutorial_block_size)
            .with_bound(one_word_bound),
        Row{"atomic_add", "no lock: one atomicAdd per block", Kind::right,
            [](P& p) { launch_atomic_add(p.d_a(), p.d_b(), p.n(), p.d_dot(), p.block_size); }}
            .from("5_atomic_add.cuh")
            .with_block(tutorial_block_size)
            .with_bound([](const P& p) {
                return p.bound(Additions::one_word(p), dot_blocks(p.n(), p.block_size));
            }),
        Row{"last_block", "the last block adds the partial sums in order", Kind::right,
            [](P& p) {
                launch_last_block(p.d_a(), p.d_b(), p.n(), p.d_partial(), p.d_finished(), p.d_dot(),
                                  p.block_size);
            }}
            .from("fast/last_block.cuh")
            .in_record()
            .with_block(tutorial_block_size)
            .with_same_bits()
            .with_bound([](const P& p) { return p.bound(Additions::last_block(p)); }),
        Row{"vectorized", "16-byte loads, several in flight per thread", Kind::right,
            [](P& p) { launch_vectorized(p.d_a(), p.d_b(), p.n(), p.d_dot(), p.block_size); }}
            .from("fast/vectorized.cuh")
            .in_record()
            .with_block(512)
            .with_smallest_n(three_vectorized_tiles)
            .with_bound([](const P& p) {
                const int grid_size = common::blocks_of_one_tile<T>(p.n(), p.block_size, 2);
                return p.bound(Additions::vectorized(p, grid_size) + grid_size, grid_size);
            }),
        mutex_levels_row<T, MutexSum<T>, 2>(
            "two_level_mutex", "few blocks; a mutex per group of blocks, and one for the groups")
            .with_smallest_n(three_vectorized_tiles),
        mutex_levels_row<T, OneWordSum<T>, 2>("one_word_mutex",
                                              "two levels; each mutex and its sum in one word")
            .with_smallest_n(three_vectorized_tiles)
            .with_skip(skip_reason_one_word<T>),
        mutex_levels_row<T, OneWordSum<T>, 4>("mutex_tree",
                                              "four levels of such words, a few blocks per word")
            .with_smallest_n(three_vectorized_tiles)
            .with_skip(skip_reason_one_word<T>),
#ifndef CPU_DEVICE
        Row{"cublas", "cublasSdot or cublasDdot", Kind::library,
            [](P& p) { launch_cublas(p.d_a(), p.d_b(), p.n(), p.d_dot()); }}
            .from("fast/cublas.cuh")
            .with_fixed_block(0)
            .with_prepare([](P&) { static_cast<void>(cublas_handle()); })
            // cuBLAS promises no bound. Its threads are taken to be at least 8192, then come trees.
            .with_bound([](const P& p) { return p.bound(64 + static_cast<double>(p.n()) / 8192); }),
#endif
        Row{"no_mutex", "*d_dot += sum without a lock: blocks undo each other's additions",
            Kind::race,
            [](P& p) { launch_no_mutex(p.d_a(), p.d_b(), p.n(), p.d_dot(), p.block_size); }}
            .from("wrong_no_mutex.cuh")
            .instead_of("mutex")
            .with_block(tutorial_block_size)
            .with_bound(one_word_bound),
        Row{"no_fence", "atomicCAS and atomicExch without fences", Kind::unsynchronized,
            [](P& p) {
                launch_no_fence(p.d_a(), p.d_b(), p.n(), p.d_mutex(), p.d_dot(), p.block_size);
            }}
            .from("wrong_no_fence.cuh")
            .instead_of("mutex_classic")
            .with_block(tutorial_block_size)
            .with_bound(one_word_bound),
        Row{"tid_plus_one", "a tree that adds s[tid + 1] in place of s[tid + offset]",
            Kind::wrong_result,
            [](P& p) { launch_tid_plus_one(p.d_a(), p.d_b(), p.n(), p.d_dot(), p.block_size); }}
            .from("wrong_tid_plus_one.cuh")
            .instead_of("atomic_add")
            .with_block(tutorial_block_size)
            .with_bound(one_word_bound),
    };
}
