#include "race/stuck.hpp"

#include <signal.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "cpu_device/race.h"
#include "race/copies.hpp"
#include "race/places.hpp"
#include "race/record.hpp"
#include "race/report.hpp"
#include "race/run.hpp"
#include "race/tracing.hpp"
#include "race/word_history.hpp"
#include "race/words.hpp"
#include "system.hpp"

// The program's code, by the linker.
extern "C" const char __executable_start[], etext[];

namespace cpu_device::race {
namespace {

constexpr std::size_t most_words_told = 6;

// The word for which a thread of this launch waits; 0: none.
std::uintptr_t awaited_by(std::uint32_t slot) {
    for (const auto& block : run.launch->resident) {
        const std::size_t thread = slot - block->number * run.launch->threads_per_block;
        if (thread < block->threads.size() && block->threads[thread].state == State::spinning) {
            return block->threads[thread].value;
        }
    }
    return 0;
}

// Where a thread waits; one that reads a plain word again and again, where it did so last.
std::string place_of_wait(const ThreadRef& one) {
    const Thread& thread = one.record();
    if (thread.state != State::running && thread.place.file != nullptr) {
        return place_of(Where{thread.place.file, thread.place.line});
    }
    for (std::uint64_t number = record.count(); number > 0 && record.holds(number); --number) {
        const Access access = record.step(number).access;
        if (access.slot == one.clocks().slot && access.where.at != nullptr) {
            return place_of(access.where);
        }
    }
    return "an unknown place";
}

// Those that wait for one word, the first of them first.
using Waiting = std::vector<ThreadRef>;

// Has the thread that this access is of ended, or does it wait as well?
const char* fate_of(const Access& access) {
    for (const auto& block : run.launch->resident) {
        const std::size_t thread = access.slot - block->number * run.launch->threads_per_block;
        if (thread < block->threads.size()) {
            const State state = block->threads[thread].state;
            return state == State::ended     ? "stuck.changed.ended"
                   : state == State::running ? "stuck.changed"
                                             : "stuck.changed.waits";
        }
    }
    return "stuck.changed.ended";  // with its block
}

void say_word(Text& text, std::size_t offset, const Waiting& waiting) {
    const std::optional<Access> last = history.last_change(offset);
    const auto value = *reinterpret_cast<const std::uint32_t*>(address_of(offset));
    const Clocks& first = waiting.front().clocks();
    text.say(waiting.size() == 1 ? "stuck.word" : "stuck.word.many",
             {{"place", place_of_wait(waiting.front())},
              {"thread", name_of(first.block, first.thread)},
              {"count", std::to_string(waiting.size() - 1)},
              {"where", describe(offset, 4)},
              {"value", value_text(value, 4, Element::with_sign)},
              {"last", !last ? sentence("stuck.unchanged")
                             : sentence(fate_of(*last), {{"thread", name_of(*last)},
                                                         {"place", place_of(last->where)}})}});
}

// The threads of a block that wait in a barrier, and the first that does not come to it.
void say_meeting(Text& text, ResidentBlock& block) {
    Waiting come;
    std::optional<ThreadRef> missing;
    for (Thread& thread : block.threads) {
        if (thread.state == State::at_barrier) {
            come.push_back({&block, thread.number});
        } else if (thread.state != State::ended && !missing) {
            missing = ThreadRef{&block, thread.number};
        }
    }
    if (!come.empty() && missing) {
        const Clocks& other = missing->clocks();
        text.say("stuck.meeting", {{"place", place_of_wait(come.front())},
                                   {"count", std::to_string(come.size())},
                                   {"block", std::to_string(block.number)},
                                   {"other", name_of(other.block, other.thread)},
                                   {"load", place_of_wait(*missing)}});
    }
}

// The blocks that wait in grid.sync(), one thread of each, and the first that has not come.
void say_grid(Text& text, const Waiting& waiting) {
    std::set<std::uint32_t> come;
    for (const ThreadRef& one : waiting) {
        come.insert(one.clocks().block);
    }
    std::uint32_t missing = 0;
    while (come.count(missing) > 0) {
        ++missing;
    }
    text.say("stuck.grid", {{"arrived", std::to_string(come.size())},
                            {"expected", std::to_string(run.launch->blocks)},
                            {"block", std::to_string(missing)}});
}

// Has each of these words been changed last by a thread that waits for another one, as the locks of
// threads that wait for each other have?
bool wait_in_a_circle(const std::set<std::uintptr_t>& words) {
    return !words.empty() && std::all_of(words.begin(), words.end(), [](std::uintptr_t word) {
        const std::size_t offset = offset_of(reinterpret_cast<const void*>(word));
        const std::optional<Access> last =
            offset != unchecked ? history.last_change(offset) : std::optional<Access>();
        const std::uintptr_t awaited = last ? awaited_by(last->slot) : 0;
        return awaited != 0 && awaited != word;
    });
}

void replace_all(std::string& text, const std::string& what, const std::string& with) {
    for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += with.size()) {
        text.replace(at, what.size(), with);
    }
}

}  // namespace

