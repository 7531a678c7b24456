// The library's dot product, for comparison. CUDA builds only.
#pragma once

#ifndef CPU_DEVICE
#include <cublas_v2.h>
#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "common/error.cuh"

inline void exit_on_cublas_error(cublasStatus_t status, const char* call, const char* file,
                                 int line) {
    if (status != CUBLAS_STATUS_SUCCESS) {
        std::fflush(stdout);
        std::fprintf(stderr, "%s:%d: %s\n    failed with %s: %s\n", file, line, call,
                     cublasGetStatusName(status), cublasGetStatusString(status));
        std::exit(EXIT_FAILURE);
    }
}

#define CHECK_CUBLAS(call) exit_on_cublas_error((call), #call, __FILE__, __LINE__)

// One handle for the program, created at the first call. It is not destroyed: at the end of a
// program the driver may be gone already.
inline cublasHandle_t cublas_handle() {
    static const cublasHandle_t handle = [] {
        cublasHandle_t created = nullptr;
        CHECK_CUBLAS(cublasCreate(&created));
        // The result goes to device memory, as that of all other variants does; otherwise the call
        // would wait for it and copy it to the host.
        CHECK_CUBLAS(cublasSetPointerMode(created, CUBLAS_POINTER_MODE_DEVICE));
        return created;
    }();
    return handle;
}

inline void cublas_dot(std::int64_t n, const float* d_a, const float* d_b, float* d_dot) {
    CHECK_CUBLAS(cublasSdot_64(cublas_handle(), n, d_a, 1, d_b, 1, d_dot));
}
inline void cublas_dot(std::int64_t n, const double* d_a, const double* d_b, double* d_dot) {
    CHECK_CUBLAS(cublasDdot_64(cublas_handle(), n, d_a, 1, d_b, 1, d_dot));
}

template <typename T>
void launch_cublas(const T* d_a, const T* d_b, std::size_t n, T* d_dot) {
    if (n == 0) {
        CHECK(cudaMemsetAsync(d_dot, 0, sizeof(T)));  // whatever the library does without work
    }
    cublas_dot(static_cast<std::int64_t>(n), d_a, d_b, d_dot);
}
#endif
