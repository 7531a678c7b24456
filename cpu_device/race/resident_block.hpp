// A block that has started and has not ended yet: its threads, and what they wait for.
#pragma once

#include <cstring>
#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "race/frames.hpp"
#include "race/order.hpp"
#include "race/recent_loads.hpp"
#include "scheduler.hpp"

namespace cpu_device::race {

// A copy that a thread has begun (memcpy_async), and for which it has not waited yet. It is made at
// some moment until then, as by a thread of its own.
struct Copy {
    const void* barrier;
    std::function<void()> make;  // null: it has been made
    Place place;
    std::uint64_t batch;  // those of one batch count as one
    bool committed;
    Clocks clocks;
};

inline bool same_line(const Place& a, const Place& b) {
    return a.line == b.line && std::strcmp(a.file, b.file) == 0;
}

// A line with a __syncthreads(), and how often each of the block's threads has passed it.
struct BarrierLine {
    Place place;
    std::vector<std::uint32_t> times;
    std::uint32_t ended_times = 0;  // of the first thread that has passed it and ended
    unsigned ended_thread = 0;
};

// A thread that reads a word again and again, and finds nothing new.
struct Polling {
    unsigned failed = 0;  // reads since it has changed something or backed off
    std::uintptr_t word = 0;
    Place place{nullptr, 0, nullptr};
};

// Does a thread do the same again and again? See spin_watch.hpp.
struct Rounds {
    std::uint32_t epoch = 0;
    std::uint32_t steps = 0, limit = 1;
    std::uint64_t kept = 0;  // of an earlier access: what the thread's stack held
    bool repeat = false;
    // Barriers met in the launch when the thread kept its state, and when it repeated itself
    // without a barrier in between; none: it has not.
    static constexpr std::uint32_t none = ~std::uint32_t{0};
    std::uint32_t kept_since = none, alone_since = none;
    std::uintptr_t looks_at = 0;  // the last access
};

struct ResidentBlock {
    std::size_t number;
    uint3 index;
    unsigned live;
    std::vector<Thread> threads;
    std::vector<Clocks> clocks;
    std::vector<Polling> polling;
    std::vector<Rounds> rounds;
    std::vector<RecentLoads> recent_loads;
    std::vector<unsigned> plain_accesses;  // of each thread, in a row
    std::vector<std::int64_t> priorities;  // of each thread, where the schedule goes by that
    std::vector<unsigned> at_barrier;
    // The return addresses of the calls that led each thread to the barrier it is at.
    std::vector<std::vector<const void*>> barrier_calls;
    std::vector<const void*> bottom;  // of each thread: the frame below the kernel's
    std::vector<BarrierLine> barrier_lines;
    std::map<unsigned, std::vector<Copy>> copies;               // of the threads that have any
    std::map<unsigned, std::vector<std::uint32_t>> copy_times;  // of each thread's slots for copies
    // What has been copied in a phase of a cuda::barrier.
    std::map<std::pair<const void*, std::uint32_t>, VectorClock> copied_in_phase;
    bool divergent = false;  // has been reported
    unsigned predicates = 0;
    unsigned barrier_result = 0;
    Warp warps[32];
    std::uint64_t last_ballots[32] = {};  // of each warp
    std::size_t arena_number = 0;
    std::size_t arena_used = 0;
    std::size_t shared_bytes = 0;
    std::map<const SharedVariable*, void*> shared;
};

// A thread of a resident block.
struct ThreadRef {
    ResidentBlock* block;
    unsigned thread;

    Thread& record() const { return block->threads[thread]; }
    Clocks& clocks() const { return block->clocks[thread]; }
    Polling& polling() const { return block->polling[thread]; }
    Rounds& rounds() const { return block->rounds[thread]; }
    unsigned& plain_accesses() const { return block->plain_accesses[thread]; }
    RecentLoads& recent_loads() const { return block->recent_loads[thread]; }
};

}  // namespace cpu_device::race