void report_stuck(const char* what, bool polling) {
    std::string threads;
    std::set<std::uintptr_t> words;
    std::map<std::uintptr_t, Waiting> waiting;  // by word
    std::vector<std::uint32_t> slots;           // of threads that wait
    // Those that could run, but sleep or have looked at a word in vain.
    if (polling) {
        for (const ThreadRef& one : run.schedule.backing_off()) {
            one.record().state = State::spinning;
        }
    }
    for (const auto& block : run.launch->resident) {
        for (Thread& thread : block->threads) {
            const Polling& its = block->polling[thread.number];
            if (polling && thread.state == State::running && its.word != 0) {
                thread.state = State::spinning;
                thread.value = its.word;
                thread.place = its.place;
            }
        }
    }
    for (const auto& block : run.launch->resident) {
        threads += describe_threads(block->index, block->threads.data(), block->threads.size());
        for (const Thread& thread : block->threads) {
            if (thread.state == State::spinning && thread.value != 0) {
                words.insert(thread.value);
                waiting[thread.value].push_back({block.get(), thread.number});
            } else if (polling && thread.state == State::running) {
                if (const std::uintptr_t plain = block->rounds[thread.number].looks_at) {
                    words.insert(plain / 4 * 4);
                    waiting[plain / 4 * 4].push_back({block.get(), thread.number});
                }
            }
            if (thread.state != State::ended) {
                slots.push_back(block->clocks[thread.number].slot);
            }
        }
    }
    const bool circle = wait_in_a_circle(words);
    if (circle) {
        what = "stuck.circle";
    }
    Text awaited;
    std::size_t words_told = 0;
    for (const std::uintptr_t word : words) {
        const std::size_t offset = offset_of(reinterpret_cast<const void*>(word));
        if (offset != unchecked) {
            char address[32];
            std::snprintf(address, sizeof address, "the atomic at %p,",
                          reinterpret_cast<const void*>(word));
            replace_all(threads, address, describe(offset, 4) + ",");
            const BarrierObject* const barrier =
                barrier_with_phase(reinterpret_cast<const void*>(word));
            if (barrier != nullptr) {
                const std::uint32_t expected = *barrier->expected;
                awaited.say("stuck.barrier",
                            {{"arrived", std::to_string(expected - *barrier->left)},
                             {"expected", std::to_string(expected)}});
                continue;
            }
            if (describe(offset, 4) == barrier_of_grid) {
                say_grid(awaited, waiting[word]);
                continue;
            }
            if (++words_told <= most_words_told) {
                say_word(awaited, offset, waiting[word]);
            }
        }
    }
    if (words_told > most_words_told) {
        awaited.say("stuck.more", {{"count", std::to_string(words_told - most_words_told)}});
    }
    std::size_t meetings_told = 0;
    for (const auto& block : run.launch->resident) {
        if (++meetings_told <= most_words_told) {
            say_meeting(awaited, *block);
        }
    }
    Text text;
    text.say("stuck.who", {{"what", sentence(what)}});
    text += threads;
    text += awaited;
    // Do they wait for blocks that race mode has no room for? Then the fault is not the program's.
    if (polling && !circle && run.launch->next_block < run.launch->blocks) {
        Text large;
        large.say("large.blocks",
                  {{"blocks", std::to_string(run.launch->blocks - run.launch->next_block)},
                   {"resident", std::to_string(run.launch->max_resident)}});
        report_too_large(large += text);
    }
    if (is_traced()) {
        tracing->about(tracing->last_steps(slots));
    }
    run.launch->is_stuck = true;
    report_the_end("DEADLOCK", text);
}

