#include "race/test_hooks.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <functional>
#include <set>
#include <utility>
#include <vector>

#include "cpu_device/race.h"
#include "race/threads.hpp"

namespace cpu_device {
namespace race {
namespace {

struct Hooks {
    // A word that other threads seem to change before the next compare-and-swaps of one thread.
    const volatile void* contended = nullptr;
    unsigned times = 0;
    unsigned thread = 0;
    std::function<std::uint32_t(std::uint32_t)> change;

    // A word whose store comes late, and the threads that have not found it there.
    const volatile void* late = nullptr;
    unsigned late_times = 0;
    std::set<unsigned> without;
    std::set<unsigned> with;                   // that have found it there, or have met one that has
    volatile std::uint32_t* hidden = nullptr;  // while it is not shown
    std::uint32_t hidden_value = 0;

    std::uintptr_t watched_begin = 0;
    std::size_t watched_bytes = 0;
    std::vector<Change> changes;

    bool weak_may_fail = false;
    unsigned weak_calls = 0;
};
Hooks& hooks = *new Hooks;

// More than any check has of threads that get on. They would fill the memory.
constexpr std::size_t most_changes = 2'000'000;

void add_change(const volatile void* address, std::size_t bytes, std::uint32_t value) {
    const auto first = reinterpret_cast<std::uintptr_t>(address);
    if (first < hooks.watched_begin + hooks.watched_bytes && first + bytes > hooks.watched_begin) {
        if (hooks.changes.size() == most_changes) {
            std::fputs(
                "\nTIME\n  The threads have changed watched words 2,000,000 times, and none\n"
                "  gets on: does each undo what the others have done?\n",
                stderr);
            _exit(66);
        }
        hooks.changes.push_back(
            {running->slot, running->block, std::size_t{blockIdx.x} * blockDim.x + threadIdx.x,
             std::size_t{blockIdx.y} * blockDim.y + threadIdx.y, address, bytes, value});
    }
}

}  // namespace

void make_last_slow(bool slow) {
    run.schedule.make_last_slow(slow);
}

void set_seed(std::uint64_t seed) {
    run.schedule.set_seed(seed);
}

void let_others_be_first(const volatile void* word, unsigned times, unsigned thread,
                         std::function<std::uint32_t(std::uint32_t)> change) {
    hooks.contended = word;
    hooks.times = times;
    hooks.thread = thread;
    if (change) {  // else this may be called by it
        hooks.change = std::move(change);
    }
}

void let_store_be_late(const volatile void* word, unsigned times) {
    hooks.late = word;
    hooks.late_times = times;
    hooks.without.clear();
    hooks.with.clear();
}
std::size_t threads_without_store() {
    return hooks.without.size();
}
void hide_late_store(const volatile void* address, std::size_t bytes) {
    if (address != hooks.late || bytes != sizeof hooks.hidden_value) {
        return;
    }
    if (hooks.late_times == 0) {
        hooks.without.erase(running->slot);
        hooks.with.insert(running->slot);
        return;
    }
    --hooks.late_times;
    hooks.without.insert(running->slot);
    hooks.hidden = static_cast<volatile std::uint32_t*>(const_cast<volatile void*>(address));
    hooks.hidden_value = *hooks.hidden;
    *hooks.hidden = 0;
    run.now.polling() = {};
    run.spins.note_change();
    note_progress();
}
bool show_late_store() {
    if (hooks.hidden == nullptr) {
        return false;
    }
    *hooks.hidden = hooks.hidden_value;
    hooks.hidden = nullptr;
    return true;
}

void pass_late_store_on(const std::vector<Clocks*>& threads) {
    const auto one_is_in = [&threads](const std::set<unsigned>& slots) {
        return !slots.empty() &&
               std::any_of(threads.begin(), threads.end(),
                           [&slots](const Clocks* one) { return slots.count(one->slot) != 0; });
    };
    if (one_is_in(hooks.with)) {
        for (const Clocks* const one : threads) {
            hooks.without.erase(one->slot);
            hooks.with.insert(one->slot);
        }
    } else if (hooks.late_times > 0 && one_is_in(hooks.without)) {
        hooks.late_times -= std::min(hooks.late_times, static_cast<unsigned>(threads.size()));
    }
}

void watch_changes(const volatile void* memory, std::size_t bytes) {
    hooks.watched_begin = reinterpret_cast<std::uintptr_t>(memory);
    hooks.watched_bytes = memory == nullptr ? 0 : bytes;
    hooks.changes.clear();
}
const std::vector<Change>& changes() {
    return hooks.changes;
}
void note_store(const volatile void* address, std::size_t bytes) {
    add_change(address, bytes, 0);
}
void note_change(const volatile void* address, std::size_t bytes) {
    std::uint32_t value = 0;
    std::memcpy(&value, const_cast<const void*>(address),
                std::min<std::size_t>(bytes, sizeof value));
    add_change(address, bytes, value);
}

bool watches_changes() {
    return hooks.watched_bytes != 0;
}

void let_weak_fail(bool fail) {
    hooks.weak_may_fail = fail;
}

}  // namespace race

using namespace race;

bool fails_for_no_reason() {
    const bool fails = hooks.weak_may_fail && running != nullptr && ++hooks.weak_calls % 8 == 5;
    if (fails) {
        run.spins.note_news();
    }
    return fails;
}

void before_compare_swap(const volatile void* address, unsigned bytes) {
    if (running != nullptr && hooks.times > 0 && address == hooks.contended &&
        running->slot == hooks.thread && bytes == sizeof(std::uint32_t)) {
        --hooks.times;
        auto* const word =
            static_cast<volatile std::uint32_t*>(const_cast<volatile void*>(address));
        *word = hooks.change(*word);
        run.now.polling() = {};
        run.spins.note_change();
        note_progress();
    }
}

}  // namespace cpu_device
