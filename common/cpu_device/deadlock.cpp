// What the runtime says when threads wait for something that cannot come.
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "scheduler.hpp"

namespace cpu_device {
namespace {

const char* name_of(WarpOp op) {
    switch (op) {
        case WarpOp::sync:
            return "__syncwarp";
        case WarpOp::shuffle:
            return "a shuffle";
        case WarpOp::ballot:
            return "a vote (ballot, any, all)";
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
           (a.state == State::ended ||
            (a.place.line == b.place.line && std::strcmp(a.place.file, b.place.file) == 0 &&
             what_it_does(a) == what_it_does(b)));
}

std::mutex report_mutex;

}  // namespace

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

double number_from_environment(const char* name, double otherwise, double least, double most) {
    const char* const text = std::getenv(name);
    if (text == nullptr) {
        return otherwise;
    }
    char* end = nullptr;
    const double number = std::strtod(text, &end);
    if (end == text || *end != '\0' || !(number >= least && number <= most)) {
        fail("%s=%s: expected a number from %g to %g", name, text, least, most);
    }
    return number;
}

double deadlock_seconds() {
    static const double seconds =
        number_from_environment("CPU_DEVICE_DEADLOCK_SECONDS", 5, 0.01, 1e6);
    return seconds;
}

// One line for each group of neighbouring threads that do the same.
void Block::describe() const {
    std::fprintf(stderr, "  block (%u, %u, %u) of %zu threads:\n", index_.x, index_.y, index_.z,
                 threads_.size());
    for (std::size_t first = 0; first < threads_.size();) {
        std::size_t next = first + 1;
        while (next < threads_.size() && same_wait(threads_[first], threads_[next])) {
            ++next;
        }
        const Thread& thread = threads_[first];
        if (next == first + 1) {
            std::fprintf(stderr, "    thread  %zu: ", first);
        } else {
            std::fprintf(stderr, "    threads %zu to %zu: ", first, next - 1);
        }
        std::fputs(what_it_does(thread).c_str(), stderr);
        if (thread.state != State::ended) {
            std::fprintf(stderr, ", %s:%d in %s", thread.place.file, thread.place.line,
                         thread.place.function);
        }
        std::fputs("\n", stderr);
        first = next;
    }
}

// The threads of one block wait in barriers and warp functions that can never be complete.
void Block::report_deadlock() const {
    const std::lock_guard<std::mutex> lock(report_mutex);
    const LaunchConfig& config = grid_->config();
    std::fflush(stdout);
    std::fprintf(
        stderr,
        "CPU device: deadlock in kernel %s, launched at %s:%d: the threads of a block wait "
        "for each other\n",
        config.kernel, config.place.file, config.place.line);
    describe();
    std::abort();
}

// Every multiprocessor comes here, each to describe its own blocks; the last one ends the program.
void Multiprocessor::report_deadlock(Grid& grid) {
    {
        const std::lock_guard<std::mutex> lock(report_mutex);
        const LaunchConfig& config = grid.config();
        if (!grid.deadlocked.exchange(true)) {
            std::fflush(stdout);
            std::fprintf(stderr,
                         "CPU device: deadlock in kernel %s, launched at %s:%d: for %g s every "
                         "thread has waited in vain\n",
                         config.kernel, config.place.file, config.place.line, deadlock_seconds());
        }
        for (const auto& block : resident_) {
            block->describe();
        }
        if (++grid.reported == grid.taking_part) {
            if (const std::size_t blocks = grid.blocks_not_started()) {
                std::fprintf(stderr,
                             "  %zu blocks have not started: each of the %d multiprocessors holds "
                             "at most %zu blocks of this size\n",
                             blocks, multiprocessor_count(), grid.blocks_per_multiprocessor());
            }
            std::abort();
        }
    }
    for (;;) {
        pause();
    }
}

// --- a thread that runs on and on -------------------------------------------------------------

namespace {

std::mutex watched_mutex;
std::vector<Watched*>& all_watched = *new std::vector<Watched*>;  // outlives every OS thread

}  // namespace

// The watchdog's OS thread.
void watch() {
    for (;;) {
        const double period = std::min(deadlock_seconds() / 2, 1.0);
        std::this_thread::sleep_for(std::chrono::duration<double>(period));
        const std::lock_guard<std::mutex> lock(watched_mutex);
        for (Watched* const watched : all_watched) {
            if (watched->multiprocessor_.turns() != watched->turns_seen_) {
                watched->turns_seen_ = watched->multiprocessor_.turns();
                watched->since_ = seconds_now();
            } else if (!watched->reported_ &&
                       seconds_now() - watched->since_ > 2 * deadlock_seconds()) {
                watched->reported_ = true;
                const LaunchConfig& config = watched->config_;
                std::fprintf(
                    stderr,
                    "CPU device: a thread of kernel %s, launched at %s:%d, has run for %g "
                    "s without ending or giving way. If it waits for another thread by "
                    "reading a plain or volatile variable: the CPU device cannot see that; "
                    "use an atomic, or __nanosleep() in the loop.\n",
                    config.kernel, config.place.file, config.place.line, 2 * deadlock_seconds());
            }
        }
    }
}

Watched::Watched(const Multiprocessor& multiprocessor, const LaunchConfig& config)
    : multiprocessor_(multiprocessor),
      config_(config),
      turns_seen_(multiprocessor.turns()),
      since_(seconds_now()) {
    static std::once_flag started;
    std::call_once(started, [] {
        deadlock_seconds();  // a setting that makes no sense is refused here, at the first launch
        std::thread(watch).detach();
    });
    const std::lock_guard<std::mutex> lock(watched_mutex);
    all_watched.push_back(this);
}

Watched::~Watched() {
    const std::lock_guard<std::mutex> lock(watched_mutex);
    all_watched.erase(std::find(all_watched.begin(), all_watched.end(), this));
}

}  // namespace cpu_device
