// The state of race mode: the launch that runs, and who runs of it. All threads of a launch are
// fibers of one OS thread.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "fiber.hpp"
#include "race/order.hpp"
#include "race/resident_block.hpp"
#include "race/schedule.hpp"
#include "race/spin_watch.hpp"
#include "scheduler.hpp"

namespace cpu_device::race {

struct Launch {
    Launch(const LaunchConfig& config_, void (*thread_)(const void*), const void* closure_);

    const LaunchConfig config;    // a copy: the program's lies where its threads may write
    void (*thread)(const void*);  // the kernel, called with `closure`
    const void* closure;
    unsigned threads_per_block;
    std::size_t blocks, next_block = 0;
    // Blocks that are alive at a time: further ones start when others have ended. If all of them
    // wait, they may wait for one that has not started: then it starts beside them.
    std::size_t resident_limit, max_resident;
    std::vector<std::unique_ptr<ResidentBlock>> resident;
    std::vector<std::size_t> free_arenas;
    std::vector<ThreadRef> in_active_mask;
    bool is_stuck = false;  // a deadlock is reported: the threads that are alive wait without end
    Forecast forecast;
};

struct Run {
    Schedule schedule;  // a seed counts for all launches that follow
    SpinWatch spins;
    Launch* launch = nullptr;  // null in host code
    ThreadRef now{};           // the running thread
    Fiber host;                // that has launched
    FiberPool* fibers = nullptr;
    std::map<std::uintptr_t, const Fiber*> stacks;  // of threads, by address
    Where atomic_at{};                              // the atomic that is being made; line 0: none
};
extern Run& run;

// The clocks of the running thread; null in host code, also in that of another OS thread.
extern __thread Clocks* running;

}  // namespace cpu_device::race
