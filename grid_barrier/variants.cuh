// The two tables of variants of grid_barrier: what the program shows, the tests check and the
// benchmark times.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "common/device.cuh"
#include "common/launch.cuh"
#include "grid_barrier/1_kernel_per_step.cuh"
#include "grid_barrier/2_block_barrier.cuh"
#include "grid_barrier/3_counter.cuh"
#include "grid_barrier/4_sense_reversal.cuh"
#include "grid_barrier/5_counter_tree.cuh"
#include "grid_barrier/6_cooperative_groups.cuh"
#include "grid_barrier/7_block_section.cuh"
#include "grid_barrier/8_grid_section.cuh"
#include "grid_barrier/fast/neighbor_flags.cuh"
#include "grid_barrier/problem.cuh"
#include "grid_barrier/resident.cuh"
#include "grid_barrier/wrong_barrier_in_branch.cuh"
#include "grid_barrier/wrong_counter_not_reset.cuh"
#include "grid_barrier/wrong_counter_reset.cuh"
#include "grid_barrier/wrong_lock_per_block.cuh"
#include "grid_barrier/wrong_narrow_scope.cuh"
#include "grid_barrier/wrong_no_fence.cuh"
#include "grid_barrier/wrong_thread_0_only.cuh"
#include "grid_barrier/wrong_too_many_blocks.cuh"
#include "harness/variant.cuh"

// Why all blocks of a grid cannot be started together here, or empty.
inline std::string skip_reason_cooperative(const HeatProblem&) {
    return common::device_attribute<cudaDevAttrCooperativeLaunch>() != 0
               ? ""
               : "needs cooperative launches, which this device has not";
}

// Why a variant that never ends is not started here, or empty. The CPU device notices that, and
// ends the program with a report.
inline std::string skip_reason_endless(const HeatProblem&) {
    return common::on_cpu_device ? "" : "a GPU would never end; the CPU device reports it";
}

