// The table of variants of neighbor_list: what the program shows, the tests check and the benchmark
// times.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "common/device.cuh"
#include "common/shared_memory.cuh"
#include "harness/variant.cuh"
#include "neighbor_list/1_atomic.cuh"
#include "neighbor_list/2_no_atomic.cuh"
#include "neighbor_list/3_tiled.cuh"
#include "neighbor_list/4_cell_list.cuh"
#include "neighbor_list/5_cell_list_sorted.cuh"
#include "neighbor_list/fast/fused_rows.cuh"
#include "neighbor_list/fast/ghost_bins.cuh"
#include "neighbor_list/problem.cuh"
#include "neighbor_list/wrong_mixed_layout.cuh"
#include "neighbor_list/wrong_reread_count.cuh"
#include "neighbor_list/wrong_use_then_add.cuh"
#include "neighbor_list/wrong_zero_in_kernel.cuh"

// The variants that test all pairs are left out where that would take minutes.
template <typename T>
std::string skip_beyond_all_pairs(const NeighborProblem<T>& p) {
    constexpr std::size_t max = common::on_cpu_device ? 50000 : 1000000;
    return p.n() <= max
               ? ""
               : "all pairs of more than " + std::to_string(max) + " atoms take too long here";
}

template <typename T>
std::string skip_beyond_fused_rows(const NeighborProblem<T>& p) {
    return p.n() <= max_atoms_for_fused_rows
               ? ""
               : "for at most " + std::to_string(max_atoms_for_fused_rows) + " atoms";
}

// A block of ghost_bins needs a counter in shared memory for each bin, or for each tile.
template <typename T>
std::string skip_beyond_shared_memory(const NeighborProblem<T>& p) {
    const unsigned tiles = BinTiles<T>{p.N(), 0, 0, nullptr, nullptr, nullptr}.tiles();
    const std::size_t needed = std::max(tile_bytes(p.bins(), 0), bin_bytes(p.bins(), tiles));
    return needed <= common::max_shared_memory()
               ? ""
               : "so many atoms need " + std::to_string(needed / 1024 + 1) +
                     " KiB of shared memory per block; here are " +
                     std::to_string(common::max_shared_memory() / 1024);
}

template <typename T>
using AllPairsLauncher = Layout (*)(const T* d_x, const T* d_y, int N, T cutoff_squared, int MN,
                                    int* d_NN, int* d_NL, int block_size);

template <typename P, typename T, AllPairsLauncher<T> launch>
void run_all_pairs(P& p) {
    p.layout = launch(p.d_x(), p.d_y(), p.N(), p.cutoff_squared(), p.MN(), p.d_NN(), p.d_NL(),
                      p.block_size);
}

template <typename T>
std::vector<harness::Variant<NeighborProblem<T>>> neighbor_variants() {
    using P = NeighborProblem<T>;
    using Row = harness::Variant<P>;
    using harness::Kind;
    constexpr int book_block_size = 128;  // Fan, CUDA Programming, section 9.3
    constexpr std::size_t three_blocks = 150;
    const auto all_pairs = [&](Row row) {
        return row.with_block(book_block_size)
            .with_smallest_n(three_blocks)
            .with_skip(skip_beyond_all_pairs<T>);
    };
    return {
        all_pairs({"atomic", "each pair once; atomicAdd hands out the places in both lists",
                   Kind::right, run_all_pairs<P, T, launch_atomic<T>>})
            .from("1_atomic.cuh"),
        all_pairs({"no_atomic", "each pair twice; a thread writes to its own list only",
                   Kind::right, run_all_pairs<P, T, launch_no_atomic<T>>})
            .from("2_no_atomic.cuh"),
        all_pairs({"tiled", "coordinates through shared memory", Kind::right,
                   run_all_pairs<P, T, launch_tiled<T>>})
            .from("3_tiled.cuh"),
        Row{"cell_list", "only atoms of nine cells: O(N) tests", Kind::right,
            [](P& p) {
                p.layout = launch_cell_list(p.d_x(), p.d_y(), p.N(), p.cutoff_squared(), p.MN(),
                                            p.grid(), p.cells(), p.d_NN(), p.d_NL(), p.block_size);
            }}
            .from("4_cell_list.cuh")
            .with_block(book_block_size)
            .with_smallest_n(three_blocks),
        Row{"cell_list_sorted", "the coordinates move to their cells first", Kind::right,
            [](P& p) {
                p.layout = launch_cell_list_sorted(p.d_x(), p.d_y(), p.N(), p.cutoff_squared(),
                                                   p.MN(), p.grid(), p.cells(), p.d_cell_atoms(),
                                                   p.d_NN(), p.d_NL(), p.block_size);
            }}
            .from("5_cell_list_sorted.cuh")
            .with_block(book_block_size)
            .with_smallest_n(three_blocks),
        Row{"fused_rows", "few atoms: one kernel, three rows of cells in shared memory",
            Kind::right,
            [](P& p) {
                p.layout = launch_fused_rows(p.d_x(), p.d_y(), p.N(), p.cutoff_squared(), p.MN(),
                                             p.grid(), p.d_NN(), p.d_NL());
            }}
            .from("fast/fused_rows.cuh")
            .in_record()
            .with_fixed_block(fused_rows_block_size)
            .with_smallest_n(30)  // four rows of cells, a block of 1024 threads for each
            .with_skip(skip_beyond_fused_rows<T>),
        Row{"ghost_bins", "many atoms: square bins with ghost atoms around, in shared memory",
            Kind::right,
            [](P& p) {
                p.layout = launch_ghost_bins(p.d_x(), p.d_y(), p.cutoff_squared(), p.MN(), p.bins(),
                                             p.tiles(), p.d_NN(), p.d_NL(), p.block_size);
            }}
            .from("fast/ghost_bins.cuh")
            .in_record()
            .with_block(book_block_size)
            .with_smallest_n(tile_size + 800)  // two tiles, and several bins
            .with_prepare([](P& p) { p.reserve_bins(); })
            .with_skip(skip_beyond_shared_memory<T>),
        all_pairs({"zero_in_kernel", "d_NN[n1] = 0 in the kernel: wipes out other threads' counts",
                   Kind::race, run_all_pairs<P, T, launch_zero_in_kernel<T>>})
            .from("wrong_zero_in_kernel.cuh")
            .instead_of("atomic"),
        all_pairs({"use_then_add", "reads d_NN[n] before its atomicAdd: two threads, one place",
                   Kind::race, run_all_pairs<P, T, launch_use_then_add<T>>})
            .from("wrong_use_then_add.cuh")
            .instead_of("atomic"),
        all_pairs({"reread_count", "reads d_NN[n] after its atomicAdd: two threads, one place",
                   Kind::race, run_all_pairs<P, T, launch_reread_count<T>>})
            .from("wrong_reread_count.cuh")
            .instead_of("atomic"),
        all_pairs({"mixed_layout", "writes neighbor-major, is read atom-major", Kind::wrong_result,
                   run_all_pairs<P, T, launch_mixed_layout<T>>})
            .from("wrong_mixed_layout.cuh")
            .instead_of("no_atomic"),
    };
}
