// The sources are compiled with -O0, and so on x86-64 each of their functions has a frame: the word
// at the frame pointer is that of the caller, and the next one is the address to return to. The
// functions of the confined code that are running are those from the innermost one outwards, until
// a return address lies in other code.
#include "race/confinement.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "cpu_device/race.h"
#include "cpu_device/runtime.h"
#include "race/memory.hpp"
#include "race/places.hpp"
#include "race/run.hpp"

namespace cpu_device::race {

bool confined = false;

namespace {

Span confined_code;
// `written`: by a kernel, and not by the host since; a value for each byte.
struct Variables {
    Span span;
    std::vector<bool> written;
};
std::vector<Variables> confined_variables;
std::size_t argument_bytes = 0;

struct Addresses {
    std::uintptr_t begin = 0, end = 0;

    bool has(std::uintptr_t first, std::size_t bytes) const {
        return first >= begin && first <= end && bytes <= end - first;
    }
};
void* const* launch_frame = nullptr;  // on the host's stack, of the launch that runs

constexpr std::size_t bytes_of_frame = 2 * sizeof(void*);

Addresses addresses_of(const Span& span) {
    return {reinterpret_cast<std::uintptr_t>(span.begin),
            reinterpret_cast<std::uintptr_t>(span.end)};
}

// What the confined functions that are running have on this stack. Empty if the `bytes` at `first`
// hold one of their frames' links.
Addresses confined_frames(void* const* frame, std::uintptr_t first, std::size_t bytes) {
    const auto begin = reinterpret_cast<std::uintptr_t>(frame) + bytes_of_frame;
    std::uintptr_t at = reinterpret_cast<std::uintptr_t>(frame[0]);
    std::uintptr_t below = begin;
    for (;;) {
        if (at < below) {
            return {};  // this chain is broken
        }
        if (first < at + bytes_of_frame && at < first + bytes) {
            return {};
        }
        const auto* const link = reinterpret_cast<const std::uintptr_t*>(at);
        if (!addresses_of(confined_code).has(link[1], 1)) {
            // A kernel is called by the runtime, whose frame has no arguments for it.
            return {begin, at + bytes_of_frame + (running == nullptr ? argument_bytes : 0)};
        }
        below = at + bytes_of_frame;
        at = link[0];
    }
}

// Or the checking program calls itself.
bool is_called_by_confined(void* const* frame) {
    return addresses_of(confined_code).has(reinterpret_cast<std::uintptr_t>(frame[1]), 1);
}

// Not as a report of a launch: there may be none yet.
std::string text_at(const char* headline, Where where, const char* said) {
    return std::string(headline) + "\n  " + place_of(where) + ": " + said + "\n";
}
std::string foreign_memory(Where where) {
    return text_at("\nFOREIGN MEMORY", where, "an access to memory that is not the program's own");
}

// A report that was made before may say why the address is wrong.
std::string what_has_been_found(Where where) {
    return reports() > 0 ? reports_text() : foreign_memory(where);
}

[[noreturn]] void end_with(const std::string& report) {
    std::fflush(stdout);
    std::fputs(report.c_str(), stderr);
    std::fflush(stderr);
    _exit(66);
}

// Of a kernel the host may get no values but those that the check copies: with them it could do the
// work of the kernel. A GPU's variables are not in its memory at all.
void note_variable(Variables& variables, std::uintptr_t first, std::size_t bytes, bool write,
                   Where where) {
    const auto begin = variables.written.begin() +
                       static_cast<std::ptrdiff_t>(first - addresses_of(variables.span).begin);
    const auto end = begin + static_cast<std::ptrdiff_t>(bytes);
    if (write && running != nullptr) {
        std::fill(begin, end, true);  // for good: the host may store a part of a byte
    } else if (!write && running == nullptr && std::find(begin, end, true) != end) {
        end_with(
            text_at("\nHOST ACCESS", where, "the host reads a variable that a kernel has written"));
    }
}

// Null: these bytes are not all of one of the program's own variables.
Variables* variables_with(std::uintptr_t first, std::size_t bytes) {
    const auto found = std::find_if(
        confined_variables.begin(), confined_variables.end(),
        [&](const Variables& one) { return addresses_of(one.span).has(first, bytes); });
    return found == confined_variables.end() ? nullptr : &*found;
}

// threadIdx and the like.
bool is_of_a_thread(std::uintptr_t first, std::size_t bytes) {
    const auto is_in = [&](const auto& variable) {
        const auto begin = reinterpret_cast<std::uintptr_t>(&variable);
        return Addresses{begin, begin + sizeof variable}.has(first, bytes);
    };
    return is_in(threadIdx) || is_in(blockIdx) || is_in(blockDim) || is_in(gridDim);
}

bool is_own(const volatile void* address, std::size_t bytes, bool write, void* const* frame) {
    const auto first = reinterpret_cast<std::uintptr_t>(address);
    if (is_reserved(address) && is_reserved(static_cast<const volatile char*>(address) + bytes)) {
        return true;
    }
    if (!write && running != nullptr && is_of_a_thread(first, bytes)) {
        return true;
    }
    return variables_with(first, bytes) != nullptr ||
           confined_frames(frame, first, bytes).has(first, bytes) ||
           (running != nullptr && !write &&
            confined_frames(launch_frame, first, bytes).has(first, bytes)) ||
           (running != nullptr && first < 65536);  // a null pointer has a report of its own
}

}  // namespace

void confine(const Span& of_code, const std::vector<Span>& variables, unsigned stack_arguments) {
#if defined(__x86_64__)
    confined_code = of_code;
    confined_variables.clear();
    for (const Span& span : variables) {
        const Addresses all = addresses_of(span);
        confined_variables.push_back({span, std::vector<bool>(all.end - all.begin)});
    }
    argument_bytes = stack_arguments * sizeof(void*);
    confined = true;
#else
    static_cast<void>(of_code), static_cast<void>(variables), static_cast<void>(stack_arguments);
#endif
}

void confined_launch(void* const* frame) {
    launch_frame = frame;
}

// The functions that only ask or allocate leave nothing of the threads.
[[gnu::noinline]] void wipe_stack() {
    unsigned char below[256 * 1024];
    std::memset(below, 0xfe, sizeof below);
    asm volatile("" : : "r"(below) : "memory");  // so that the compiler leaves it
}

// A temporary object may have no start value. Pages that no thread has used stay untouched.
[[gnu::noinline]] void wipe_thread_stack([[maybe_unused]] const void* lowest) {
#if defined(__x86_64__)
    constexpr std::size_t page = 4096, most_pages = 64;
    const auto first = reinterpret_cast<std::uintptr_t>(lowest);
    unsigned char is_used[most_pages];
    std::memset(is_used, 1, sizeof is_used);
    std::uintptr_t end = 0;
    asm volatile("mov %%rsp, %0" : "=r"(end));
    static_cast<void>(mincore(const_cast<void*>(lowest),
                              std::min<std::size_t>(end - first, most_pages * page), is_used));
    // From here on this calls no function: nothing that it needs lies below the stack pointer.
    for (std::uintptr_t begin = first; begin < end; begin += page) {
        const std::size_t number = (begin - first) / page;
        auto* const words = reinterpret_cast<volatile std::uint64_t*>(begin);
        for (std::size_t i = 0; (number >= most_pages || (is_used[number] & 1) != 0) &&
                                i < std::min<std::size_t>(page, end - begin) / sizeof *words;
             ++i) {
            words[i] = 0xfefefefefefefefe;
        }
    }
    for (volatile unsigned char& one : is_used) {  // the kernel's own frame comes to lie here
        one = 0xfe;
    }
#endif
}

void check_confined(const volatile void* address, std::size_t bytes, bool write, void* const* frame,
                    Where where) {
    if (!is_called_by_confined(frame)) {
        return;
    }
    const auto first = reinterpret_cast<std::uintptr_t>(address);
    if (running == nullptr && is_of_a_thread(first, bytes)) {
        end_with(text_at("\nHOST ACCESS", where,
                         "the host reads threadIdx, blockIdx, blockDim or gridDim, which only a "
                         "kernel has"));
    }
    if (!is_own(address, bytes, write, frame)) {
        end_with(what_has_been_found(where));
    }
    if (Variables* const variables = variables_with(first, bytes)) {
        note_variable(*variables, first, bytes, write, where);
    }
}

void end_confined(void* const* frame, Where where) {
    if (is_called_by_confined(frame)) {
        end_with(what_has_been_found(where));
    }
}

// The function may fail and write nothing. So a variable keeps the mark of a kernel.
void expect_host(void* const* frame) {
    if (confined && running != nullptr && is_called_by_confined(frame)) {
        const Where where{frame[1], 0};
        end_with(text_at("\nHOST FUNCTION", where, "a kernel calls a function of the host"));
    }
}

void expect_own(const volatile void* address, std::size_t bytes, void* const* frame) {
    if (!confined || !is_called_by_confined(frame)) {
        return;
    }
    expect_host(frame);
    if (!is_own(address, bytes, true, frame)) {
        end_with(foreign_memory(Where{frame[1], 0}));
    }
}

void refuse_call(void* const* frame, const char* said) {
    if (confined && is_called_by_confined(frame)) {
        end_with(text_at("\nFOREIGN MEMORY", Where{frame[1], 0}, said));
    }
}

}  // namespace cpu_device::race
