// CHECK and CHECK_LAUNCH: every CUDA call is checked, and a failure names its place.
//
//     CHECK(cudaMalloc(&d_x, bytes));
//     kernel<<<grid_size, block_size>>>(d_x);
//     CHECK_LAUNCH();
//
// A call that fails prints file, line, the call itself, the error's name and its text to stderr,
// and ends the program with exit status 1. Where there is no GPU at all, the first CUDA call fails
// so, and the status is 77: a test counts as skipped then, not as failed. Kernels run
// asynchronously: an error inside a kernel shows at the next call that waits for it, so the line
// printed then is that of the waiting call.
#pragma once

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

namespace common {

// Exit status when the program was built for a GPU and none is there.
constexpr int exit_no_gpu = 77;

[[noreturn]] inline void exit_without_gpu() {
    std::fprintf(stderr,
                 "no CUDA device found; this program was built for a GPU.\n"
                 "Without one, build the CPU device: cmake --preset cpu\n");
    std::exit(exit_no_gpu);
}

inline void exit_on_cuda_error(cudaError_t error, const char* call, const char* file, int line) {
    if (error == cudaSuccess) {
        return;
    }
    std::fflush(stdout);
    std::fprintf(stderr, "%s:%d: %s\n    failed with %s: %s\n", file, line, call,
                 cudaGetErrorName(error), cudaGetErrorString(error));
    if (error == cudaErrorNoDevice || error == cudaErrorInsufficientDriver) {
        exit_without_gpu();
    }
    std::exit(EXIT_FAILURE);
}

#define CHECK(call) ::common::exit_on_cuda_error((call), #call, __FILE__, __LINE__)

// A launch returns nothing: a configuration that the device refuses (a block of 2048 threads, too
// much shared memory) is known only by asking for the last error.
#define CHECK_LAUNCH() \
    ::common::exit_on_cuda_error(cudaGetLastError(), "kernel launch", __FILE__, __LINE__)

}  // namespace common
