// Names that CUDA had until version 12, for the sources of older books. The first use of one of
// them in a run says on standard error what to write today.
#pragma once

#include <cstddef>

#include "cpu_device/host_api.h"

namespace cpu_device {
void used_old_name(const char* name, const char* today, Place place);
}  // namespace cpu_device

inline cudaError_t cudaThreadSynchronize(cpu_device::Place place = {}) {
    cpu_device::used_old_name("cudaThreadSynchronize", "cudaDeviceSynchronize", place);
    return cudaDeviceSynchronize();
}
inline cudaError_t cudaThreadExit(cpu_device::Place place = {}) {
    cpu_device::used_old_name("cudaThreadExit", "cudaDeviceReset", place);
    return cudaDeviceReset();
}
inline cudaError_t cudaThreadSetLimit(cudaLimit limit, std::size_t value,
                                      cpu_device::Place place = {}) {
    cpu_device::used_old_name("cudaThreadSetLimit", "cudaDeviceSetLimit", place);
    return cudaDeviceSetLimit(limit, value);
}
inline cudaError_t cudaThreadGetLimit(std::size_t* value, cudaLimit limit,
                                      cpu_device::Place place = {}) {
    cpu_device::used_old_name("cudaThreadGetLimit", "cudaDeviceGetLimit", place);
    return cudaDeviceGetLimit(value, limit);
}
inline cudaError_t cudaThreadSetCacheConfig(cudaFuncCache config, cpu_device::Place place = {}) {
    cpu_device::used_old_name("cudaThreadSetCacheConfig", "cudaDeviceSetCacheConfig", place);
    return cudaDeviceSetCacheConfig(config);
}
inline cudaError_t cudaThreadGetCacheConfig(cudaFuncCache* config, cpu_device::Place place = {}) {
    cpu_device::used_old_name("cudaThreadGetCacheConfig", "cudaDeviceGetCacheConfig", place);
    return cudaDeviceGetCacheConfig(config);
}
