#include "race/wild_pointers.hpp"

#include <signal.h>
#include <ucontext.h>
#include <cstdio>
#include <string>

#include "race/memory.hpp"
#include "race/places.hpp"
#include "race/report.hpp"
#include "race/report_log.hpp"
#include "race/run.hpp"
#include "race/words.hpp"
#include "system.hpp"

namespace cpu_device::race {
namespace {

// An address at which there is no memory of the program's, such as one made from an index that no
// one has set.
[[noreturn]] void report_no_memory(const std::string& place, const std::string& thread,
                                   std::uintptr_t address) {
    char text[32];
    std::snprintf(text, sizeof text, "0x%zx", static_cast<std::size_t>(address));
    report_the_end(
        "OUT OF BOUNDS",
        Text().say("memory.none", {{"place", place}, {"thread", thread}, {"address", text}}));
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
    const std::string place =
        run.atomic_at.line != 0 ? place_of(run.atomic_at) : place_of({code, 0});
    const auto stack = reinterpret_cast<std::uintptr_t>(running_fiber->stack);
    if (address < stack && stack - address <= guard_bytes) {
        // A stack lacks up to a page, since fiber.cpp lets them begin at different offsets.
        const std::size_t kib = (running_fiber->stack_bytes + 4095) / 4096 * 4;
        report_the_end(
            "STACK OVERFLOW",
            Text().say("memory.stack",
                       {{"place", place}, {"thread", name}, {"kib", std::to_string(kib)}}));
    }
    report_no_memory(place, name, address);
}

// The block and the thread to which a stack with this address belongs; null if it is none.
const Clocks* owner_of_stack(std::uintptr_t address) {
    auto after = run.stacks.upper_bound(address);
    if (after == run.stacks.begin()) {
        return nullptr;
    }
    const Fiber* const fiber = (--after)->second;
    if (address >= after->first + fiber->stack_bytes) {
        return nullptr;
    }
    for (const auto& block : run.launch->resident) {
        for (const Thread& thread : block->threads) {
            if (thread.fiber == fiber && thread.state != State::ended) {
                return &block->clocks[thread.number];
            }
        }
    }
    return nullptr;
}

}  // namespace

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

void check_pointer(const volatile void* address, bool writes, Where where) {
    const auto number = reinterpret_cast<std::uintptr_t>(address);
    if (is_in_own_stack(address)) {
        return;
    }
    if (writes) {
        run.spins.note_change();
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
               Text().say("memory.local", {{"place", place},
                                           {"thread", name_of(running->block, running->thread)},
                                           {"owner", name_of(owner->block, owner->thread)}}));
        return;
    }
    if (number < 65536) {
        report_the_end(
            "NULL POINTER",
            Text().say("memory.null", {{"place", place_of(where)},
                                       {"thread", name_of(running->block, running->thread)}}));
    }
    if (is_in_notes(number)) {
        report_no_memory(place_of(where), name_of(running->block, running->thread), number);
    }
}

}  // namespace cpu_device::race
