// What NVIDIA's samples expect of their helper_cuda.h: error checks that end the program, and the
// choice of a device. A sample that brings its own header gets that one.
#pragma once

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "cuda_runtime.h"
#include "helper_string.h"

#ifndef MAX
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#endif
#ifndef MIN
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#endif

inline const char* _cudaGetErrorEnum(cudaError_t error) {
    return cudaGetErrorName(error);
}
// Other libraries' states are shown by their numbers.
template <typename T>
const char* _cudaGetErrorEnum(T) {
    return "no cudaError_t";
}

template <typename T>
void check(T state, const char* call, const char* file, const int line) {
    if (state != T{}) {
        fprintf(stderr, "%s:%d: %s returned %d (%s)\n", file, line, call, static_cast<int>(state),
                _cudaGetErrorEnum(state));
        exit(EXIT_FAILURE);
    }
}
#define checkCudaErrors(call) check((call), #call, __FILE__, __LINE__)

inline void __getLastCudaError(const char* message, const char* file, const int line) {
    const cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess) {
        fprintf(stderr, "%s:%d: %s: error %d, %s\n", file, line, message, static_cast<int>(error),
                cudaGetErrorString(error));
        exit(EXIT_FAILURE);
    }
}
#define getLastCudaError(message) __getLastCudaError(message, __FILE__, __LINE__)

inline void __printLastCudaError(const char* message, const char* file, const int line) {
    const cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess) {
        fprintf(stderr, "%s:%d: %s: error %d, %s\n", file, line, message, static_cast<int>(error),
                cudaGetErrorString(error));
    }
}
#define printLastCudaError(message) __printLastCudaError(message, __FILE__, __LINE__)

// To the nearest integer, halves away from zero.
inline int ftoi(float value) {
    return static_cast<int>(value + (value >= 0 ? 0.5f : -0.5f));
}

// FP32 cores per multiprocessor.
inline int _ConvertSMVer2Cores(int major, int minor) {
    switch (major) {
        case 3:
            return 192;
        case 6:
            return minor == 0 ? 64 : 128;
        case 7:
            return 64;
        case 8:
            return minor == 0 ? 64 : 128;
        default:
            return 128;  // 5, and from 9 on
    }
}

inline const char* _ConvertSMVer2ArchName(int major, int minor) {
    switch (major) {
        case 3:
            return "Kepler";
        case 5:
            return "Maxwell";
        case 6:
            return "Pascal";
        case 7:
            return minor == 5 ? "Turing" : "Volta";
        case 8:
            return minor == 9 ? "Ada" : "Ampere";
        case 9:
            return "Hopper";
        default:
            return "Graphics Device";
    }
}

// Makes the device the current one. Ends the program if there is none of this number.
inline int gpuDeviceInit(int device) {
    int count = 0;
    checkCudaErrors(cudaGetDeviceCount(&count));
    if (count == 0) {
        fprintf(stderr, "gpuDeviceInit: there is no device\n");
        exit(EXIT_FAILURE);
    }
    if (device < 0) {
        device = 0;
    }
    if (device >= count) {
        fprintf(stderr, "gpuDeviceInit: there is no device %d; there are %d\n", device, count);
        return -device;
    }
    checkCudaErrors(cudaSetDevice(device));
    return device;
}

// The device with the most multiprocessors times cores.
inline int gpuGetMaxGflopsDeviceId() {
    int count = 0, best = 0, most = -1;
    checkCudaErrors(cudaGetDeviceCount(&count));
    for (int device = 0; device < count; ++device) {
        int multiprocessors = 0, major = 0, minor = 0;
        checkCudaErrors(
            cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
        checkCudaErrors(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device));
        checkCudaErrors(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device));
        const int cores = multiprocessors * _ConvertSMVer2Cores(major, minor);
        if (cores > most) {
            most = cores;
            best = device;
        }
    }
    return best;
}

// The device of --device=NUMBER, else the fastest; it becomes the current one.
inline int findCudaDevice(int count, const char** arguments) {
    int device = 0;
    if (checkCmdLineFlag(count, arguments, "device")) {
        device = gpuDeviceInit(getCmdLineArgumentInt(count, arguments, "device"));
        if (device < 0) {
            exit(EXIT_FAILURE);
        }
    } else {
        device = gpuGetMaxGflopsDeviceId();
        checkCudaErrors(cudaSetDevice(device));
    }
    int major = 0, minor = 0;
    checkCudaErrors(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device));
    checkCudaErrors(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device));
    printf("GPU Device %d: \"%s\" with compute capability %d.%d\n\n", device,
           _ConvertSMVer2ArchName(major, minor), major, minor);
    return device;
}

// Has the current device at least this compute capability?
inline bool checkCudaCapabilities(int wanted_major, int wanted_minor) {
    int device = 0, major = 0, minor = 0;
    checkCudaErrors(cudaGetDevice(&device));
    checkCudaErrors(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device));
    checkCudaErrors(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device));
    return major > wanted_major || (major == wanted_major && minor >= wanted_minor);
}
