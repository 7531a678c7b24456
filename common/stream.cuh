// Stream: a queue of device work of its own, which destroys itself. Kernels of two streams may run
// at the same time. Both still wait for what the default stream was given before, and what the
// default stream is given later waits for both: so neither needs an event around its work.
//
// That is the default stream as it has always been. nvcc can compile for one that belongs to a
// thread of the host (--default-stream per-thread), and no one waits for that one.
#pragma once

#include <cuda_runtime.h>

#include <memory>
#include <type_traits>

#include "common/error.cuh"

namespace common {

#ifdef CUDA_API_PER_THREAD_DEFAULT_STREAM
#error "streams here are ordered by the default stream: leave out --default-stream per-thread"
#endif

class Stream {
  public:
    Stream() {
        cudaStream_t stream{};
        CHECK(cudaStreamCreate(&stream));
        stream_.reset(stream);
    }

    cudaStream_t get() const { return stream_.get(); }

  private:
    struct Destroy {
        void operator()(cudaStream_t stream) const {
            // Unchecked on purpose: at the end of a program the driver may be gone already.
            static_cast<void>(cudaStreamDestroy(stream));
        }
    };
    std::unique_ptr<std::remove_pointer_t<cudaStream_t>, Destroy> stream_;
};

}  // namespace common
