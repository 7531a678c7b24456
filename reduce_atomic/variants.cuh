// The table of variants of reduce_atomic: what the program shows, the tests check and the benchmark
// times.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "common/block_reduce.cuh"
#include "common/launch.cuh"
#include "common/vector_load.cuh"
#include "harness/variant.cuh"
#include "reduce_atomic/1_atomic_per_element.cuh"
#include "reduce_atomic/2_block_tree.cuh"
#include "reduce_atomic/3_warp_shuffle.cuh"
#include "reduce_atomic/4_last_block.cuh"
#include "reduce_atomic/fast/cub.cuh"
#include "reduce_atomic/fast/exact.cuh"
#include "reduce_atomic/fast/fixed_point.cuh"
#include "reduce_atomic/fast/vectorized.cuh"
#include "reduce_atomic/problem.cuh"
#include "reduce_atomic/wrong_no_guard.cuh"
#include "reduce_atomic/wrong_plain_add.cuh"

// How many roundings a term passes through, for each variant's error bound.
template <typename T>
struct SumRoundings {
    using P = SumProblem<T>;
    static double tree(const P& p) {
        return std::ceil(std::log2(p.block_size)) + common::blocks_to_cover(p.n(), p.block_size);
    }
    static double in_thread(const P& p, int grid_size) {
        return std::ceil(static_cast<double>(p.n()) /
                         (static_cast<double>(grid_size) * p.block_size));
    }
    static double shuffle(const P& p) {
        const int grid_size = common::blocks_to_fill_device(p.n(), p.block_size);
        return in_thread(p, grid_size) + common::block_sum_additions + grid_size;
    }
    static double last_block(const P& p) {
        const int grid_size = common::blocks_to_fill_device(p.n(), p.block_size);
        const double in_last_block = std::ceil(static_cast<double>(grid_size) / p.block_size);
        return in_thread(p, grid_size) + in_last_block + 2 * common::block_sum_additions;
    }
    static double vectorized(const P& p) {
        const int grid_size = common::blocks_of_one_tile<T>(p.n(), p.block_size, 1);
        return common::vectorized_sum_additions<T>(p.n(), grid_size, p.block_size) +
               common::block_sum_additions + grid_size;
    }
    // CUB promises no bound. It adds serially in at least as many threads as two blocks of 256 per
    // multiprocessor have, and then by trees.
    static double cub(const P& p) {
        return 64 + static_cast<double>(p.n()) / (512.0 * common::multiprocessor_count());
    }
};

