// Times of repeated runs, on the device and on the host.
#pragma once

#include <cuda_runtime.h>

#include <chrono>
#include <vector>

#include "common/error.cuh"
#include "common/timer.cuh"

namespace harness {

// Where a timed run starts. `idle`: on an idle device, so that the time includes the microseconds
// in which the host launches: what a program that needs the result at once will see. `queued`: the
// device is kept busy until the host has queued the whole run, so that the time is the device's
// alone (as NVIDIA's nvbench does it).
enum class Start { idle, queued };

namespace detail {

// Keeps one thread of the device busy for that many of its clock cycles.
__global__ void keep_busy(long long cycles) {
    const long long begin = clock64();
    while (clock64() - begin < cycles) {
    }
}

// Calls timed_run(), which returns milliseconds: `repeats` times; where that is 0, at most 20 times
// within about a second, but at least 3 times.
template <typename TimedRun>
std::vector<double> repeat(int repeats, TimedRun timed_run) {
    constexpr int max_repeats = 20;
    constexpr int min_repeats = 3;
    constexpr std::chrono::seconds budget{1};
    const auto start = std::chrono::steady_clock::now();
    std::vector<double> samples_ms;
    for (int i = 0; i < (repeats > 0 ? repeats : max_repeats); ++i) {
        const bool out_of_time = std::chrono::steady_clock::now() - start > budget;
        if (repeats == 0 && i >= min_repeats && out_of_time) {
            break;
        }
        samples_ms.push_back(timed_run());
    }
    return samples_ms;
}

}  // namespace detail

// Times of run() on the device in milliseconds, after one run that is not counted. Between two runs
// lies nothing but the wait for the first one's end: a copy of the result there would slow down the
// next run.
template <typename Run>
std::vector<double> time_repeats(int repeats, Start how, Run run) {
    common::GpuTimer timer;
    run();
    CHECK(cudaDeviceSynchronize());
    return detail::repeat(repeats, [&] {
        if (how == Start::queued) {
            constexpr long long head_start = 100'000;  // cycles: 50 microseconds at 2 GHz
            detail::keep_busy<<<1, 1>>>(head_start);
            CHECK_LAUNCH();
        }
        timer.start();
        run();
        return timer.stop_ms();
    });
}

// Times of run() on the host in milliseconds, after one run that is not counted.
template <typename Run>
std::vector<double> time_repeats_on_cpu(int repeats, Run run) {
    common::CpuTimer timer;
    run();
    return detail::repeat(repeats, [&] {
        timer.start();
        run();
        return timer.stop_ms();
    });
}

}  // namespace harness