// --- a thread that runs on and on ---------------------------------------------------------------

namespace {

std::uint64_t accesses_seen = 0;
std::uint64_t clock_reads_seen = 0;
constexpr int looks_in_second = 4;  // of CPU time
double looks_without = 0;
bool has_read_clock = false;  // since the last access

// Who reads the clock may mean to pass the time.
double looks_allowed() {
    static const double seconds =
        number_from_environment("CPU_DEVICE_DEADLOCK_SECONDS", 5, 0.01, 1e6);
    return looks_in_second * seconds * (has_read_clock ? 2 : 0.5);
}

void forget_looks() {
    accesses_seen = accesses();
    clock_reads_seen = run.spins.clock_reads();
    has_read_clock = false;
    looks_without = 0;
}

// In a library, which may hold a lock, it waits for the next time.
void look_for_endless_loop(int, siginfo_t*, void* context) {
    if (running == nullptr || accesses() != accesses_seen) {
        forget_looks();
        return;
    }
    if (run.spins.clock_reads() != clock_reads_seen) {
        has_read_clock = true;
    }
    const char* code = nullptr;
    [[maybe_unused]] const auto& registers = static_cast<const ucontext_t*>(context)->uc_mcontext;
#if defined(__x86_64__)
    code = reinterpret_cast<const char*>(registers.gregs[REG_RIP]);
#elif defined(__aarch64__)
    code = reinterpret_cast<const char*>(registers.pc);
#endif
    if (++looks_without < looks_allowed() || code < __executable_start || code >= etext) {
        return;
    }
    char seconds[32];
    std::snprintf(seconds, sizeof seconds, "%.3g", looks_without / looks_in_second);
    const std::string name = name_of(running->block, running->thread);
    running = nullptr;  // nothing that happens from here on is an access of the kernel's
    report_the_end("ENDLESS LOOP",
                   Text().say("stuck.endless loop", {{"place", place_of(Where{code + 1, 0})},
                                                     {"thread", name},
                                                     {"seconds", seconds}}));
}

}  // namespace

EndlessLoopWatch::EndlessLoopWatch() {
    forget_looks();
    struct sigaction action {};
    action.sa_sigaction = look_for_endless_loop;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
    sigevent event{};
    event.sigev_notify = SIGEV_THREAD_ID;
    event.sigev_signo = SIGVTALRM;
    event._sigev_un._tid = gettid();
    on_ = sigaction(SIGVTALRM, &action, nullptr) == 0 &&
          timer_create(CLOCK_THREAD_CPUTIME_ID, &event, &timer_) == 0;
    if (on_) {
        const itimerspec each_look{{0, 1'000'000'000 / looks_in_second},
                                   {0, 1'000'000'000 / looks_in_second}};
        timer_settime(timer_, 0, &each_look, nullptr);
    }
}

EndlessLoopWatch::~EndlessLoopWatch() {
    if (on_) {
        timer_delete(timer_);
    }
}

}  // namespace cpu_device::race
