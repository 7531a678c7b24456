// CHECK and CHECK_LAUNCH: every CUDA call is checked, and a failure names its place.
//
//     CHECK(cudaMalloc(&d_x, bytes));
//     kernel<<<grid_size, block_size>>>(d_x);
//     CHECK_LAUNCH();
//
// A call that fails prints file, line, the call itself, the error's name and its text to stderr,
// and ends the program with exit status 1. Where the machine is the reason (no memory, an old
// driver, another GPU), more lines say what was there and what to do. Where there is no GPU at all,
// the first CUDA call fails so, and the status is 77: a test counts as skipped then, not as failed.
// Kernels run asynchronously: an error inside a kernel shows at the next call that waits for it, so
// the line printed then is that of the waiting call.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>

namespace common {

// Exit status when the program was built for a GPU and none is there.
constexpr int exit_no_gpu = 77;

[[noreturn]] inline void exit_without_gpu() {
    std::fprintf(stderr,
                 "no CUDA device found; this program was built for a GPU.\n"
                 "If there is one, see whether nvidia-smi lists it: its driver may be missing. "
                 "Without one,\nbuild the CPU device: cmake --preset cpu\n");
    std::exit(exit_no_gpu);
}

// Does the error say that there is no GPU? Where there is no driver at all, its version is 0 and
// the runtime calls it too old.
inline bool says_no_gpu(cudaError_t error) {
    int driver = 0;
    return error == cudaErrorNoDevice ||
           (error == cudaErrorInsufficientDriver && cudaDriverGetVersion(&driver) == cudaSuccess &&
            driver == 0);
}

namespace detail {

// `wanted_bytes` is 0 where the call does not say how many bytes it needs.
inline void say_what_memory_is_there(std::size_t wanted_bytes) {
    std::size_t free_bytes = 0;
    std::size_t all_bytes = 0;
    const bool known = cudaMemGetInfo(&free_bytes, &all_bytes) == cudaSuccess;
    std::fprintf(stderr, "    ");
    if (wanted_bytes > 0) {
        std::fprintf(stderr, "%zu bytes were wanted; ", wanted_bytes);
    }
    if (known) {
        std::fprintf(stderr, "%zu of the device's %zu bytes are free; ", free_bytes, all_bytes);
    }
    std::fprintf(stderr, "expected a smaller input\n");
}

inline void say_driver_is_too_old() {
    int driver = 0;
    int program = 0;
    static_cast<void>(cudaDriverGetVersion(&driver));  // 12020 is CUDA 12.2
    static_cast<void>(cudaRuntimeGetVersion(&program));
    std::fprintf(stderr,
                 "The GPU's driver is too old: it is for CUDA %d.%d, and this program was built "
                 "with CUDA %d.%d.\nInstall a newer driver, or build with a CUDA Toolkit that is "
                 "not newer than the driver.\n",
                 driver / 1000, driver % 1000 / 10, program / 1000, program % 1000 / 10);
}

inline void say_gpu_is_another_one(bool driver_is_too_old) {
    int device = 0;
    cudaDeviceProp gpu{};
    if (cudaGetDevice(&device) != cudaSuccess ||
        cudaGetDeviceProperties(&gpu, device) != cudaSuccess) {
        return;
    }
    std::fprintf(stderr,
                 "This program was not compiled for this GPU: %s, compute capability %d.%d%s.\n",
                 gpu.name, gpu.major, gpu.minor,
                 driver_is_too_old ? "; its driver is too old to translate the program" : "");
    if (gpu.major * 10 + gpu.minor < 75) {
        std::fprintf(stderr,
                     "Expected 7.5 or newer. Without such a GPU, build the CPU device: "
                     "cmake --preset cpu\n");
    } else {
        std::fprintf(stderr,
                     "Build it on this machine, or with -DCMAKE_CUDA_ARCHITECTURES=%d%d (nvcc by "
                     "hand: -arch=sm_%d%d).\n",
                     gpu.major, gpu.minor, gpu.major, gpu.minor);
    }
}

}  // namespace detail

// `wanted_bytes`: of a cudaMalloc, for the message; else 0.
inline void exit_on_cuda_error(cudaError_t error, const char* call, const char* file, int line,
                               std::size_t wanted_bytes = 0) {
    if (error == cudaSuccess) {
        return;
    }
    std::fflush(stdout);
    std::fprintf(stderr, "%s:%d: %s\n    failed with %s: %s\n", file, line, call,
                 cudaGetErrorName(error), cudaGetErrorString(error));
    if (says_no_gpu(error)) {
        exit_without_gpu();
    }
    if (error == cudaErrorMemoryAllocation) {
        detail::say_what_memory_is_there(wanted_bytes);
    } else if (error == cudaErrorInsufficientDriver) {
        detail::say_driver_is_too_old();
    } else if (error == cudaErrorNoKernelImageForDevice ||
               error == cudaErrorInvalidDeviceFunction || error == cudaErrorUnsupportedPtxVersion) {
        detail::say_gpu_is_another_one(error == cudaErrorUnsupportedPtxVersion);
    }
    std::exit(EXIT_FAILURE);
}

// Inside of it the name cudaMalloc means a function that keeps how many bytes are wanted, and then
// calls cudaMalloc with the type of the pointer.
#define CHECK(call)                                                                        \
    do {                                                                                   \
        std::size_t check_bytes = 0;                                                       \
        [[maybe_unused]] const auto cudaMalloc = [&](auto** pointer, std::size_t bytes) {  \
            check_bytes = bytes;                                                           \
            return ::cudaMalloc(pointer, bytes);                                           \
        };                                                                                 \
        const cudaError_t check_error = (call);                                            \
        ::common::exit_on_cuda_error(check_error, #call, __FILE__, __LINE__, check_bytes); \
    } while (false)

// A launch returns nothing: a configuration that the device refuses (a block of 2048 threads, too
// much shared memory) is known only by asking for the last error.
#define CHECK_LAUNCH() \
    ::common::exit_on_cuda_error(cudaGetLastError(), "kernel launch", __FILE__, __LINE__)

}  // namespace common
