// GpuTimer: time between two points of the default stream, by CUDA events. CpuTimer: time on the
// host.
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

#include "common/error.cuh"

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

}  // namespace common