inline std::vector<harness::Variant<HeatProblem>> heat_variants() {
    using P = HeatProblem;
    using Row = harness::Variant<P>;
    using harness::Kind;
    // The fewer blocks, the shorter a barrier takes. The small plate of the CPU device needs
    // several.
    constexpr int default_block = common::on_cpu_device ? 256 : 1024;
    return {
        Row{"kernel_per_step", "a launch for each step: the end of a kernel is a barrier",
            Kind::right, [](P& p) { launch_kernel_per_step(p.start(), p.steps(), p.block_size); }}
            .from("1_kernel_per_step.cuh")
            .with_block(default_block)
            .with_same_bits(),
        Row{"block_barrier", "one block, and a barrier for it from atomics in shared memory",
            Kind::right, [](P& p) { launch_block_barrier(p.start(), p.steps(), p.block_size); }}
            .from("2_block_barrier.cuh")
            .with_block(default_block)
            .with_same_bits(),
        Row{"counter", "a barrier for the grid: one counter that goes on counting", Kind::right,
            [](P& p) {
                launch_counter(p.start(), p.steps(), p.d_arrived(), p.block_size, p.grid_size);
            }}
            .from("3_counter.cuh")
            .with_skip(skip_reason_cooperative)
            .with_block(default_block)
            .with_same_bits(),
        Row{"sense_reversal", "the counter goes back to 0, and a flag turns in each round",
            Kind::right,
            [](P& p) {
                launch_sense_reversal(p.start(), p.steps(), p.d_sense(), p.block_size, p.grid_size);
            }}
            .from("4_sense_reversal.cuh")
            .with_skip(skip_reason_cooperative)
            .with_block(default_block)
            .with_same_bits(),
        Row{"counter_tree", "a counter for each group of blocks, and one for the groups",
            Kind::right,
            [](P& p) {
                launch_counter_tree(p.start(), p.steps(), p.d_tree(), p.block_size, p.grid_size);
            }}
            .from("5_counter_tree.cuh")
            .with_skip(skip_reason_cooperative)
            .with_block(default_block)
            .with_prepare([](P& p) {
                p.reserve_tree(
                    resident_blocks(heat_counter_tree, p.n(), p.block_size, p.grid_size));
            })
            .with_same_bits(),
        Row{"cooperative_groups", "CUDA's own barrier for the grid: grid.sync()", Kind::right,
            [](P& p) {
                launch_cooperative_groups(p.start(), p.steps(), p.block_size, p.grid_size);
            }}
            .from("6_cooperative_groups.cuh")
            .with_block(default_block)
            .with_skip(skip_reason_cooperative)
            .with_same_bits(),
        Row{"neighbor_flags", "no barrier: a block waits for the two blocks beside it", Kind::right,
            [](P& p) {
                launch_neighbor_flags(p.start(), p.steps(), p.d_done(), p.block_size, p.grid_size);
            }}
            .from("fast/neighbor_flags.cuh")
            .with_skip(skip_reason_cooperative)
            .in_record()
            .with_block(default_block)
            .with_prepare([](P& p) {
                p.reserve_done(
                    resident_blocks(heat_neighbor_flags, p.n(), p.block_size, p.grid_size));
            })
            .with_same_bits(),
        Row{"no_fence", "the counter without release and acquire", Kind::unsynchronized,
            [](P& p) {
                launch_no_fence(p.start(), p.steps(), p.d_arrived(), p.block_size, p.grid_size);
            }}
            .from("wrong_no_fence.cuh")
            .with_skip(skip_reason_cooperative)
            .instead_of("counter")
            .with_block(default_block),
        Row{"thread_0_only", "thread 0 fences and counts before its block has come",
            Kind::unsynchronized,
            [](P& p) {
                launch_thread_0_only(p.start(), p.steps(), p.d_arrived(), p.block_size,
                                     p.grid_size);
            }}
            .from("wrong_thread_0_only.cuh")
            .with_skip(skip_reason_cooperative)
            .instead_of("counter")
            .with_block(default_block),
        Row{"counter_not_reset", "a counter for one round, used for many: no one waits any more",
            Kind::unsynchronized,
            [](P& p) {
                launch_counter_not_reset(p.start(), p.steps(), p.d_arrived(), p.block_size,
                                         p.grid_size);
            }}
            .from("wrong_counter_not_reset.cuh")
            .with_skip(skip_reason_cooperative)
            .instead_of("counter")
            .with_block(default_block),
        Row{"counter_reset", "block 0 resets the counter before all have seen it full",
            Kind::deadlock,
            [](P& p) {
                launch_counter_reset(p.start(), p.steps(), p.d_arrived(), p.block_size,
                                     p.grid_size);
            }}
            .from("wrong_counter_reset.cuh")
            .instead_of("sense_reversal")
            .with_block(default_block)
            .with_skip(skip_reason_endless),
        Row{"too_many_blocks", "more blocks than the device holds at one time", Kind::deadlock,
            [](P& p) { launch_too_many_blocks(p.start(), p.steps(), p.d_arrived(), p.block_size); }}
            .from("wrong_too_many_blocks.cuh")
            .instead_of("counter")
            .with_block(default_block)
            .with_skip(skip_reason_endless),
        Row{"barrier_in_branch", "only threads that have a cell come to the barrier",
            Kind::deadlock,
            [](P& p) {
                launch_barrier_in_branch(p.start(), p.steps(), p.d_arrived(), p.block_size);
            }}
            .from("wrong_barrier_in_branch.cuh")
            .instead_of("counter")
            .with_block(default_block)
            .with_skip(skip_reason_endless),
    };
}

inline std::vector<harness::Variant<HottestProblem>> hottest_variants() {
    using P = HottestProblem;
    using Row = harness::Variant<P>;
    using harness::Kind;
    constexpr int default_block = 256;
    return {
        Row{"block_section", "a critical section for each block, in shared memory", Kind::right,
            [](P& p) {
                p.compare_on_host(
                    launch_block_section(p.d_plate(), p.n(), p.d_of_block(), p.block_size));
            }}
            .from("7_block_section.cuh")
            .with_block(default_block)
            .with_prepare(
                [](P& p) { p.reserve_blocks(common::blocks_to_cover(p.n(), p.block_size)); })
            .with_same_bits(),
        Row{"grid_section", "then one for the whole grid, in global memory", Kind::right,
            [](P& p) {
                launch_grid_section(p.d_plate(), p.n(), p.d_mutex(), p.d_hottest(), p.block_size);
            }}
            .from("8_grid_section.cuh")
            .with_block(default_block)
            .with_same_bits(),
        Row{"lock_per_block", "a lock in shared memory for data that all blocks share", Kind::race,
            [](P& p) {
                launch_lock_per_block(p.d_plate(), p.n(), p.d_mutex(), p.d_hottest(), p.block_size);
            }}
            .from("wrong_lock_per_block.cuh")
            .instead_of("grid_section")
            .with_block(default_block),
        Row{"narrow_scope", "the grid's lock with block scope", Kind::unsynchronized,
            [](P& p) {
                launch_narrow_scope(p.d_plate(), p.n(), p.d_mutex(), p.d_hottest(), p.block_size);
            }}
            .from("wrong_narrow_scope.cuh")
            .instead_of("grid_section")
            .with_block(default_block),
    };
}
