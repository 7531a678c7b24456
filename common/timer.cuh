// GpuTimer: time on the device between two points of a stream, by CUDA events. A host clock would
// measure only how long it takes to queue a kernel, since launches return before the work is done.
#pragma once

#include <cuda_runtime.h>

#include "common/error.cuh"

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
    GpuTimer& operator=(const GpuTimer&) = delete;

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
