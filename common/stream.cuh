// Stream: a queue of device work of its own, which destroys itself. Kernels of two streams may run
// at the same time. Both still wait for what the default stream was given before, and what the
// default stream is given later waits for both: so neither needs an event around its work.
#pragma once

#include <cuda_runtime.h>

#include "common/error.cuh"

class Stream {
  public:
    Stream() { CHECK(cudaStreamCreate(&stream_)); }
    ~Stream() {
        // Unchecked on purpose: at the end of a program the driver may be gone already.
        static_cast<void>(cudaStreamDestroy(stream_));
    }
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;

    cudaStream_t get() const { return stream_; }

  private:
    cudaStream_t stream_{};
};
