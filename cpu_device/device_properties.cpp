// What the device says of itself.
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <iterator>

#include "devices.hpp"
#include "host_api.hpp"
#include "scheduler.hpp"

namespace cpu_device {
namespace {

cudaDeviceProp properties(int device) {
    const int threads = multiprocessor_count();
    cudaDeviceProp p{};
#ifdef CPU_DEVICE_RACE
    std::snprintf(p.name, sizeof p.name, "race mode (one thread at a time)");
#else
    std::snprintf(p.name, sizeof p.name, "CPU device (%d thread%s)", threads,
                  threads == 1 ? "" : "s");
#endif
    p.totalGlobalMem = physical_memory();
    p.sharedMemPerBlock = shared_bytes_per_block;
    p.sharedMemPerBlockOptin = shared_bytes_per_block_optin;
    p.sharedMemPerMultiprocessor = shared_bytes_per_multiprocessor;
    p.reservedSharedMemPerBlock = 1024;
    p.totalConstMem = 65536;
    p.regsPerBlock = 65536;
    p.regsPerMultiprocessor = 65536;
    p.warpSize = 32;
    p.memPitch = 0x7fffffff;
    p.maxThreadsPerBlock = max_threads_per_block;
    p.maxThreadsDim[0] = 1024;
    p.maxThreadsDim[1] = 1024;
    p.maxThreadsDim[2] = 64;
    p.maxGridSize[0] = 0x7fffffff;
    p.maxGridSize[1] = 65535;
    p.maxGridSize[2] = 65535;
    p.major = 9;  // what its atomics and warp functions are those of
    p.minor = 0;
    p.textureAlignment = 512;
    p.texturePitchAlignment = 32;
    p.maxTexture1D = 131072;
    p.maxTexture1DLinear = 268435456;
    p.maxTexture2D[0] = 131072;
    p.maxTexture2D[1] = 65536;
    p.maxTexture2DLinear[0] = 131072;
    p.maxTexture2DLinear[1] = 65000;
    p.maxTexture2DLinear[2] = 2097120;
    p.maxTexture3D[0] = 16384;
    p.maxTexture3D[1] = 16384;
    p.maxTexture3D[2] = 16384;
    p.surfaceAlignment = 512;
    p.maxTexture1DLayered[0] = 32768;
    p.maxTexture1DLayered[1] = 2048;
    p.maxTexture2DLayered[0] = 32768;
    p.maxTexture2DLayered[1] = 32768;
    p.maxTexture2DLayered[2] = 2048;
    p.maxTextureCubemap = 32768;
    p.maxTextureCubemapLayered[0] = 32768;
    p.maxTextureCubemapLayered[1] = 2046;
    p.maxSurface1D = 32768;
    p.maxSurface1DLayered[0] = 32768;
    p.maxSurface1DLayered[1] = 2048;
    p.maxSurface2D[0] = 131072;
    p.maxSurface2D[1] = 65536;
    p.maxSurface2DLayered[0] = 32768;
    p.maxSurface2DLayered[1] = 32768;
    p.maxSurface2DLayered[2] = 2048;
    p.maxSurface3D[0] = 16384;
    p.maxSurface3D[1] = 16384;
    p.maxSurface3D[2] = 16384;
    p.maxSurfaceCubemap = 32768;
    p.maxSurfaceCubemapLayered[0] = 32768;
    p.maxSurfaceCubemapLayered[1] = 2046;
    p.unifiedFunctionPointers = 1;
    p.deviceNumaId = -1;
    std::snprintf(p.uuid.bytes, sizeof p.uuid.bytes, "CPU device %d", device);
    p.multiProcessorCount = threads;
    p.maxThreadsPerMultiProcessor = max_threads_per_multiprocessor;
    p.maxBlocksPerMultiProcessor = max_blocks_per_multiprocessor;
    const long l2 = sysconf(_SC_LEVEL2_CACHE_SIZE);
    p.l2CacheSize = l2 > 0 ? static_cast<int>(l2) : 1 << 20;
    p.memoryBusWidth = 64;
    p.clockRate = 1000000;  // clock64() counts nanoseconds; in kHz
    p.memoryClockRate = 1000000;
    // What programs ask before they overlap copies and kernels in streams. Each call here does its
    // work before it returns, which an order of streams always allows.
    p.concurrentKernels = 1;
    p.deviceOverlap = 1;
    p.asyncEngineCount = 1;
    p.streamPrioritiesSupported = 1;
    p.computePreemptionSupported = 1;
    p.managedMemory = 1;
    p.concurrentManagedAccess = 1;
    p.unifiedAddressing = 1;
    p.canMapHostMemory = 1;
    p.hostRegisterSupported = 1;
    p.canUseHostPointerForRegisteredMem = 1;
    p.cooperativeLaunch = 1;
    p.memoryPoolsSupported = 1;
    p.globalL1CacheSupported = 1;
    p.localL1CacheSupported = 1;
    p.singleToDoublePrecisionPerfRatio = 1;
    p.integrated = 1;
    p.pciBusID = device;
    return p;
}

}  // namespace
}  // namespace cpu_device

