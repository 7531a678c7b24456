// What both back-ends need, the one that runs threads and the one that checks them: settings, the
// size of the device, and words for what threads wait for.
#include <sched.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "cpu_device/host_types.h"
#include "scheduler.hpp"
#include "system.hpp"

namespace cpu_device {
namespace {

const char* name_of(WarpOp op) {
    switch (op) {
        case WarpOp::sync:
            return "__syncwarp";
        case WarpOp::shuffle:
            return "__shfl_sync";
        case WarpOp::shuffle_up:
            return "__shfl_up_sync";
        case WarpOp::shuffle_down:
            return "__shfl_down_sync";
        case WarpOp::shuffle_xor:
            return "__shfl_xor_sync";
        case WarpOp::ballot:
            return "__ballot_sync";
        case WarpOp::any:
            return "__any_sync";
        case WarpOp::all:
            return "__all_sync";
        case WarpOp::match_any:
            return "__match_any_sync";
        case WarpOp::match_all:
            return "__match_all_sync";
        default:
            return "a warp reduction";
    }
}

std::string what_it_does(const Thread& thread) {
    char text[128];
    switch (thread.state) {
        case State::running:
            return "can run";
        case State::ended:
            return "ended";
        case State::at_barrier:
            return "wait in __syncthreads";
        case State::in_active_mask:
            return "wait in __activemask";
        case State::in_warp_function:
            std::snprintf(text, sizeof text, "wait in %s for the lanes of mask 0x%08x",
                          name_of(thread.op), thread.mask);
            return text;
        case State::spinning:
            break;
    }
    if (thread.value == 0) {
        return "sleep in __nanosleep";
    }
    std::snprintf(text, sizeof text, "spin on the atomic at %p, which does not change",
                  reinterpret_cast<const void*>(thread.value));
    return text;
}

bool same_wait(const Thread& a, const Thread& b) {
    return a.state == b.state &&
           (a.state == State::ended || a.state == State::running ||
            (a.place.line == b.place.line && std::strcmp(a.place.file, b.place.file) == 0 &&
             what_it_does(a) == what_it_does(b)));
}

}  // namespace

double seconds_now() {
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    return std::chrono::duration<double>(now).count();
}

void Forecast::block_ended(const LaunchConfig& config, std::size_t blocks, std::size_t started) {
    std::size_t look = next_look_.load(std::memory_order_relaxed);
    if (started < look ||
        !next_look_.compare_exchange_strong(look, 2 * started, std::memory_order_relaxed)) {
        return;
    }
    const double so_far = seconds_now() - begin_;
    const double left =
        so_far / static_cast<double>(started) * static_cast<double>(blocks - started);
    if (so_far < 2 || left < 60) {
        return;
    }
    next_look_ = SIZE_MAX;  // enough said
    std::fprintf(
        stderr,
        "CPU device: kernel %s, launched at %s:%d: %zu of %zu blocks were started in %.0f s; "
        "the rest will take about %.0f min\n",
        config.kernel, config.place.file, config.place.line, started, blocks, so_far, left / 60);
}

void fail(const char* format, ...) {
    std::fflush(stdout);
    std::va_list arguments;
    va_start(arguments, format);
    std::fputs("CPU device: ", stderr);
    std::vfprintf(stderr, format, arguments);
    std::fputs("\n", stderr);
    va_end(arguments);
    std::abort();
}

void kernel_fails(int error, const char* format, ...) {
    if (first_to_fail()) {
        std::fflush(stdout);
        std::va_list arguments;
        va_start(arguments, format);
        std::vfprintf(stderr, format, arguments);
        va_end(arguments);
    }
    keep_error_of_kernel(error);
    leave_launch();
}

void trap(Place place) {
    if (!in_kernel()) {
        fail("%s:%d: __trap() is called outside of a kernel", place.file, place.line);
    }
    const uint3 t = threadIdx;
    const uint3 b = blockIdx;
    kernel_fails(cudaErrorLaunchFailure,
                 "%s:%d: %s: block: [%u,%u,%u], thread: [%u,%u,%u] __trap() was called.\n",
                 place.file, place.line, place.function, b.x, b.y, b.z, t.x, t.y, t.z);
}

void misuse(const char* what, Place place) {
    fail("%s:%d: %s", place.file, place.line, what);
}

int multiprocessor_count() {
    static const int count = [] {
#ifdef CPU_DEVICE_RACE
        const unsigned long here = 4;  // a seed's run is the same on every machine
#else
        cpu_set_t cpus;
        CPU_ZERO(&cpus);
        const bool known = sched_getaffinity(0, sizeof cpus, &cpus) == 0;
        const unsigned long here =
            known ? std::min<unsigned long>(CPU_COUNT(&cpus), max_multiprocessors) : 1;
#endif
        return static_cast<int>(
            whole_number_from_environment("CPU_DEVICE_THREADS", here, 1, max_multiprocessors));
    }();
    return count;
}

std::size_t resident_blocks(std::size_t threads_per_block, std::size_t shared_bytes) {
    std::size_t blocks = max_threads_per_multiprocessor / threads_per_block;
    if (shared_bytes > 0) {
        blocks = std::min(blocks, shared_bytes_per_multiprocessor / shared_bytes);
    }
    return std::min<std::size_t>(blocks, max_blocks_per_multiprocessor);
}

std::string describe_threads(const uint3& block, const Thread* threads, std::size_t count) {
    char line[160];
    std::snprintf(line, sizeof line, "  block (%u, %u, %u) of %zu threads:\n", block.x, block.y,
                  block.z, count);
    std::string text = line;
    std::vector<bool> described(count, false);
    for (std::size_t first = 0; first < count; ++first) {
        if (described[first]) {
            continue;
        }
        std::string who;  // "3, 5 to 7"
        std::size_t how_many = 0;
        for (std::size_t t = first; t < count;) {
            std::size_t end = t;
            while (end < count && same_wait(threads[first], threads[end])) {
                described[end++] = true;
            }
            if (end > t) {
                how_many += end - t;
                who += (who.empty() ? "" : ", ") + std::to_string(t) +
                       (end - t > 1 ? " to " + std::to_string(end - 1) : "");
            }
            t = end + 1;
        }
        const Thread& thread = threads[first];
        text +=
            (how_many == 1 ? "    thread  " : "    threads ") + who + ": " + what_it_does(thread);
        if (thread.state != State::ended && thread.state != State::running) {
            text += std::string(", ") + thread.place.file + ":" +
                    std::to_string(thread.place.line) + " in " + thread.place.function;
        }
        text += "\n";
    }
    return text;
}

// What clock() is in sources for the CPU device.
extern "C" clock_t cpu_device_clock() {
    if (!in_kernel()) {
        return clock();
    }
    return static_cast<clock_t>(clock_ticks());
}

// What assert() calls where its condition does not hold. In a kernel, it says what CUDA says.
extern "C" void __assert_fail(const char* condition, const char* file, unsigned line,
                              const char* function) noexcept {
    if (!in_kernel()) {
        std::fflush(stdout);
        std::fprintf(stderr, "%s: %s:%u: %s: Assertion `%s' failed.\n",
                     program_invocation_short_name, file, line, function, condition);
        std::abort();
    }
    const uint3 t = threadIdx;
    const uint3 b = blockIdx;
    kernel_fails(cudaErrorAssert,
                 "%s:%u: %s: block: [%u,%u,%u], thread: [%u,%u,%u] Assertion `%s` failed.\n", file,
                 line, function, b.x, b.y, b.z, t.x, t.y, t.z, condition);
}

}  // namespace cpu_device
