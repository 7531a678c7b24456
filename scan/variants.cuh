// The table of variants of scan: what the program shows, the tests check and the benchmark times.
#pragma once

#include <cmath>
#include <cstddef>
#include <string>
#include <type_traits>
#include <vector>

#include "common/device.cuh"
#include "common/launch.cuh"
#include "harness/variant.cuh"
#include "scan/1_three_kernels.cuh"
#include "scan/2_chained.cuh"
#include "scan/3_look_back.cuh"
#include "scan/4_two_words.cuh"
#include "scan/fast/cub.cuh"
#include "scan/fast/warp_look_back.cuh"
#include "scan/problem.cuh"
#include "scan/wrong_block_index.cuh"
#include "scan/wrong_no_release.cuh"
#include "scan/wrong_plain_words.cuh"
#include "scan/wrong_state_not_reset.cuh"

// How many roundings a term passes through, for each variant's error bound.
template <typename T>
struct ScanRoundings {
    using P = ScanProblem<T>;
    // In its thread, in its warp, over the block's warps, and where it is stored.
    static constexpr double in_block = items_per_thread + 5 + common::max_warps_per_block + 3;

    static double tiles(const P& p) { return tiles_of(p.n(), p.block_size); }
    static double three_kernels(const P& p) {
        return 2 * in_block + std::ceil(tiles(p) / (p.block_size * items_per_thread));
    }
    static double chained(const P& p) { return in_block + tiles(p); }
    // Once for each tile that is looked back at, and once for each prefix that is made.
    static double look_back(const P& p) { return in_block + 2 * tiles(p); }
    static double warp_look_back(const P& p) {
        return 4 + 5 + fast_scan_vectors + 5 + 8 + 2.0 * fast_scan_tiles(p.n());
    }
    // CUB promises no bound. Its tiles have at least 512 elements on all GPUs so far.
    static double cub(const P& p) { return 64 + 2 * std::ceil(static_cast<double>(p.n()) / 512); }
};

// Why a variant that may never end is not started here, or empty. The CPU device notices that, and
// ends the program with a report.
template <typename T>
std::string skip_reason_endless(const ScanProblem<T>&) {
    return common::on_cpu_device ? "" : "a GPU may never end; the CPU device shows the fault";
}