using cpu_device::result;

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
    if (!cpu_device::is_device(device)) {
        return result(cudaErrorInvalidDevice);
    }
    *properties = cpu_device::properties(device);
    return result(cudaSuccess);
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
    if (!cpu_device::is_device(device)) {
        return result(cudaErrorInvalidDevice);
    }
    const cudaDeviceProp p = cpu_device::properties(device);
    const struct {
        cudaDeviceAttr attribute;
        long long value;
    } values[] = {
        {cudaDevAttrMaxThreadsPerBlock, p.maxThreadsPerBlock},
        {cudaDevAttrMaxBlockDimX, p.maxThreadsDim[0]},
        {cudaDevAttrMaxBlockDimY, p.maxThreadsDim[1]},
        {cudaDevAttrMaxBlockDimZ, p.maxThreadsDim[2]},
        {cudaDevAttrMaxGridDimX, p.maxGridSize[0]},
        {cudaDevAttrMaxGridDimY, p.maxGridSize[1]},
        {cudaDevAttrMaxGridDimZ, p.maxGridSize[2]},
        {cudaDevAttrMaxSharedMemoryPerBlock, static_cast<long long>(p.sharedMemPerBlock)},
        {cudaDevAttrTotalConstantMemory, static_cast<long long>(p.totalConstMem)},
        {cudaDevAttrWarpSize, p.warpSize},
        {cudaDevAttrMaxPitch, static_cast<long long>(p.memPitch)},
        {cudaDevAttrMaxRegistersPerBlock, p.regsPerBlock},
        {cudaDevAttrClockRate, p.clockRate},
        {cudaDevAttrTextureAlignment, static_cast<long long>(p.textureAlignment)},
        {cudaDevAttrGpuOverlap, p.deviceOverlap},
        {cudaDevAttrMultiProcessorCount, p.multiProcessorCount},
        {cudaDevAttrKernelExecTimeout, p.kernelExecTimeoutEnabled},
        {cudaDevAttrIntegrated, p.integrated},
        {cudaDevAttrCanMapHostMemory, p.canMapHostMemory},
        {cudaDevAttrComputeMode, p.computeMode},
        {cudaDevAttrMaxTexture1DWidth, p.maxTexture1D},
        {cudaDevAttrMaxTexture2DWidth, p.maxTexture2D[0]},
        {cudaDevAttrMaxTexture2DHeight, p.maxTexture2D[1]},
        {cudaDevAttrMaxTexture3DWidth, p.maxTexture3D[0]},
        {cudaDevAttrMaxTexture3DHeight, p.maxTexture3D[1]},
        {cudaDevAttrMaxTexture3DDepth, p.maxTexture3D[2]},
        {cudaDevAttrSurfaceAlignment, static_cast<long long>(p.surfaceAlignment)},
        {cudaDevAttrConcurrentKernels, p.concurrentKernels},
        {cudaDevAttrEccEnabled, p.ECCEnabled},
        {cudaDevAttrPciBusId, p.pciBusID},
        {cudaDevAttrPciDeviceId, p.pciDeviceID},
        {cudaDevAttrTccDriver, p.tccDriver},
        {cudaDevAttrMemoryClockRate, p.memoryClockRate},
        {cudaDevAttrGlobalMemoryBusWidth, p.memoryBusWidth},
        {cudaDevAttrL2CacheSize, p.l2CacheSize},
        {cudaDevAttrMaxThreadsPerMultiProcessor, p.maxThreadsPerMultiProcessor},
        {cudaDevAttrAsyncEngineCount, p.asyncEngineCount},
        {cudaDevAttrUnifiedAddressing, p.unifiedAddressing},
        {cudaDevAttrPciDomainId, p.pciDomainID},
        {cudaDevAttrTexturePitchAlignment, static_cast<long long>(p.texturePitchAlignment)},
        {cudaDevAttrComputeCapabilityMajor, p.major},
        {cudaDevAttrComputeCapabilityMinor, p.minor},
        {cudaDevAttrStreamPrioritiesSupported, p.streamPrioritiesSupported},
        {cudaDevAttrGlobalL1CacheSupported, p.globalL1CacheSupported},
        {cudaDevAttrLocalL1CacheSupported, p.localL1CacheSupported},
        {cudaDevAttrMaxSharedMemoryPerMultiprocessor,
         static_cast<long long>(p.sharedMemPerMultiprocessor)},
        {cudaDevAttrMaxRegistersPerMultiprocessor, p.regsPerMultiprocessor},
        {cudaDevAttrManagedMemory, p.managedMemory},
        {cudaDevAttrIsMultiGpuBoard, p.isMultiGpuBoard},
        {cudaDevAttrMultiGpuBoardGroupID, p.multiGpuBoardGroupID},
        {cudaDevAttrHostNativeAtomicSupported, p.hostNativeAtomicSupported},
        {cudaDevAttrSingleToDoublePrecisionPerfRatio, p.singleToDoublePrecisionPerfRatio},
        {cudaDevAttrPageableMemoryAccess, p.pageableMemoryAccess},
        {cudaDevAttrConcurrentManagedAccess, p.concurrentManagedAccess},
        {cudaDevAttrComputePreemptionSupported, p.computePreemptionSupported},
        {cudaDevAttrCanUseHostPointerForRegisteredMem, p.canUseHostPointerForRegisteredMem},
        {cudaDevAttrCooperativeLaunch, p.cooperativeLaunch},
        {cudaDevAttrMaxSharedMemoryPerBlockOptin, static_cast<long long>(p.sharedMemPerBlockOptin)},
        {cudaDevAttrHostRegisterSupported, p.hostRegisterSupported},
        {cudaDevAttrPageableMemoryAccessUsesHostPageTables,
         p.pageableMemoryAccessUsesHostPageTables},
        {cudaDevAttrDirectManagedMemAccessFromHost, p.directManagedMemAccessFromHost},
        {cudaDevAttrMaxBlocksPerMultiprocessor, p.maxBlocksPerMultiProcessor},
        {cudaDevAttrMaxPersistingL2CacheSize, p.persistingL2CacheMaxSize},
        {cudaDevAttrMaxAccessPolicyWindowSize, p.accessPolicyMaxWindowSize},
        {cudaDevAttrReservedSharedMemoryPerBlock,
         static_cast<long long>(p.reservedSharedMemPerBlock)},
        {cudaDevAttrMemoryPoolsSupported, p.memoryPoolsSupported},
        {cudaDevAttrClusterLaunch, p.clusterLaunch},
    };
    for (const auto& known : values) {
        if (known.attribute == attribute) {
            *value = static_cast<int>(known.value);
            return result(cudaSuccess);
        }
    }
    return result(cudaErrorInvalidValue);
}

// The device that has most of what is asked for: all are equal.
cudaError_t cudaChooseDevice(int* device, const cudaDeviceProp*) {
    *device = 0;
    return result(cudaSuccess);
}

static int print_pci_id(char* id, std::size_t length, const cudaDeviceProp& p) {
    return std::snprintf(id, length, "%04x:%02x:%02x.0", p.pciDomainID, p.pciBusID, p.pciDeviceID);
}

cudaError_t cudaDeviceGetPCIBusId(char* id, int length, int device) {
    if (!cpu_device::is_device(device)) {
        return result(cudaErrorInvalidDevice);
    }
    const cudaDeviceProp p = cpu_device::properties(device);
    const int needed = print_pci_id(id, length > 0 ? static_cast<std::size_t>(length) : 0, p);
    return result(needed < length ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaDeviceGetByPCIBusId(int* device, const char* id) {
    for (int number = 0; number < cpu_device::device_count(); ++number) {
        char own[32];
        const cudaDeviceProp p = cpu_device::properties(number);
        print_pci_id(own, sizeof own, p);
        if (std::strcmp(id, own) == 0) {
            *device = number;
            return result(cudaSuccess);
        }
    }
    return result(cudaErrorInvalidDevice);
}
