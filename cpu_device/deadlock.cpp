// What the runtime says when threads wait for something that cannot come.
#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>

#include "scheduler.hpp"
#include "system.hpp"

namespace cpu_device {
namespace {

std::mutex report_mutex;

}  // namespace

double deadlock_seconds() {
    static const double seconds =
        number_from_environment("CPU_DEVICE_DEADLOCK_SECONDS", 5, 0.01, 1e6);
    return seconds;
}

void Block::describe() const {
    std::fputs(describe_threads(index_, threads_.data(), threads_.size()).c_str(), stderr);
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
        if (grid.reported == 0) {
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
                std::fprintf(
                    stderr,
                    "  %zu blocks have not started: each of the %d multiprocessors holds "
                    "at most %zu blocks of this size\n",
                    blocks, multiprocessor_count(),
                    resident_blocks(grid.threads_per_block(), grid.config().dynamic_shared));
            }
            std::fputs(
                "  If they wait for the host: they do so in vain, since a launch returns only when "
                "its kernel has ended.\n",
                stderr);
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

double seconds_of(clockid_t clock) {
    timespec time{};
    clock_gettime(clock, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

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
                watched->since_ = seconds_of(watched->clock_);
            } else if (!watched->reported_ &&
                       seconds_of(watched->clock_) - watched->since_ > 2 * deadlock_seconds()) {
                watched->reported_ = true;
                const LaunchConfig& config = watched->config_;
                std::fprintf(
                    stderr,
                    "CPU device: a thread of kernel %s, launched at %s:%d, has run for %g "
                    "s without ending or giving way. If it waits for another thread of the "
                    "kernel by reading a plain or volatile variable: the CPU device cannot see "
                    "that; use an atomic, or __nanosleep() in the loop. If it waits for the host: "
                    "it will never end, since a launch returns only when its kernel has ended. "
                    "Ctrl-C ends the program.\n",
                    config.kernel, config.place.file, config.place.line, 2 * deadlock_seconds());
            }
        }
    }
}

Watched::Watched(const Multiprocessor& multiprocessor, const LaunchConfig& config)
    : multiprocessor_(multiprocessor), config_(config), turns_seen_(multiprocessor.turns()) {
    pthread_getcpuclockid(pthread_self(), &clock_);
    since_ = seconds_of(clock_);
    static std::once_flag started;
    std::call_once(started, [] {
        deadlock_seconds();  // a setting that makes no sense is refused here, at the first launch
        start_os_thread(
            [](void*) -> void* {
                watch();
                return nullptr;
            },
            nullptr);  // without it, nothing is said
    });
    const std::lock_guard<std::mutex> lock(watched_mutex);
    all_watched.push_back(this);
}

Watched::~Watched() {
    const std::lock_guard<std::mutex> lock(watched_mutex);
    all_watched.erase(std::find(all_watched.begin(), all_watched.end(), this));
}

}  // namespace cpu_device
