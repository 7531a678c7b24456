// A launch, from its start to the end of its last thread.
#include <mutex>
#include <string>

#include "cpu_device/race.h"
#include "devices.hpp"
#include "race/barriers.hpp"
#include "race/blocks.hpp"
#include "race/checker.hpp"
#include "race/confinement.hpp"
#include "race/copies.hpp"
#include "race/counts.hpp"
#include "race/outcome_plan.hpp"
#include "race/places.hpp"
#include "race/report.hpp"
#include "race/report_log.hpp"
#include "race/report_memory.hpp"
#include "race/run_trace.hpp"
#include "race/stuck.hpp"
#include "race/threads.hpp"
#include "race/tracing.hpp"
#include "race/turns.hpp"
#include "race/warp_functions.hpp"
#include "race/wild_pointers.hpp"
#include "system.hpp"

// The program, by the linker.
extern "C" const char __executable_start[];
extern "C" char _end[];

namespace cpu_device {
namespace race {
namespace {

void end_thread() {
    finish_reports();
    ResidentBlock& block = *run.now.block;
    const unsigned number = run.now.thread;
    check_barriers_passed(block, number);
    check_copies(block, number);
    if (is_traced()) {
        tracing->note(StepKind::end, {});
    }
    run.now.record().state = State::ended;
    running = nullptr;
    --block.live;
    run.spins.note_change();
    note_progress();
    barrier_without(block);
    leave_warp(block, number);
    if (block.live == 0) {
        end_block(block);
    }
}

// What a fiber does: thread after thread of whatever block is running.
[[noreturn]] void fiber_main() {
    Fiber& self = *running_fiber;
    for (;;) {
        run.now.block->bottom[run.now.thread] = __builtin_frame_address(0);
        if (confined) {
            wipe_thread_stack(self.stack);
        }
        run.launch->thread(run.launch->closure);
        end_thread();
        if (!choose()) {
            run.fibers->give_back(self);
            switch_to(run.host);
            continue;
        }
        Thread& next = run.now.record();
        if (next.fiber == nullptr) {
            next.fiber = &self;
            restore();
        } else {
            run.fibers->give_back(self);
            switch_to_chosen();
        }
    }
}

FiberPool& fibers() {
    static thread_local FiberPool pool(fiber_main);
    return pool;
}

}  // namespace
}  // namespace race

using namespace race;

bool first_to_fail() {
    finish_reports();
    return true;
}

// The stacks of the threads are never gone back to.
void leave_launch() {
    running = nullptr;
    for (const auto& block : run.launch->resident) {
        release_shared_memory(*block);
    }
    run.launch->resident.clear();
    switch_to(run.host);
    __builtin_unreachable();
}

const LaunchConfig& running_launch() {
    return run.launch->config;
}

bool in_kernel() {
    return running != nullptr;
}

void launched_with_object(unsigned number, const void* object, std::size_t bytes) {
    reserve_memory();
    trace_object(number, object, bytes);
}

void launched_with(const LaunchConfig& config, unsigned number, const void* argument,
                   Pointee pointee) {
    reserve_memory();
    elements_seem_to_be(argument, pointee.bytes, pointee.kind);
    const auto* const byte = static_cast<const char*>(argument);
    const bool in_program = byte >= __executable_start && byte < _end;  // also what is constant
    trace_argument(number, argument, pointee.bytes);
    if (byte != nullptr && !in_program && offset_of(byte) == unchecked && !is_registered(byte)) {
        name_launch(&config);
        report("HOST POINTER",
               place_of({config.place.file, config.place.line}) + " " + std::to_string(number),
               Text().say("host.pointer", {{"number", std::to_string(number)}}));
        name_launch(nullptr);
    }
}

namespace {

// The frame of `confined_frame` is that of the function which the source has called.
[[gnu::noinline]] void run_launch(const LaunchConfig& config, void (*thread)(const void*),
                                  const void* closure, void* const* confined_frame) {
    if (!acceptable(config)) {
        return;
    }
    // Kernels that several threads of the host launch run one after the other.
    static std::mutex one_launch_at_a_time;
    const std::lock_guard<std::mutex> lock(one_launch_at_a_time);
    const LaunchOnDevice here;
    if (!run.schedule.is_seeded()) {
        set_seed(whole_number_from_environment("RACE_SEED", 1, 0, 1000000000000000));
    }
    if (confined) {
        confined_launch(confined_frame);
    }
    reserve_memory();  // which settles how many blocks there is room for
    race::Launch launch(config, thread, closure);
    if (launch.blocks > UINT32_MAX / launch.threads_per_block) {
        name_launch(&config);
        report_too_large(
            Text().say("large.threads", {{"blocks", std::to_string(launch.blocks)},
                                         {"threads", std::to_string(launch.threads_per_block)}}));
    }
    run.spins = {};
    run.schedule.begin_launch(launch.blocks, launch.threads_per_block);
    catch_wild_pointers();
    forget_barriers();
    begin_outcomes_launch();
    begin_turns();
    begin_launch(launch.config);
    copies_to_make = 0;
    unset_pattern_was_read = false;
    run.launch = &launch;
    run.fibers = &fibers();
    blockDim = launch.config.block;
    gridDim = launch.config.grid;
    run.host = fiber_of_os_thread();
    running_fiber = &run.host;
    {
        const EndlessLoopWatch watch;
        wait_for_turn();
    }
    running = nullptr;
    threadIdx = blockIdx = {};  // the host has none, and learns nothing of who came last
    end_launch(launch.config);
    end_outcomes_launch();
    end_turns();
    look_at_launch_bounds(config);
    if (counting) {
        count_launch(launch.blocks, std::uint64_t{launch.threads_per_block} * launch.blocks);
    }
    run.launch = nullptr;
}

}  // namespace

void launch(const LaunchConfig& config, void (*thread)(const void*), const void* closure) {
    run_launch(config, thread, closure, static_cast<void* const*>(__builtin_frame_address(0)));
    if (confined) {
        wipe_stack();
    }
}

}  // namespace cpu_device
