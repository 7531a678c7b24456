// What device the program runs on: a GPU, or the CPU device (cpu_device) that runs the same
// kernels without one.
#pragma once

#include <cuda_runtime.h>

#include <string>
#include <type_traits>

#include "error.cuh"

namespace common {

// True where the kernels run on the CPU device: times are then those of an emulation, and default
// sizes are smaller.
#ifdef CPU_DEVICE
constexpr bool on_cpu_device = true;
#else
constexpr bool on_cpu_device = false;
#endif

// Whether atomicAdd on a T in global memory takes subnormal numbers for 0. (PTX ISA, instruction
// atom.)
template <typename T>
constexpr bool atomic_add_flushes = std::is_same<T, float>::value && !on_cpu_device;

// How many devices can run a kernel; 0 when there is no GPU or no driver. What else goes wrong,
// such as a driver that is too old, ends the program.
inline int device_count() {
    int count = 0;
    const cudaError_t error = cudaGetDeviceCount(&count);
    if (says_no_gpu(error)) {
        static_cast<void>(cudaGetLastError());  // the error is this answer; do not leave it behind
        return 0;
    }
    exit_on_cuda_error(error, "cudaGetDeviceCount(&count)", __FILE__, __LINE__);
    return count;
}

// The current device's properties. Ends the program with status 77 when there is no device.
inline cudaDeviceProp device_properties() {
    if (device_count() == 0) {
        exit_without_gpu();
    }
    int device = 0;
    CHECK(cudaGetDevice(&device));
    cudaDeviceProp properties{};
    CHECK(cudaGetDeviceProperties(&properties, device));
    return properties;
}

// An attribute of the current device. Launchers ask before each launch, and the driver takes up to
// a microsecond to answer: so the last answer is kept.
template <cudaDeviceAttr attribute>
int device_attribute() {
    thread_local int asked = -1;
    thread_local int value = 0;
    int device = 0;
    CHECK(cudaGetDevice(&device));
    if (device != asked) {
        CHECK(cudaDeviceGetAttribute(&value, attribute, device));
        asked = device;
    }
    return value;
}

// Number of multiprocessors: what "a few blocks for each" is counted from.
inline int multiprocessor_count() {
    return device_attribute<cudaDevAttrMultiProcessorCount>();
}

}  // namespace common
