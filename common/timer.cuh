// GpuTimer: time on the device between two points of the default stream, by CUDA events. A host
// clock would measure only how long it takes to queue a kernel, since launches return before the
// work is done. The second point waits for work in other streams, too (common/stream.cuh).
//
// To queue a kernel takes the host some microseconds. An idle device meets the first event at once
// and then waits for the host, so a kernel of 5 microseconds is said to take 8: the time of a call,
// which is what a program that needs the result at once will see. With Start::queued the device is
// given something to do first, and the host is done with queueing before the device comes to the
// event: the time of the device alone. (NVIDIA's nvbench does so, with a kernel that the host
// ends.)
#pragma once

#include <cuda_runtime.h>

#include "common/device.cuh"
#include "common/error.cuh"

namespace {

// Keeps one thread of the device busy for that many of its clock cycles.
__global__ void keep_busy(long long cycles) {
    const long long begin = clock64();
    while (clock64() - begin < cycles) {
    }
}

}  // namespace

enum class Start { idle, queued };

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

    void start(Start how = Start::idle) {
        if (how == Start::queued) {
            constexpr long long head_start = 100'000;  // cycles: 50 microseconds of an H200
            keep_busy<<<1, 1>>>(head_start);
            CHECK_LAUNCH();
        }
        CHECK(cudaEventRecord(start_));
    }

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
