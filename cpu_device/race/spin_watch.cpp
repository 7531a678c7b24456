#include "race/spin_watch.hpp"

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <system_error>

#include "system.hpp"

namespace cpu_device::race {
namespace {

constexpr double seconds_for_others = 2;  // of CPU time

double cpu_seconds() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// Of those between two looks. A virtual machine that stands still for a while may count this time
// as the thread's.
constexpr double most_seconds_at_once = 0.25;

bool has_other_os_threads() {
    std::error_code error;
    std::filesystem::directory_iterator tasks("/proc/self/task", error);
    std::size_t count = 0;
    for (; !error && tasks != std::filesystem::directory_iterator(); tasks.increment(error)) {
        ++count;
    }
    return count > 1;
}

std::uint64_t hash_of(const std::uint64_t* begin, const std::uint64_t* end) {
    std::uint64_t hash = static_cast<std::uint64_t>(end - begin);
    for (; begin != end; ++begin) {
        hash = (hash ^ *begin) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 29;
    }
    return hash;
}

}  // namespace

void Patience::begin(double seconds) {
    passed_ = seconds;
    looked_at_ = cpu_seconds();
}

double Patience::look() {
    const double now = cpu_seconds();
    passed_ += std::min(now - looked_at_, most_seconds_at_once);
    looked_at_ = now;
    return passed_;
}

bool SpinWatch::repeats(ThreadRef running, const volatile void* address, const void* frame,
                        std::size_t runnable) {
    settle();
    ++quiet_accesses_;
    if (quiet_accesses_ <= patience || frame == nullptr) {
        return false;
    }
    const auto* const begin = static_cast<const std::uint64_t*>(frame);
    const auto* const end =
        static_cast<const std::uint64_t*>(running.block->bottom[running.thread]);
    if (begin >= end) {
        return false;
    }
    // Brent's way to find a cycle: one state is kept, for twice as many steps as the one before.
    Rounds& mine = running.rounds();
    if (mine.epoch != epoch_) {
        mine = {};
        mine.epoch = epoch_;
    }
    mine.looks_at = reinterpret_cast<std::uintptr_t>(address);
    if (!mine.repeat || mine.alone_since != barriers_) {
        const std::uint64_t state = hash_of(begin, end);
        if (state == mine.kept) {
            repeating_ += mine.repeat ? 0 : 1;
            mine.repeat = true;
            if (mine.kept_since == barriers_) {
                mine.alone_since = barriers_;
                ++repeating_alone_;
            }
            mine.kept_since = barriers_;
        } else if (++mine.steps >= mine.limit) {
            mine.kept = state;
            mine.kept_since = barriers_;
            mine.limit *= 2;
            mine.steps = 0;
        }
    }
    return repeating_ >= runnable;
}

bool SpinWatch::has_taken_long() {
    static const double seconds =
        number_from_environment("CPU_DEVICE_DEADLOCK_SECONDS", 5, 0.01, 1e6);
    if (anew_) {
        anew_ = false;
        quiet_.begin(0);
        clock_reads_before_ = clock_reads_;
    }
    // Who reads the clock may mean to pass the time.
    return quiet_.look() >= seconds * (clock_reads_ == clock_reads_before_ ? 0.5 : 2);
}

bool SpinWatch::others_have_had_time() {
    if (waited_epoch_ != epoch_) {
        waited_epoch_ = epoch_;
        waited_.begin(has_other_os_threads() ? 0 : seconds_for_others);
    }
    return waited_.look() >= seconds_for_others;
}

}  // namespace cpu_device::race
