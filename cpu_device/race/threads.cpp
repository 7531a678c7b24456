// Threads take turns, and the entry points that kernels call. Every access to global or shared
// memory is a possible change of turns; who comes next is drawn by a seeded generator, so that a
// run repeats exactly.
#include "race/threads.hpp"

#include <signal.h>
#include <ucontext.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstring>
#include <functional>
#include <map>
#include <mutex>
#include <set>

#include "cpu_device/copies.h"
#include "cpu_device/race.h"
#include "race/counts.hpp"
#include "race/places.hpp"
#include "race/report.hpp"
#include "race/report_log.hpp"
#include "race/report_memory.hpp"
#include "race/words.hpp"
#include "scheduler.hpp"
#include "system.hpp"

// The program, by the linker.
extern "C" const char __executable_start[], _end[];

__thread uint3 threadIdx;
__thread uint3 blockIdx;
__thread dim3 blockDim;
__thread dim3 gridDim;

namespace cpu_device {

__thread Turn turn;

namespace race {

__thread Clocks* running = nullptr;
Plan* plan = nullptr;

namespace {

// Threads that are alive at a time; further blocks start when others have ended. Blocks that all
// wait may wait for one that has not started: then it starts beside them, up to the second number.
constexpr unsigned alive_threads = 1024;
constexpr unsigned most_alive_threads = 8192;
constexpr unsigned vain_reads_allowed = 4;           // before a thread stands back
constexpr std::uint64_t vain_turns_allowed = 20000;  // of all threads, and 200 for each
constexpr std::uint64_t reads_allowed = 50'000'000;  // in a row, with no write by anybody
constexpr std::size_t slow_turns = 5000;             // that a slow thread lets pass, on average

// The calls that lead from the kernel to a barrier, the innermost first.
struct BarrierCalls {
    unsigned depth = 0;
    const void* code[8] = {};
};

// A copy that a thread has begun (memcpy_async), and for which it has not waited yet.
struct Copy {
    const void* barrier;
    std::function<void()> make;
    Place place;
    bool batch = false;  // of commit_copies()
};

// A line with a __syncthreads(), and how often each of the block's threads has passed it.
struct Meeting {
    Place place;
    std::vector<std::uint32_t> times;
    std::uint32_t ended_times = 0;  // of the first thread that has passed it and ended
    unsigned ended_thread = 0;
};

struct ResidentBlock {
    std::size_t number;
    uint3 index;
    unsigned live;
    std::vector<Thread> threads;
    std::vector<Clocks> clocks;
    struct Patience {
        unsigned vain_reads = 0;
        std::uintptr_t word = 0;  // that was read in vain
    };
    std::vector<Patience> patience;
    std::vector<std::int64_t> priorities;  // of each thread, where turns go by that
    std::vector<unsigned> at_barrier;
    std::vector<BarrierCalls> barrier_calls;  // of each thread that is at the barrier
    std::vector<const void*> bottom;          // of each thread: the frame below the kernel's
    std::vector<Meeting> meetings;
    std::map<unsigned, std::vector<Copy>> copies;  // of the threads that have any
    bool divergent = false;                        // has been reported
    unsigned predicates = 0;
    unsigned barrier_result = 0;
    Warp warps[32];
    std::size_t arena_number = 0;
    std::size_t arena_used = 0;
    std::size_t shared_bytes = 0;
    std::map<const SharedVariable*, void*> shared;
};

struct Turns {
    ResidentBlock* block;
    unsigned thread;
};

// The launch that runs.
struct Launch {
    const LaunchConfig* config;
    void (*thread)(const void*);
    const void* closure;
    unsigned threads_per_block;
    std::size_t blocks, next_block, resident_limit, resident_most;
    std::vector<std::unique_ptr<ResidentBlock>> resident;
    std::vector<std::size_t> free_arenas;
    std::vector<Turns> ready, standing_back, in_active_mask;
    std::uint64_t vain_turns, steps_since_write;
    Forecast forecast;
    // Where some are starved or ahead: these slots.
    std::size_t special_begin, special_end;
    std::int64_t lowest;    // priority that any thread has been given
    unsigned steps_a_turn;  // on average, where turns go by priority
};
Launch* grid = nullptr;
Turns now{};
Fiber host;
std::map<std::uintptr_t, const Fiber*>& stacks = *new std::map<std::uintptr_t, const Fiber*>;

bool last_is_slow = false;
struct Rivals {
    const volatile void* word = nullptr;
    unsigned times = 0;
    std::function<std::uint32_t(std::uint32_t)> change;
};
Rivals& rivals = *new Rivals;
std::uintptr_t watched_begin = 0;
std::size_t watched_bytes = 0;
std::vector<Change>& all_changes = *new std::vector<Change>;
bool is_watched(const volatile void* address) {
    return reinterpret_cast<std::uintptr_t>(address) - watched_begin < watched_bytes;
}
// By the running thread.
void add_change(const volatile void* address, std::uint32_t value) {
    all_changes.push_back({running->slot, std::size_t{blockIdx.x} * blockDim.x + threadIdx.x,
                           std::size_t{blockIdx.y} * blockDim.y + threadIdx.y, address, value});
}
bool weak_may_fail = false;
unsigned weak_calls = 0;
Where atomic_at{};  // the atomic access that is being made; line 0: none

std::uint64_t random_state = 0;
bool seeded = false;

std::uint64_t draw() {  // splitmix64
    std::uint64_t z = (random_state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}
std::size_t draw_below(std::size_t count) {
    return static_cast<std::size_t>((draw() >> 32) * count >> 32);
}

// How turns are given. No single way finds everything: drawn by chance alone, threads stay close
// together, and none is ever far ahead of another or far behind.
enum class Way {
    chance,
    starved,          // one thread, warp or block has a turn only where no other can use one
    first_starved,    // the same with the grid's first thread, which often has a part of its own
    ahead,            // one thread, warp or block has a turn whenever it can use one
    priority,         // each thread has a priority, which falls now and then: the highest goes on
    reverse,          // the same, and the last thread of the grid has the highest
    after_atomics,    // who has changed a word by an atomic goes to the end of the queue
    blocks_reversed,  // the same, and the last block starts first
};
// Which seed takes which: seed 1 the first one.
constexpr Way ways[] = {Way::chance,        Way::starved, Way::reverse,  Way::after_atomics,
                        Way::first_starved, Way::ahead,   Way::priority, Way::blocks_reversed};
constexpr std::size_t way_count = sizeof ways / sizeof ways[0];
Way way = Way::chance;

bool is_special(const Turns& one) {
    const std::size_t slot = one.block->clocks[one.thread].slot;
    return slot >= grid->special_begin && slot < grid->special_end;
}

bool goes_by_priority() {
    return way == Way::priority || way == Way::reverse;
}
bool goes_by_queue() {
    return way == Way::after_atomics || way == Way::blocks_reversed;
}

// Threads that only read, as in a loop that waits for a plain word, must not go on without end.
bool has_gone_on_too_long() {
    return grid->steps_since_write > 256;
}

// Does the running thread look at a word many times before it lets others go on? Not where all
// wait.
bool is_insistent() {
    return grid->vain_turns == 0 && (goes_by_priority() || (way == Way::ahead && is_special(now)));
}

void choose_special_threads(Launch& g) {
    if (way != Way::starved && way != Way::first_starved && way != Way::ahead) {
        return;
    }
    const std::size_t block = way == Way::first_starved ? 0 : draw() % g.blocks;
    const std::size_t warps = (g.threads_per_block + 31) / 32;
    const std::size_t warp = way == Way::first_starved ? 0 : draw_below(warps);
    const std::size_t begin = block * g.threads_per_block;
    const std::size_t level = way == Way::first_starved ? 0 : draw_below(3);
    g.special_begin = begin + (level == 1 ? warp * 32 : 0);
    g.special_end = level == 0 ? begin + 1
                    : level == 1
                        ? std::min<std::size_t>(g.special_begin + 32, begin + g.threads_per_block)
                        : begin + g.threads_per_block;
}

Turns take_any(std::vector<Turns>& turns) {
    std::swap(turns[draw_below(turns.size())], turns.back());
    const Turns taken = turns.back();
    turns.pop_back();
    return taken;
}

Turns take(std::vector<Turns>& turns, std::size_t index) {
    std::swap(turns[index], turns.back());
    const Turns taken = turns.back();
    turns.pop_back();
    return taken;
}

// Of those that can go on: who does?
Turns take_next(std::vector<Turns>& turns) {
    if (way == Way::starved || way == Way::first_starved) {
        std::size_t drawn = draw_below(turns.size());
        for (int more = 8; more > 0 && is_special(turns[drawn]); --more) {
            drawn = draw_below(turns.size());
        }
        return take(turns, drawn);
    }
    if (way == Way::ahead && !has_gone_on_too_long()) {
        const auto found = std::find_if(turns.begin(), turns.end(), is_special);
        if (found != turns.end()) {
            return take(turns, static_cast<std::size_t>(found - turns.begin()));
        }
    }
    if (goes_by_queue()) {
        const Turns first = turns.front();
        turns.erase(turns.begin());
        return first;
    }
    if (goes_by_priority() && !has_gone_on_too_long()) {
        const auto is_lower = [](const Turns& a, const Turns& b) {
            return a.block->priorities[a.thread] < b.block->priorities[b.thread];
        };
        const auto highest = std::max_element(turns.begin(), turns.end(), is_lower);
        return take(turns, static_cast<std::size_t>(highest - turns.begin()));
    }
    return take_any(turns);
}

// Those who have read in vain have a turn in one of 16 cases, while others can go on; more often
// where only the starved can.
bool draw_from_ready(const Launch& g) {
    if (g.ready.empty() || g.standing_back.empty()) {
        return !g.ready.empty();
    }
    if (last_is_slow && g.ready.size() == 1) {
        return draw_below(slow_turns) == 0;
    }
    const bool starves = g.special_end > 0 && way != Way::ahead &&
                         g.ready.size() <= g.special_end - g.special_begin &&
                         std::all_of(g.ready.begin(), g.ready.end(), is_special);
    return starves ? draw_below(256) == 0 : draw_below(16) != 0;
}

[[noreturn]] void fiber_main();
FiberPool& fibers() {
    static thread_local FiberPool pool(fiber_main);
    return pool;
}

Thread& this_thread() {
    return now.block->threads[now.thread];
}

// The word for which a thread of this launch waits; 0: none.
std::uintptr_t awaited_by(std::uint32_t slot) {
    for (const auto& block : grid->resident) {
        const std::size_t thread = slot - block->number * grid->threads_per_block;
        if (thread < block->threads.size() && block->threads[thread].state == State::spinning) {
            return block->threads[thread].value;
        }
    }
    return 0;
}

// Has each of these words been changed last by a thread that waits for another one, as the locks of
// threads that wait for each other have?
bool wait_in_a_circle(const std::set<std::uintptr_t>& words) {
    return !words.empty() && std::all_of(words.begin(), words.end(), [](std::uintptr_t word) {
        const std::size_t offset = offset_of(reinterpret_cast<const void*>(word));
        const std::optional<Access> last =
            offset != unchecked ? last_change(offset) : std::optional<Access>();
        const std::uintptr_t awaited = last ? awaited_by(last->slot) : 0;
        return awaited != 0 && awaited != word;
    });
}

void replace_all(std::string& text, const std::string& what, const std::string& with) {
    for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += with.size()) {
        text.replace(at, what.size(), with);
    }
}

// Who waits where, and for what. Ends the program.
[[noreturn]] void report_stuck(const char* kind, const char* what) {
    std::string threads;
    std::set<std::uintptr_t> words;
    for (const auto& block : grid->resident) {
        threads += describe_threads(block->index, block->threads.data(), block->threads.size());
        for (const Thread& thread : block->threads) {
            if (thread.state == State::spinning && thread.value != 0) {
                words.insert(thread.value);
            }
        }
    }
    if (wait_in_a_circle(words)) {
        kind = "DEADLOCK";
        what = "Each thread waits for a word that another one of them has changed last.";
    }
    std::string text = std::string("  ") + what + " Who waits where:\n" + threads;
    for (const std::uintptr_t word : words) {
        const std::size_t offset = offset_of(reinterpret_cast<const void*>(word));
        if (offset != unchecked) {
            const std::optional<Access> last = last_change(offset);
            char address[32];
            std::snprintf(address, sizeof address, "the atomic at %p,",
                          reinterpret_cast<const void*>(word));
            replace_all(text, address, describe(offset, 4) + ",");
            text +=
                "  They wait for " + describe(offset, 4) + ", which holds " +
                value_text(*reinterpret_cast<const std::uint32_t*>(word), 4, Element::with_sign) +
                "; " +
                (!last
                     ? "no thread of this launch has changed it\n"
                     : name_of(*last) + " has changed it last, at " + place_of(last->where) + "\n");
        }
    }
    // Do they wait for blocks that race mode has no room for? Then the fault is not the program's.
    if (grid->next_block < grid->blocks && std::strcmp(kind, "LIVELOCK") == 0) {
        report_too_large("  " + std::to_string(grid->blocks - grid->next_block) +
                         " blocks have not started: race mode holds " +
                         std::to_string(grid->resident_most) +
                         " of this size at a time, and all\n  of those wait. If they wait for "
                         "the others, launch fewer blocks, or smaller ones.\n" +
                         text);
    }
    report_the_end(kind, text);
}

// An address at which there is no memory of the program's, such as one made from an index that no
// one has set.
[[noreturn]] void report_no_memory(const std::string& place, const std::string& thread,
                                   std::uintptr_t address) {
    char text[32];
    std::snprintf(text, sizeof text, "0x%zx", static_cast<std::size_t>(address));
    report_the_end("OUT OF BOUNDS", "  " + place + ": " + thread + " accesses address " + text +
                                        ",\n  where there is no memory at all. Has the index or "
                                        "the pointer been set?\n");
}

void meet_no_memory(int signal, siginfo_t* info, void* context) {
    if (running == nullptr) {
        ::signal(signal, SIG_DFL);  // of the host: as if race mode were not there
        return;
    }
    const std::string name = name_of(running->block, running->thread);
    running = nullptr;  // nothing that happens from here on is an access of the kernel's
    const void* code = nullptr;
    [[maybe_unused]] const auto& registers = static_cast<const ucontext_t*>(context)->uc_mcontext;
#if defined(__x86_64__)
    code = reinterpret_cast<const void*>(registers.gregs[REG_RIP] + 1);
#elif defined(__aarch64__)
    code = reinterpret_cast<const void*>(registers.pc + 1);
#endif
    const auto address = reinterpret_cast<std::uintptr_t>(info->si_addr);
    const std::string place = atomic_at.line != 0 ? place_of(atomic_at) : place_of({code, 0});
    const auto stack = reinterpret_cast<std::uintptr_t>(running_fiber->stack);
    if (address < stack && stack - address <= 4096) {
        // A stack lacks up to a page, since fiber.cpp lets them begin at different offsets.
        const std::size_t kib = (running_fiber->stack_bytes + 4095) / 4096 * 4;
        report_the_end("STACK OVERFLOW", "  " + place + ": " + name + " needs more than " +
                                             std::to_string(kib) +
                                             " KiB for its local variables and calls.\n");
    }
    report_no_memory(place, name, address);
}

void catch_wild_pointers() {
    static thread_local const bool caught = [] {
        stack_t alternative{};
        alternative.ss_size = 256 * 1024;
        alternative.ss_sp = untouched_memory(alternative.ss_size, "a stack for signals");
        struct sigaction action {};
        action.sa_sigaction = meet_no_memory;
        action.sa_flags = SA_SIGINFO | SA_ONSTACK;
        return sigaltstack(&alternative, nullptr) == 0 &&
               sigaction(SIGSEGV, &action, nullptr) == 0 &&
               sigaction(SIGBUS, &action, nullptr) == 0;
    }();
    static_cast<void>(caught);
}

uint3 index_in(const dim3& size, std::size_t number) {
    return {static_cast<unsigned>(number % size.x), static_cast<unsigned>(number / size.x % size.y),
            static_cast<unsigned>(number / size.x / size.y)};
}

void start_blocks() {
    Launch& g = *grid;
    while (g.next_block < g.blocks && g.resident.size() < g.resident_limit) {
        auto block = std::make_unique<ResidentBlock>();
        const std::size_t started = g.next_block++;
        const std::size_t number =
            way == Way::blocks_reversed && plan == nullptr ? g.blocks - 1 - started : started;
        block->number = number;
        block->index = index_in(g.config->grid, number);
        const unsigned threads = g.threads_per_block;
        block->live = threads;
        block->threads.resize(threads);
        block->clocks.resize(threads);
        block->patience.resize(threads);
        block->barrier_calls.resize(threads);
        block->bottom.resize(threads);
        for (unsigned t = 0; t < threads; ++t) {
            Thread& thread = block->threads[t];
            thread.fiber = nullptr;
            thread.number = static_cast<std::uint16_t>(t);
            const uint3 index = index_in(g.config->block, t);
            thread.index[0] = static_cast<std::uint16_t>(index.x);
            thread.index[1] = static_cast<std::uint16_t>(index.y);
            thread.index[2] = static_cast<std::uint16_t>(index.z);
            thread.state = State::running;
            begin(block->clocks[t], static_cast<std::uint32_t>(number * threads + t),
                  static_cast<std::uint32_t>(number), t);
            g.ready.push_back({block.get(), t});
        }
        if (goes_by_priority() && plan == nullptr) {
            block->priorities.resize(threads);
            for (unsigned t = 0; t < threads; ++t) {
                block->priorities[t] = way == Way::reverse
                                           ? static_cast<std::int64_t>(block->clocks[t].slot)
                                           : static_cast<std::int64_t>(draw() >> 1);
            }
        }
        if (threads % 32 != 0) {
            block->warps[threads / 32].ended = ~0u << threads % 32;  // lanes that do not exist
        }
        block->arena_number = g.free_arenas.back();
        g.free_arenas.pop_back();
        for (Clocks& clocks : block->clocks) {
            clocks.arena = static_cast<std::uint32_t>(block->arena_number);
        }
        add_shared(block->arena_number * arena_bytes, g.config->dynamic_shared,
                   "the dynamic shared memory");
        block->arena_used = g.config->dynamic_shared;
        g.resident.push_back(std::move(block));
    }
}

bool same_line(const Place& a, const Place& b) {
    return a.line == b.line && std::strcmp(a.file, b.file) == 0;
}

void complete_active_masks() {
    Launch& g = *grid;
    for (const Turns& one : g.in_active_mask) {
        Thread& me = one.block->threads[one.thread];
        me.result = 0;
        for (const Turns& other : g.in_active_mask) {
            if (other.block == one.block && other.thread / 32 == one.thread / 32 &&
                same_line(other.block->threads[other.thread].place, me.place)) {
                me.result |= 1u << other.thread % 32;
            }
        }
    }
    g.ready.insert(g.ready.end(), g.in_active_mask.begin(), g.in_active_mask.end());
    g.in_active_mask.clear();
}

// As choose(), by the plan: threads run up to an access before which they stop, then one is chosen.
void choose_by_plan() {
    Launch& g = *grid;
    std::vector<Turns>& from = g.ready.empty() ? g.standing_back : g.ready;
    std::size_t chosen = from.size() - 1;
    if (g.ready.empty()) {
        std::vector<const Clocks*> stopped;
        for (const Turns& one : from) {
            stopped.push_back(&one.block->clocks[one.thread]);
        }
        chosen = plan->choose(stopped);
        if (chosen == Plan::none) {
            report_stuck("LIVELOCK", "Every thread waits in vain for a word to change.");
        }
    }
    now = from[chosen];
    from.erase(from.begin() + static_cast<std::ptrdiff_t>(chosen));
}

// Draws who runs next. Those who only read in vain come seldom while others can run. False when
// all have ended.
bool choose() {
    Launch& g = *grid;
    start_blocks();
    if (g.ready.empty() && !g.in_active_mask.empty()) {
        complete_active_masks();
    }
    if (g.ready.empty() && g.standing_back.empty()) {
        if (!g.resident.empty()) {
            report_stuck("DEADLOCK",
                         "No thread can go on: each waits for others that do not come.");
        }
        return false;
    }
    if (plan != nullptr) {
        choose_by_plan();
        return true;
    }
    const bool from_ready = draw_from_ready(g);
    if (!from_ready && g.ready.empty() && ++g.vain_turns > 4 * g.standing_back.size() &&
        g.next_block < g.blocks && g.resident_limit < g.resident_most) {
        g.resident_limit = std::max(g.resident_limit, g.resident.size()) + 1;
        g.vain_turns = 0;
        return choose();
    }
    if (!from_ready && g.ready.empty() &&
        g.vain_turns > vain_turns_allowed + 200 * g.standing_back.size()) {
        for (const Turns& one : g.standing_back) {
            one.block->threads[one.thread].state = State::spinning;
        }
        report_stuck("LIVELOCK", "Every thread that can run waits in vain for a word to change.");
    }
    now = from_ready ? take_next(g.ready) : take_any(g.standing_back);
    return true;
}

void restore() {
    Thread& me = this_thread();
    running = &now.block->clocks[now.thread];
    threadIdx = {me.index[0], me.index[1], me.index[2]};
    blockIdx = now.block->index;
}

// Runs the chosen thread; returns when the calling one is chosen again.
void switch_to_chosen() {
    Thread& next = this_thread();
    restore();
    if (next.fiber == nullptr) {
        next.fiber = &fibers().take();
        stacks[reinterpret_cast<std::uintptr_t>(next.fiber->stack)] = next.fiber;
    }
    if (next.fiber != running_fiber) {
        switch_to(*next.fiber);
    }
}

void wait_for_turn() {
    if (choose()) {
        switch_to_chosen();
    }
}

void wake(ResidentBlock& block, unsigned thread) {
    block.threads[thread].state = State::running;
    if (&block != now.block || thread != now.thread) {
        grid->ready.push_back({&block, thread});
    }
}

std::string describe_block(const ResidentBlock& block) {
    return describe_threads(block.index, block.threads.data(), block.threads.size());
}

// From the frames on the thread's stack: kernels are compiled with frame pointers.
BarrierCalls calls_to_barrier(const void* frame) {
    BarrierCalls calls;
    const void* const bottom = now.block->bottom[now.thread];
    constexpr unsigned most = sizeof calls.code / sizeof calls.code[0];
    while (calls.depth < most && frame < bottom) {
        const void* const* const saved = static_cast<const void* const*>(frame);
        calls.code[calls.depth++] = saved[1];
        if (saved[0] <= frame) {
            break;
        }
        frame = saved[0];
    }
    return calls;
}

constexpr const char* barrier_rule =
    "  A __syncthreads() may stand in a branch or a loop only if all threads of the block take\n"
    "  it, and equally often. Let all of them come to it, and put the condition around the work:\n"
    "  if (tid < d) { ... } __syncthreads();\n";

void report_divergence(ResidentBlock& block, const Place& place, const std::string& text) {
    if (!block.divergent) {
        block.divergent = true;
        report("DIVERGENT BARRIER", "barrier " + place_of({place.file, place.line}), text);
    }
}

Meeting& meeting_at(ResidentBlock& block, const Place& place) {
    for (Meeting& meeting : block.meetings) {
        if (same_line(meeting.place, place)) {
            return meeting;
        }
    }
    block.meetings.push_back({place, std::vector<std::uint32_t>(block.threads.size())});
    return block.meetings.back();
}

std::string so_often(std::uint32_t times) {
    return times == 1 ? "once" : std::to_string(times) + " times";
}

// The threads at a barrier stand at one line: have the same calls led all of them there, and is it
// for all of them the same time?
void check_meeting(ResidentBlock& block, const Place& place) {
    const unsigned first = block.at_barrier.front();
    Meeting& meeting = meeting_at(block, place);
    for (const unsigned thread : block.at_barrier) {
        ++meeting.times[thread];
    }
    const auto name = [&](unsigned thread) {
        return name_of(static_cast<std::uint32_t>(block.number), thread);
    };
    for (const unsigned thread : block.at_barrier) {
        if (meeting.times[thread] != meeting.times[first]) {
            report_divergence(block, place,
                              "  " + place_of({place.file, place.line}) + ": " + name(first) +
                                  " comes to this __syncthreads() the " +
                                  std::to_string(meeting.times[first]) + ". time, and " +
                                  name(thread) + " the " + std::to_string(meeting.times[thread]) +
                                  ".\n" + barrier_rule);
            return;
        }
        const BarrierCalls& a = block.barrier_calls[first];
        const BarrierCalls& b = block.barrier_calls[thread];
        for (unsigned i = 0; i < std::min(a.depth, b.depth); ++i) {
            if (a.code[i] != b.code[i]) {
                report_divergence(block, place,
                                  "  " + place_of({place.file, place.line}) + ": " + name(first) +
                                      " comes to this __syncthreads() by the call at " +
                                      place_of({a.code[i], 0}) + ",\n  and " + name(thread) +
                                      " by the one at " + place_of({b.code[i], 0}) + ".\n" +
                                      barrier_rule);
                return;
            }
        }
    }
}

// A thread ends: those that have passed a barrier at all must have passed it equally often. One
// that has never come to it may have left the kernel early, which all GPUs allow since Volta.
void check_barriers_passed(ResidentBlock& block, unsigned thread) {
    for (Meeting& meeting : block.meetings) {
        const std::uint32_t times = meeting.times[thread];
        if (times == 0 || times == meeting.ended_times) {
            continue;
        }
        if (meeting.ended_times == 0) {
            meeting.ended_times = times;
            meeting.ended_thread = thread;
            continue;
        }
        const auto number = static_cast<std::uint32_t>(block.number);
        report_divergence(
            block, meeting.place,
            "  " + place_of({meeting.place.file, meeting.place.line}) + ": " +
                name_of(number, meeting.ended_thread) + " has passed this __syncthreads() " +
                so_often(meeting.ended_times) + ",\n  and " + name_of(number, thread) + " " +
                so_often(times) + ". Both have ended.\n" + barrier_rule +
                "  (Since Volta a GPU does not wait for threads that have ended, so the results\n"
                "  may be right there.)\n");
    }
}

void check_copies(const ResidentBlock& block, unsigned thread) {
    const auto found = block.copies.find(thread);
    if (found == block.copies.end()) {
        return;
    }
    const auto begun = std::find_if(found->second.begin(), found->second.end(),
                                    [](const Copy& copy) { return copy.make != nullptr; });
    if (begun == found->second.end()) {
        return;
    }
    const Place& place = begun->place;
    const std::string where = place_of({place.file, place.line});
    report("COPY WITHOUT A WAIT", "copy " + where,
           "  " + where + ": " + name_of(static_cast<std::uint32_t>(block.number), thread) +
               " begins a copy, and ends without having waited for it.\n"
               "  Only after the wait are the bytes there: wait(group) of cooperative_groups, or\n"
               "  the barrier that the copy was given.\n");
}

void complete_barrier(ResidentBlock& block) {
    block.barrier_result = block.predicates;
    block.predicates = 0;
    static std::vector<Clocks*>& clocks = *new std::vector<Clocks*>;
    clocks.clear();
    const Place place = block.threads[block.at_barrier.front()].place;
    bool together = true;
    for (const unsigned thread : block.at_barrier) {
        together = together && same_line(block.threads[thread].place, place);
        clocks.push_back(&block.clocks[thread]);
    }
    if (together) {
        check_meeting(block, place);
    } else {
        report_divergence(block, place, describe_block(block) + barrier_rule);
    }
    if (counting) {
        count_barrier(block.threads.size() - block.at_barrier.size());
    }
    for (const unsigned thread : block.at_barrier) {
        wake(block, thread);
    }
    block.at_barrier.clear();
    synchronize(clocks);
    note_progress();
}

// A lane that takes no part gives nothing to a shuffle. One that is as far away for all lanes may
// be that of a shuffle up or down, whose last lanes often do not use what they get.
void check_shuffle(const ResidentBlock& block, unsigned warp_number, unsigned group) {
    const Thread* const lanes = &block.threads[0] + warp_number * 32;
    int distance = 0;
    bool same_distance = true;
    const Thread* reader = nullptr;
    for (unsigned left = group; left != 0; left &= left - 1) {
        const int lane = __builtin_ctz(left);
        const int away = static_cast<int>(lanes[lane].source) - lane;
        same_distance = same_distance && (away == 0 || distance == 0 || away == distance);
        distance = away == 0 ? distance : away;
        if ((group >> lanes[lane].source & 1) == 0) {
            reader = reader == nullptr ? &lanes[lane] : reader;
        }
    }
    if (reader == nullptr || same_distance) {
        return;
    }
    char mask[16];
    std::snprintf(mask, sizeof mask, "0x%08x", reader->mask);
    const std::string place = place_of({reader->place.file, reader->place.line});
    report(
        "UNDEFINED SHUFFLE", "shuffle " + place,
        "  " + place + ": " + name_of(static_cast<std::uint32_t>(block.number), reader->number) +
            " asks for the value of lane " + std::to_string(reader->source) + " of its warp,\n" +
            "  which takes no part: it is not in the mask " + mask + ", or has ended.\n" +
            "  What it gets is undefined. All lanes that are read must be in the mask, and call\n"
            "  the function.\n");
}

bool complete_warp_function(ResidentBlock& block, unsigned warp_number, unsigned mask) {
    Thread* const lanes = &block.threads[0] + warp_number * 32;
    const unsigned group =
        cpu_device::complete_warp_function(block.warps[warp_number], mask, lanes);
    if (group == 0) {
        return false;
    }
    if (counting) {
        const std::size_t rest = block.threads.size() - warp_number * 32;
        const unsigned existing = rest >= 32 ? ~0u : (1u << rest) - 1;
        count_warp_function(static_cast<unsigned>(__builtin_popcount(mask & existing & ~group)));
    }
    const WarpOp op = lanes[__builtin_ctz(group)].op;
    if (op == WarpOp::shuffle) {
        check_shuffle(block, warp_number, group);
    }
    static std::vector<Clocks*>& clocks = *new std::vector<Clocks*>;
    clocks.clear();
    for (unsigned left = group; left != 0; left &= left - 1) {
        const unsigned thread = warp_number * 32 + static_cast<unsigned>(__builtin_ctz(left));
        clocks.push_back(&block.clocks[thread]);
        wake(block, thread);
    }
    if (op == WarpOp::sync) {  // shuffles, votes and matches exchange values, and order nothing
        synchronize(clocks);
    }
    note_progress();
    return true;
}

// Two lanes that wait for each other in two different warp functions, or with two masks, would do
// so without end. Ends the program.
void check_masks(const ResidentBlock& block, const Thread& me) {
    const unsigned lane = me.number % 32;
    const Thread* const lanes = &block.threads[me.number - lane];
    bool together = (me.mask >> lane & 1) != 0;
    for (unsigned left = me.mask & block.warps[me.number / 32].waiting; left != 0;
         left &= left - 1) {
        const Thread& other = lanes[__builtin_ctz(left)];
        together = together &&
                   ((other.mask >> lane & 1) == 0 || (other.mask == me.mask && other.op == me.op));
    }
    if (!together) {
        report_the_end("DIVERGENT WARP FUNCTION",
                       describe_block(block) +
                           "  Every lane in a mask must call the same warp function with the same "
                           "mask, and its own\n  lane must be in it.\n");
    }
}

void end_thread() {
    finish_reports();
    ResidentBlock& block = *now.block;
    const unsigned number = now.thread;
    check_barriers_passed(block, number);
    check_copies(block, number);
    Thread& me = block.threads[number];
    me.state = State::ended;
    running = nullptr;
    --block.live;
    note_progress();
    if (!block.at_barrier.empty() && block.at_barrier.size() == block.live) {
        complete_barrier(block);
    }
    Warp& warp = block.warps[number / 32];
    warp.ended |= 1u << number % 32;
    for (unsigned lane = 0; lane < 32; ++lane) {
        if ((warp.waiting >> lane & 1) != 0) {
            complete_warp_function(block, number / 32, block.threads[number / 32 * 32 + lane].mask);
        }
    }
    if (block.live == 0) {
        Launch& g = *grid;
        forget_memory(block.arena_number * arena_bytes, block.arena_used);
        drop_shared(block.arena_number * arena_bytes, block.arena_used);
        g.free_arenas.push_back(block.arena_number);
        const auto found = std::find_if(g.resident.begin(), g.resident.end(),
                                        [&](const auto& one) { return one.get() == &block; });
        g.resident.erase(found);
        g.forecast.block_ended(*g.config, g.blocks, g.next_block);
    }
}

void fiber_main() {
    Fiber& self = *running_fiber;
    for (;;) {
        now.block->bottom[now.thread] = __builtin_frame_address(0);
        grid->thread(grid->closure);
        end_thread();
        if (!choose()) {
            fibers().give_back(self);
            switch_to(host);
            continue;
        }
        Thread& next = this_thread();
        if (next.fiber == nullptr) {
            next.fiber = &self;
            restore();
        } else {
            fibers().give_back(self);
            switch_to_chosen();
        }
    }
}

// Comes seldom from now on.
void stand_back(Place place) {
    Thread& me = this_thread();
    me.place = place;
    me.value = now.block->patience[now.thread].word;
    grid->standing_back.push_back(now);
    wait_for_turn();
}

Thread& caller(const char* what, const char* file, int line) {
    if (running == nullptr) {
        fail("%s:%d: %s is called outside of a kernel", file, line, what);
    }
    finish_reports();
    return this_thread();
}

}  // namespace

void set_seed(std::uint64_t seed) {
    random_state = seed * 0x2545f4914f6cdd1du + 1;
    way = ways[(seed + way_count - 1) % way_count];
    seeded = true;
}

void make_last_slow(bool slow) {
    last_is_slow = slow;
}

void let_others_be_first(const volatile void* word, unsigned times,
                         std::function<std::uint32_t(std::uint32_t)> change) {
    rivals.word = word;
    rivals.times = times;
    if (change) {  // else this may be called by it
        rivals.change = std::move(change);
    }
}

void watch_changes(const volatile void* memory, std::size_t bytes) {
    watched_begin = reinterpret_cast<std::uintptr_t>(memory);
    watched_bytes = memory == nullptr ? 0 : bytes;
    all_changes.clear();
}
const std::vector<Change>& changes() {
    return all_changes;
}
void note_store(const volatile void* address) {
    if (is_watched(address)) {
        add_change(address, 0);
    }
}

void let_weak_fail(bool fail) {
    weak_may_fail = fail;
}

void note_progress() {
    grid->vain_turns = 0;
    grid->steps_since_write = 0;
    now.block->patience[now.thread].word = 0;
}

void may_switch(const volatile void* address) {
    finish_reports();
    Launch& g = *grid;
    if (plan != nullptr) {
        if (address != nullptr && plan->stops_before(address)) {
            g.standing_back.push_back(now);
            wait_for_turn();
        }
        return;
    }
    if (++g.steps_since_write > reads_allowed) {
        report_stuck("LIVELOCK", "Threads read on and on, and none writes.");
    }
    if (g.ready.empty() && g.standing_back.empty()) {
        return;
    }
    if (way == Way::ahead && is_special(now) && !has_gone_on_too_long()) {
        return;
    }
    if (goes_by_queue() && draw_below(16) != 0) {
        return;
    }
    const bool by_priority = goes_by_priority() && !has_gone_on_too_long();
    if (draw_below(by_priority ? g.steps_a_turn : 4) == 0) {
        if (by_priority) {
            now.block->priorities[now.thread] = --g.lowest;
        }
        const bool waits = last_is_slow && now.block->patience[now.thread].word != 0;
        (waits ? g.standing_back : g.ready).push_back(now);
        wait_for_turn();
    }
}

// The block and the thread to which a stack with this address belongs; null if it is none.
const Clocks* owner_of_stack(std::uintptr_t address) {
    auto after = stacks.upper_bound(address);
    if (after == stacks.begin()) {
        return nullptr;
    }
    const Fiber* const fiber = (--after)->second;
    if (address >= after->first + fiber->stack_bytes) {
        return nullptr;
    }
    for (const auto& block : grid->resident) {
        for (const Thread& thread : block->threads) {
            if (thread.fiber == fiber && thread.state != State::ended) {
                return &block->clocks[thread.number];
            }
        }
    }
    return nullptr;
}

void check_pointer(const volatile void* address, Where where) {
    const auto number = reinterpret_cast<std::uintptr_t>(address);
    const auto stack = reinterpret_cast<std::uintptr_t>(running_fiber->stack);
    if (number - stack < running_fiber->stack_bytes) {
        return;
    }
    const auto is_in = [&](const auto& variable) {
        return number - reinterpret_cast<std::uintptr_t>(&variable) < sizeof variable;
    };
    if (is_in(threadIdx) || is_in(blockIdx) || is_in(blockDim) || is_in(gridDim)) {
        return;
    }
    if (const Clocks* const owner = owner_of_stack(number)) {
        const std::string place = place_of(where);
        report("LOCAL MEMORY OF ANOTHER THREAD", "local " + place,
               "  " + place + ": " + name_of(running->block, running->thread) +
                   " accesses a local variable of " + name_of(owner->block, owner->thread) +
                   ".\n  A local variable belongs to one thread: for the others its address means "
                   "something else.\n  Share values in shared or global memory, or by a "
                   "shuffle.\n");
        return;
    }
    if (number < 65536) {
        report_the_end("NULL POINTER", "  " + place_of(where) + ": " +
                                           name_of(running->block, running->thread) +
                                           " accesses memory through a pointer that is null\n");
    }
    if (is_in_notes(number)) {
        report_no_memory(place_of(where), name_of(running->block, running->thread), number);
    }
}

void note_vain_read(const volatile void* address, Place place) {
    if (plan != nullptr) {
        plan->reads_in_vain(address);
        return;
    }
    ResidentBlock::Patience& patience = now.block->patience[now.thread];
    patience.word = reinterpret_cast<std::uintptr_t>(address);
    if (++patience.vain_reads >= (is_insistent() ? 64 : vain_reads_allowed)) {
        patience.vain_reads = 0;
        stand_back(place);
    }
}

}  // namespace race

using namespace race;

bool first_to_fail() {
    finish_reports();
    return true;
}

// The stacks of the threads are never gone back to.
void leave_launch() {
    running = nullptr;
    Launch& g = *grid;
    for (const auto& block : g.resident) {
        forget_memory(block->arena_number * arena_bytes, block->arena_used);
        drop_shared(block->arena_number * arena_bytes, block->arena_used);
    }
    g.resident.clear();
    switch_to(host);
    __builtin_unreachable();
}

const LaunchConfig& running_launch() {
    return *grid->config;
}

bool in_kernel() {
    return running != nullptr;
}

void launched_with(const LaunchConfig& config, unsigned number, const void* argument) {
    reserve_memory();
    const auto* const byte = static_cast<const char*>(argument);
    const bool in_program = byte >= __executable_start && byte < _end;  // also what is constant
    if (byte != nullptr && !in_program && offset_of(byte) == unchecked && !is_registered(byte)) {
        name_launch(&config);
        report(
            "HOST POINTER",
            place_of({config.place.file, config.place.line}) + " " + std::to_string(number),
            "  Argument " + std::to_string(number) +
                " points to memory of the host. A kernel can use what cudaMalloc gives,\n"
                "  or what the host and the device share (cudaMallocManaged, cudaMallocHost).\n");
        name_launch(nullptr);
    }
}

void launch(const LaunchConfig& config, void (*thread)(const void*), const void* closure) {
    if (!acceptable(config)) {
        return;
    }
    // Kernels that several threads of the host launch run one after the other.
    static std::mutex one_launch_at_a_time;
    const std::lock_guard<std::mutex> lock(one_launch_at_a_time);
    if (!seeded) {
        set_seed(whole_number_from_environment("RACE_SEED", 1, 0, 1000000000000000));
    }
    Launch g{};
    g.config = &config;
    g.thread = thread;
    g.closure = closure;
    g.threads_per_block = config.block.x * config.block.y * config.block.z;
    g.blocks = std::size_t{config.grid.x} * config.grid.y * config.grid.z;
    g.resident_limit = std::max<std::size_t>(1, alive_threads / g.threads_per_block);
    g.resident_most =
        std::min(arenas, std::max<std::size_t>(1, most_alive_threads / g.threads_per_block));
    if (g.blocks > UINT32_MAX / g.threads_per_block) {
        name_launch(&config);
        report_too_large("  It has " + std::to_string(g.blocks) + " blocks of " +
                         std::to_string(g.threads_per_block) +
                         " threads; race mode numbers 4 billion threads.\n");
    }
    for (std::size_t i = g.resident_most; i > 0; --i) {
        g.free_arenas.push_back(i - 1);
    }
    constexpr unsigned turn_lengths[] = {10, 100, 300, 1000};
    g.steps_a_turn = goes_by_priority() ? turn_lengths[draw_below(4)] : 0;
    choose_special_threads(g);
    catch_wild_pointers();
    begin_launch(config);
    grid = &g;
    blockDim = config.block;
    gridDim = config.grid;
    host = fiber_of_os_thread();
    running_fiber = &host;
    wait_for_turn();
    running = nullptr;
    end_launch(config);
    if (counting) {
        count_launch(std::uint64_t{g.threads_per_block} * g.blocks);
    }
    grid = nullptr;
}

unsigned block_barrier(bool predicate, const char* file, int line, const char* function) {
    Thread& me = caller("__syncthreads()", file, line);
    ResidentBlock& block = *now.block;
    may_switch();
    block.predicates += predicate ? 1 : 0;
    block.at_barrier.push_back(me.number);
    block.barrier_calls[me.number] = calls_to_barrier(__builtin_frame_address(0));
    me.state = State::at_barrier;
    me.place = Place(file, line, function);
    if (block.at_barrier.size() == block.live) {
        complete_barrier(block);
        may_switch();
    } else {
        wait_for_turn();
    }
    return block.barrier_result;
}

std::uint64_t warp_function(WarpOp op, unsigned mask, std::uint64_t value, unsigned source,
                            const char* file, int line, const char* function) {
    Thread& me = caller("a warp function", file, line);
    ResidentBlock& block = *now.block;
    may_switch();
    const unsigned lane = me.number % 32;
    me.op = op;
    me.mask = mask;
    me.value = value;
    me.source = source % 32;
    me.state = State::in_warp_function;
    me.place = Place(file, line, function);
    block.warps[me.number / 32].waiting |= 1u << lane;
    check_masks(block, me);
    if (complete_warp_function(block, me.number / 32, mask)) {
        may_switch();
    } else {
        wait_for_turn();
    }
    return me.result;
}

unsigned active_mask(Place place) {
    Thread& me = caller("__activemask()", place.file, place.line);
    me.state = State::in_active_mask;
    me.place = place;
    grid->in_active_mask.push_back(now);
    wait_for_turn();
    me.state = State::running;
    return static_cast<unsigned>(me.result);
}

void check_tiles(unsigned tile_size, Place place) {
    const Thread& me = caller("tiled_partition", place.file, place.line);
    const std::size_t threads = now.block->threads.size();
    if (threads % tile_size == 0) {
        return;
    }
    const std::string where = place_of({place.file, place.line});
    report("PARTIAL TILE", "tile " + where,
           "  " + where + ": " + name_of(static_cast<std::uint32_t>(now.block->number), me.number) +
               " divides a block of " + std::to_string(threads) + " threads into tiles of " +
               std::to_string(tile_size) + ".\n" +
               "  CUDA wants the size of the block to be a multiple of the tile's. Here the last\n"
               "  tile is not whole.\n");
}

void give_way(Place place) {
    caller("__nanosleep()", place.file, place.line);
    if (plan != nullptr) {
        plan->gives_way();
        return;
    }
    ResidentBlock::Patience& patience = now.block->patience[now.thread];
    if (is_insistent() && ++patience.vain_reads < 64) {
        return;
    }
    patience.vain_reads = 0;
    stand_back(place);
}

void memory_fence(Order order, Scope scope) {
    if (running != nullptr) {
        may_switch();
        fence(*running, order, scope);
    }
}

void before_atomic(const volatile void* address, Place place) {
    if (running != nullptr) {
        const Where where{place.file, place.line};
        if (offset_of(address) == unchecked) {
            check_pointer(address, where);
        }
        may_switch(address);
        atomic_at = where;
    }
}

bool fails_for_no_reason() {
    return weak_may_fail && running != nullptr && ++weak_calls % 8 == 5;
}

void before_compare_swap(const volatile void* address, unsigned bytes) {
    if (running != nullptr && rivals.times > 0 && address == rivals.word &&
        bytes == sizeof(std::uint32_t)) {
        --rivals.times;
        auto* const word =
            static_cast<volatile std::uint32_t*>(const_cast<volatile void*>(address));
        *word = rivals.change(*word);
        now.block->patience[now.thread] = {};
        note_progress();
    }
}

void after_atomic(const AtomicStep& step, bool changed, std::uint64_t before) {
    if (running == nullptr) {
        return;
    }
    atomic_at = {};
    if (reinterpret_cast<std::uintptr_t>(step.address) % step.bytes != 0) {
        report_misaligned(*running, step.address, step.bytes, {step.place.file, step.place.line});
    }
    const std::size_t offset = offset_of(step.address);
    if (offset != unchecked) {
        check_atomic(*running, offset, step, before);
        if (counting) {
            count_access(*running, offset, step.bytes, Counted::atomic, {});
            const char* const bytes = address_of(offset);
            const bool is_zero =
                std::all_of(bytes, bytes + step.bytes, [](char byte) { return byte == 0; });
            count_change(*running, offset, before == 0, is_zero);
        }
    }
    if (plan != nullptr) {
        plan->accesses(step.address, step.kind);
    }
    if (changed) {
        if (is_watched(step.address)) {
            std::uint32_t value = 0;
            std::memcpy(&value, const_cast<const void*>(step.address),
                        std::min<std::size_t>(step.bytes, sizeof value));
            add_change(step.address, value);
        }
        now.block->patience[now.thread] = {};
        note_progress();
        if (plan == nullptr && goes_by_queue() && !grid->ready.empty()) {
            grid->ready.push_back(now);
            wait_for_turn();
        }
    } else {
        note_vain_read(step.address, step.place);
    }
}

void begin_copy(const void* barrier, std::function<void()> copy, Place place) {
    caller("memcpy_async", place.file, place.line);
    now.block->copies[now.thread].push_back({barrier, std::move(copy), place});
}

void commit_copies(const void* barrier, Place place) {
    std::vector<Copy>& copies = now.block->copies[now.thread];
    std::vector<std::function<void()>> batch;
    for (auto copy = copies.begin(); copy != copies.end();) {
        if (copy->barrier == barrier && !copy->batch) {
            batch.push_back(std::move(copy->make));
            copy = copies.erase(copy);
        } else {
            ++copy;
        }
    }
    std::function<void()> make_all;  // none: a batch of nothing
    if (!batch.empty()) {
        make_all = [batch = std::move(batch)] {
            for (const std::function<void()>& make : batch) {
                make();
            }
        };
    }
    copies.push_back({barrier, std::move(make_all), place, true});
}

void finish_copies(const void* barrier, std::size_t left) {
    if (running == nullptr) {
        return;
    }
    const auto counts_on_it = [&](const Copy& copy) { return copy.barrier == barrier; };
    const auto found = now.block->copies.find(now.thread);
    if (found == now.block->copies.end()) {
        return;
    }
    std::vector<Copy>& copies = found->second;  // of a map: it stays where it is
    auto under_way =
        static_cast<std::size_t>(std::count_if(copies.begin(), copies.end(), counts_on_it));
    for (; under_way > left; --under_way) {
        const auto first = std::find_if(copies.begin(), copies.end(), counts_on_it);
        const std::function<void()> make = std::move(first->make);
        copies.erase(first);
        if (make == nullptr) {
            continue;
        }
        make();  // other threads have turns meanwhile
    }
}

void changed_nothing(const volatile void*, std::uint64_t, std::uint64_t, const char*, int,
                     const char*) {}

// Kept in arenas that lie within the memory that is checked. Alignment 256, as on a GPU at best.
void* shared_storage(SharedVariable& variable, const char* name) {
    caller(name, "__shared__", 0);
    ResidentBlock& block = *now.block;
    void*& storage = block.shared[&variable];
    if (storage == nullptr) {
        block.shared_bytes += variable.bytes;
        if (block.shared_bytes > shared_bytes_per_block) {
            fail("kernel %s: with %s, its __shared__ variables take %zu bytes; a block has %zu",
                 grid->config->kernel, name, block.shared_bytes, shared_bytes_per_block);
        }
        // Far apart, so that an index that is too large does not meet the next variable.
        block.arena_used = (block.arena_used / 256 + 17) * 256;
        if (block.arena_used + variable.bytes > arena_bytes) {
            fail("kernel %s: race mode has no room for %s", grid->config->kernel, name);
        }
        storage = arena(block.arena_number) + block.arena_used;
        add_shared(offset_of(storage), variable.bytes, name,
                   element_of(variable.element_bytes, variable.element_kind));
        block.arena_used += variable.bytes;
    }
    return storage;
}

void* dynamic_shared_storage() {
    caller("dynamic shared memory", "__shared__", 0);
    return arena(now.block->arena_number);
}

}  // namespace cpu_device