template <typename T>
std::vector<harness::Variant<SumProblem<T>>> sum_variants() {
    using P = SumProblem<T>;
    using Row = harness::Variant<P>;
    using harness::Kind;
    using Roundings = SumRoundings<T>;
    constexpr int book_block_size = 128;  // Fan, CUDA Programming, section 9.1
    constexpr std::size_t three_vectorized_tiles =
        std::size_t{3 * 64 * common::loads_in_flight} * common::elements_per_vector<T> + 21;
    return {
        Row{"atomic_per_element", "one atomicAdd per element", Kind::right,
            [](P& p) { launch_atomic_per_element(p.d_x(), p.n(), p.d_sum(), p.block_size); }}
            .from("1_atomic_per_element.cuh")
            .with_block(book_block_size)
            .with_bound([](const P& p) {
                const auto n = static_cast<double>(p.n());
                return p.bound(n, n);
            }),
        Row{"block_tree", "a tree in shared memory, one atomicAdd per block", Kind::right,
            [](P& p) { launch_block_tree(p.d_x(), p.n(), p.d_sum(), p.block_size); }}
            .from("2_block_tree.cuh")
            .with_block(book_block_size)
            .with_bound([](const P& p) { return p.bound(Roundings::tree(p), Roundings::tree(p)); }),
        Row{"warp_shuffle", "many elements per thread first, then warp shuffles", Kind::right,
            [](P& p) { launch_warp_shuffle(p.d_x(), p.n(), p.d_sum(), p.block_size); }}
            .from("3_warp_shuffle.cuh")
            .with_block(book_block_size)
            .with_bound(
                [](const P& p) { return p.bound(Roundings::shuffle(p), Roundings::shuffle(p)); }),
        Row{"last_block", "the last block adds the blocks' sums in order", Kind::right,
            [](P& p) {
                launch_last_block(p.d_x(), p.n(), p.d_partial(), p.d_ticket(), p.d_sum(),
                                  p.block_size);
            }}
            .from("4_last_block.cuh")
            .with_block(book_block_size)
            .with_same_bits()
            .with_prepare([](P& p) {
                p.reserve(common::blocks_to_fill_device(p.n(), p.block_size) * sizeof(T));
            })
            .with_bound([](const P& p) { return p.bound(Roundings::last_block(p)); }),
        Row{"fixed_point", "integers: the same bits in any order", Kind::right,
            [](P& p) {
                launch_fixed_point(p.d_x(), p.n(), fixed_point_scale<T>(p.n(), p.max_magnitude()),
                                   p.d_fixed(), p.d_special(), p.d_ticket(), p.d_sum(),
                                   p.block_size);
            }}
            .from("fast/fixed_point.cuh")
            .in_record()
            .with_block(256)
            .with_smallest_n(three_vectorized_tiles)
            .with_same_bits()
            .with_bound([](const P& p) {  // half a unit per term, and two roundings at the end
                const double scale = fixed_point_scale<T>(p.n(), p.max_magnitude());
                return p.bound(2) + 0.5 * static_cast<double>(p.n()) / scale;
            }),
        Row{"exact", "the exact sum of any numbers, rounded once", Kind::right,
            [](P& p) {
                launch_exact(p.d_x(), p.n(), p.d_bins(), p.d_special(), p.d_ticket(), p.d_sum(),
                             p.block_size);
            }}
            .from("fast/exact.cuh")
            .in_record()
            .with_block(256)
            .with_smallest_n(three_vectorized_tiles)
            .with_same_bits()
            .with_bound([](const P& p) { return p.bound_of_one_rounding(); }),
        Row{"vectorized", "16-byte loads, eight in flight per thread", Kind::right,
            [](P& p) { launch_vectorized(p.d_x(), p.n(), p.d_sum(), p.block_size); }}
            .from("fast/vectorized.cuh")
            .in_record()
            .with_block(512)
            .with_smallest_n(three_vectorized_tiles)
            .with_bound([](const P& p) {
                return p.bound(Roundings::vectorized(p), Roundings::vectorized(p));
            }),
#ifndef CPU_DEVICE
        Row{"cub", "cub::DeviceReduce::Sum", Kind::library,
            [](P& p) { launch_cub(p.d_x(), p.n(), p.d_storage(), p.storage_bytes(), p.d_sum()); }}
            .from("fast/cub.cuh")
            .with_fixed_block(0)
            .with_prepare([](P& p) { p.reserve(cub_storage_bytes(p.d_x(), p.n(), p.d_sum())); })
            .with_bound([](const P& p) { return p.bound(Roundings::cub(p)); }),
#endif
        Row{"plain_add", "*d_sum += s_y[0]: blocks overwrite each other's sums", Kind::race,
            [](P& p) { launch_plain_add(p.d_x(), p.n(), p.d_sum(), p.block_size); }}
            .from("wrong_plain_add.cuh")
            .instead_of("block_tree")
            .with_block(book_block_size)
            .with_bound([](const P& p) { return p.bound(Roundings::tree(p)); }),
        Row{"no_guard", "no if (tid == 0): the sum is block_size times too large",
            Kind::wrong_result,
            [](P& p) { launch_no_guard(p.d_x(), p.n(), p.d_sum(), p.block_size); }}
            .from("wrong_no_guard.cuh")
            .instead_of("block_tree")
            .with_block(book_block_size)
            .with_bound([](const P& p) { return p.bound(Roundings::tree(p)); }),
    };
}
