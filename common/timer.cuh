// GpuTimer: time between two points of the default stream, by CUDA events. CpuTimer: time on the
// host. best_gpu_ms() and best_cpu_ms(): the shortest of several such times.
//
//     GpuTimer timer;
//     timer.start();
//     kernel<<<grid_size, block_size>>>(d_x);
//     const double ms = timer.stop_ms();
//
// A host clock around a launch would measure the launch only: it returns before the kernel ends.
#pragma once

#include <cuda_runtime.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <limits>
#include <string>

#include "error.cuh"

namespace common {

class GpuTimer {
  public:
    GpuTimer() {
        CHECK(cudaEventCreate(&start_));
        CHECK(cudaEventCreate(&stop_));
    }
    ~GpuTimer() {
        static_cast<void>(cudaEventDestroy(start_));
        static_cast<void>(cudaEventDestroy(stop_));
    }
    GpuTimer(const GpuTimer&) = delete;

    void start() { CHECK(cudaEventRecord(start_)); }

    // Waits for all work queued since start() and returns its time in milliseconds.
    double stop_ms() {
        CHECK(cudaEventRecord(stop_));
        CHECK(cudaEventSynchronize(stop_));
        float ms = 0;
        CHECK(cudaEventElapsedTime(&ms, start_, stop_));
        return ms;
    }

  private:
    cudaEvent_t start_{};
    cudaEvent_t stop_{};
};

class CpuTimer {
  public:
    void start() { start_ = Clock::now(); }
    double stop_ms() const {
        const std::chrono::duration<double, std::milli> time = Clock::now() - start_;
        return time.count();
    }

  private:
    using Clock = std::chrono::steady_clock;
    Clock::time_point start_{};
};

constexpr int timed_runs = 5;  // of which the shortest counts

// The shortest time of five calls of work(timer), in milliseconds, or of three or four where these
// take a second. The timer runs from the start of a call; work() starts it again after what is not
// to be timed, such as setting a sum to 0. The first launch of a kernel takes longer, since the
// kernel is loaded then. After each call and its time, look() may look at the results.
template <typename Work, typename Look>
double best_gpu_ms(Work&& work, Look&& look) {
    GpuTimer timer;
    double best_ms = INFINITY;
    double all_ms = 0;
    for (int i = 0; i < timed_runs && (i < 3 || all_ms < 1000); ++i) {
        timer.start();
        work(timer);
        const double ms = timer.stop_ms();
        best_ms = std::fmin(best_ms, ms);
        all_ms += ms;
        look();
    }
    return best_ms;
}
template <typename Work>
double best_gpu_ms(Work&& work) {
    return best_gpu_ms(work, [] {});
}

// Is the host's code optimized? If not, it takes several times as long, and to compare a GPU with
// it says nothing. Compilers define __OPTIMIZE__ from -O1 (and -Og) on.
#ifdef __OPTIMIZE__
constexpr bool host_is_optimized = true;
#else
constexpr bool host_is_optimized = false;
#endif

// The shortest time of at least five calls of work() on the host, in milliseconds. Short work is
// called until 20 ms have passed: some processors bring data that is used again into their last
// cache little by little, over a dozen calls. Where the host's code is not optimized, one call, and
// a NaN. What work() calls should be [[gnu::noinline]]: in the middle of another function, the same
// loop may become other machine code.
template <typename Work>
double best_cpu_ms(Work&& work) {
    if (!host_is_optimized) {
        work();
        return std::numeric_limits<double>::quiet_NaN();
    }
    CpuTimer timer;
    double best_ms = INFINITY;
    double all_ms = 0;
    for (int i = 0; i < timed_runs || all_ms < 20; ++i) {
        timer.start();
        work();
        const double ms = timer.stop_ms();
        best_ms = std::fmin(best_ms, ms);
        all_ms += ms;
    }
    return best_ms;
}

// A time in 13 characters: "    12.345 ms", or "    not timed" for a NaN.
inline std::string ms_text(double ms) {
    char text[32];
    std::snprintf(text, sizeof text, std::isnan(ms) ? "    not timed" : "%10.3f ms", ms);
    return text;
}

}  // namespace common