template <typename T>
std::vector<harness::Variant<ScanProblem<T>>> scan_variants() {
    using P = ScanProblem<T>;
    using Row = harness::Variant<P>;
    using harness::Kind;
    using Roundings = ScanRoundings<T>;
    constexpr int default_block = 256;
    constexpr std::size_t five_tiles = 4 * 64 * items_per_thread + 51;  // in race mode
    const auto by_tiles = [](Row row) {
        return row.with_block(default_block).with_smallest_n(five_tiles).with_prepare([](P& p) {
            p.reserve_tiles(tiles_of(p.n(), p.block_size));
        });
    };
    const auto whole_numbers_same_bits = [](Row row) {
        return std::is_floating_point<T>::value ? row : row.with_same_bits();
    };
    return {
        by_tiles(Row{
            "three_kernels", "scan the tiles, scan their sums, add the sums", Kind::right,
            [](P& p) { launch_three_kernels(p.d_x(), p.n(), p.d_y(), p.d_sums(), p.block_size); }}
                     .from("1_three_kernels.cuh")
                     .with_same_bits()
                     .with_bound([](const P& p) { return p.bound(Roundings::three_kernels(p)); })),
        by_tiles(Row{
            "chained", "one kernel; each block waits for the sum of the one before it", Kind::right,
            [](P& p) {
                launch_chained(p.d_x(), p.n(), p.d_y(), p.d_ticket(), p.d_prefix(), p.d_flags(),
                               p.block_size);
            }}.from("2_chained.cuh")
                     .with_same_bits()
                     .with_bound([](const P& p) { return p.bound(Roundings::chained(p)); })),
        whole_numbers_same_bits(by_tiles(Row{
            "look_back", "a block says its own sum first, and looks back over several", Kind::right,
            [](P& p) {
                launch_look_back(p.d_x(), p.n(), p.d_y(), p.d_ticket(), p.d_tile_words(),
                                 p.block_size);
            }}.from("3_look_back.cuh")
                                             .with_bound([](const P& p) {
                                                 return p.bound(Roundings::look_back(p));
                                             }))),
        whole_numbers_same_bits(
            by_tiles(Row{
                "two_words", "state and value in two words, with release and acquire", Kind::right,
                [](P& p) {
                    launch_two_words(p.d_x(), p.n(), p.d_y(), p.d_ticket(), p.tile_values(),
                                     p.block_size);
                }}.from("4_two_words.cuh")
                         .with_bound([](const P& p) { return p.bound(Roundings::look_back(p)); }))),
        whole_numbers_same_bits(
            Row{"warp_look_back", "16-byte loads; a warp looks back at 32 tiles at a time",
                Kind::right,
                [](P& p) { launch_warp_look_back(p.d_x(), p.n(), p.d_y(), p.d_tile_words()); }}
                .from("fast/warp_look_back.cuh")
                .in_record()
                .with_fixed_block(fast_scan_block)
                .with_smallest_n(2 * fast_scan_tile + 51)
                .with_prepare(
                    [](P& p) { p.reserve_tiles(fast_scan_tiles(p.n()) + std::size_t{1}); })
                .with_bound([](const P& p) { return p.bound(Roundings::warp_look_back(p)); })),
#ifndef CPU_DEVICE
        Row{"cub", "cub::DeviceScan::InclusiveSum", Kind::library,
            [](P& p) { launch_cub(p.d_x(), p.n(), p.d_storage(), p.storage_bytes(), p.d_y()); }}
            .from("fast/cub.cuh")
            .with_fixed_block(0)
            .with_prepare([](P& p) { p.reserve(cub_storage_bytes(p.d_x(), p.n(), p.d_y())); })
            .with_bound([](const P& p) { return p.bound(Roundings::cub(p)); }),
#endif
        by_tiles(Row{"no_release", "the flag is stored without release", Kind::unsynchronized,
                     [](P& p) {
                         launch_no_release(p.d_x(), p.n(), p.d_y(), p.d_ticket(), p.d_prefix(),
                                           p.d_flags(), p.block_size);
                     }}
                     .from("wrong_no_release.cuh")
                     .instead_of("chained")
                     .with_bound([](const P& p) { return p.bound(Roundings::chained(p)); })),
        by_tiles(Row{"plain_words", "sum and flag in two plain words", Kind::race,
                     [](P& p) {
                         launch_plain_words(p.d_x(), p.n(), p.d_y(), p.d_ticket(), p.d_prefix(),
                                            p.d_flags(), p.block_size);
                     }}
                     .from("wrong_plain_words.cuh")
                     .instead_of("chained")
                     .with_skip(skip_reason_endless<T>)
                     .with_bound([](const P& p) { return p.bound(Roundings::chained(p)); })),
        by_tiles(Row{"state_not_reset", "a second launch finds the flags of the first one",
                     Kind::unsynchronized,
                     [](P& p) {
                         launch_state_not_reset(p.d_x(), p.n(), p.d_y(), p.d_ticket(), p.d_prefix(),
                                                p.d_flags(), p.block_size);
                     }}
                     .from("wrong_state_not_reset.cuh")
                     .instead_of("chained")
                     .with_bound([](const P& p) { return p.bound(Roundings::chained(p)); })),
        Row{"block_index", "blockIdx.x in place of a ticket: a block waits for one without a place",
            Kind::deadlock,
            [](P& p) {
                launch_block_index(p.d_x(), p.n(), p.d_y(), p.d_prefix(), p.d_flags(),
                                   p.block_size);
            }}
            .from("wrong_block_index.cuh")
            .instead_of("chained")
            .with_block(default_block)
            .with_prepare([](P& p) { p.reserve_tiles(block_index_tiles(p.n(), p.block_size)); })
            .with_skip(skip_reason_endless<T>),
    };
}
