// The types and constants of the host side of the CUDA runtime, with CUDA's own numbers.
#pragma once

#include <cstddef>

#include "cpu_device/vector_types.h"

#define CUDART_VERSION 13000

// --- errors -----------------------------------------------------------------------------------

// clang-format off
#define CPU_DEVICE_ERRORS(error) \
    error(cudaSuccess, 0, "no error")                                                              \
    error(cudaErrorInvalidValue, 1, "invalid argument")                                            \
    error(cudaErrorMemoryAllocation, 2, "out of memory")                                           \
    error(cudaErrorInitializationError, 3, "initialization error")                                 \
    error(cudaErrorCudartUnloading, 4, "driver shutting down")                                     \
    error(cudaErrorProfilerDisabled, 5, "profiler disabled while using external profiling tool")   \
    error(cudaErrorInvalidConfiguration, 9, "invalid configuration argument")                      \
    error(cudaErrorInvalidPitchValue, 12, "invalid pitch argument")                                \
    error(cudaErrorInvalidSymbol, 13, "invalid device symbol")                                     \
    error(cudaErrorInvalidHostPointer, 16, "invalid host pointer")                                 \
    error(cudaErrorInvalidDevicePointer, 17, "invalid device pointer")                             \
    error(cudaErrorInvalidTexture, 18, "invalid texture reference")                                \
    error(cudaErrorInvalidChannelDescriptor, 20, "invalid channel descriptor")                     \
    error(cudaErrorInvalidMemcpyDirection, 21, "invalid copy direction for memcpy")                \
    error(cudaErrorInvalidFilterSetting, 26, "linear filtering not supported for non-float type")  \
    error(cudaErrorInsufficientDriver, 35,                                                         \
          "CUDA driver version is insufficient for CUDA runtime version")                          \
    error(cudaErrorDevicesUnavailable, 46, "CUDA-capable device(s) is/are busy or unavailable")    \
    error(cudaErrorMissingConfiguration, 52, "__global__ function call is not configured")         \
    error(cudaErrorPriorLaunchFailure, 53, "unspecified launch failure in prior launch")           \
    error(cudaErrorDeviceAlreadyInUse, 54,                                                         \
          "exclusive-thread device already in use by a different thread")                          \
    error(cudaErrorInvalidDeviceFunction, 98, "invalid device function")                           \
    error(cudaErrorNoDevice, 100, "no CUDA-capable device is detected")                            \
    error(cudaErrorInvalidDevice, 101, "invalid device ordinal")                                   \
    error(cudaErrorInvalidKernelImage, 200, "device kernel image is invalid")                      \
    error(cudaErrorDeviceUninitialized, 201, "invalid device context")                             \
    error(cudaErrorNoKernelImageForDevice, 209,                                                    \
          "no kernel image is available for execution on the device")                              \
    error(cudaErrorECCUncorrectable, 214, "uncorrectable ECC error encountered")                   \
    error(cudaErrorUnsupportedLimit, 215, "limit is not supported on this architecture")           \
    error(cudaErrorPeerAccessUnsupported, 217,                                                     \
          "peer access is not supported between these two devices")                                \
    error(cudaErrorInvalidPtx, 218, "a PTX JIT compilation failed")                                \
    error(cudaErrorUnsupportedPtxVersion, 222,                                                     \
          "the provided PTX was compiled with an unsupported toolchain.")                          \
    error(cudaErrorInvalidSource, 300, "device kernel image is invalid")                           \
    error(cudaErrorFileNotFound, 301, "file not found")                                            \
    error(cudaErrorOperatingSystem, 304, "OS call failed or operation not supported on this OS")   \
    error(cudaErrorInvalidResourceHandle, 400, "invalid resource handle")                          \
    error(cudaErrorSymbolNotFound, 500, "named symbol not found")                                  \
    error(cudaErrorNotReady, 600, "device not ready")                                              \
    error(cudaErrorIllegalAddress, 700, "an illegal memory access was encountered")                \
    error(cudaErrorLaunchOutOfResources, 701, "too many resources requested for launch")           \
    error(cudaErrorLaunchTimeout, 702, "the launch timed out and was terminated")                  \
    error(cudaErrorPeerAccessAlreadyEnabled, 704, "peer access is already enabled")                \
    error(cudaErrorPeerAccessNotEnabled, 705, "peer access has not been enabled")                  \
    error(cudaErrorSetOnActiveProcess, 708, "cannot set while device is active in this process")   \
    error(cudaErrorContextIsDestroyed, 709, "context is destroyed")                                \
    error(cudaErrorAssert, 710, "device-side assert triggered")                                    \
    error(cudaErrorTooManyPeers, 711, "peer mapping resources exhausted")                          \
    error(cudaErrorHostMemoryAlreadyRegistered, 712,                                               \
          "part or all of the requested memory range is already mapped")                           \
    error(cudaErrorHostMemoryNotRegistered, 713,                                                   \
          "pointer does not correspond to a registered memory region")                             \
    error(cudaErrorHardwareStackError, 714, "hardware stack error")                                \
    error(cudaErrorIllegalInstruction, 715, "an illegal instruction was encountered")              \
    error(cudaErrorMisalignedAddress, 716, "misaligned address")                                   \
    error(cudaErrorInvalidAddressSpace, 717,                                                       \
          "operation not supported on global/shared address space")                                \
    error(cudaErrorInvalidPc, 718, "invalid program counter")                                      \
    error(cudaErrorLaunchFailure, 719, "unspecified launch failure")                               \
    error(cudaErrorCooperativeLaunchTooLarge, 720, "too many blocks in cooperative launch")        \
    error(cudaErrorNotPermitted, 800, "operation not permitted")                                   \
    error(cudaErrorNotSupported, 801, "operation not supported")                                   \
    error(cudaErrorSystemNotReady, 802, "system not yet initialized")                              \
    error(cudaErrorUnknown, 999, "unknown error")
// clang-format on

enum cudaError {
#define CPU_DEVICE_ERROR(name, number, text) name = number,
    CPU_DEVICE_ERRORS(CPU_DEVICE_ERROR)
#undef CPU_DEVICE_ERROR
};
using cudaError_t = cudaError;

// --- memory -----------------------------------------------------------------------------------

enum cudaMemcpyKind {
    cudaMemcpyHostToHost = 0,
    cudaMemcpyHostToDevice = 1,
    cudaMemcpyDeviceToHost = 2,
    cudaMemcpyDeviceToDevice = 3,
    cudaMemcpyDefault = 4,
};

enum cudaMemoryType {
    cudaMemoryTypeUnregistered = 0,
    cudaMemoryTypeHost = 1,
    cudaMemoryTypeDevice = 2,
    cudaMemoryTypeManaged = 3,
};

struct cudaPointerAttributes {
    cudaMemoryType type;
    int device;
    void* devicePointer;
    void* hostPointer;
};

enum cudaMemoryAdvise {
    cudaMemAdviseSetReadMostly = 1,
    cudaMemAdviseUnsetReadMostly = 2,
    cudaMemAdviseSetPreferredLocation = 3,
    cudaMemAdviseUnsetPreferredLocation = 4,
    cudaMemAdviseSetAccessedBy = 5,
    cudaMemAdviseUnsetAccessedBy = 6,
};

enum cudaMemRangeAttribute {
    cudaMemRangeAttributeReadMostly = 1,
    cudaMemRangeAttributePreferredLocation = 2,
    cudaMemRangeAttributeAccessedBy = 3,
    cudaMemRangeAttributeLastPrefetchLocation = 4,
    cudaMemRangeAttributePreferredLocationType = 5,
    cudaMemRangeAttributePreferredLocationId = 6,
    cudaMemRangeAttributeLastPrefetchLocationType = 7,
    cudaMemRangeAttributeLastPrefetchLocationId = 8,
};

enum cudaMemLocationType {
    cudaMemLocationTypeInvalid = 0,
    cudaMemLocationTypeDevice = 1,
    cudaMemLocationTypeHost = 2,
};
struct cudaMemLocation {
    cudaMemLocationType type;
    int id;
};

constexpr int cudaCpuDeviceId = -1;
constexpr int cudaInvalidDeviceId = -2;
constexpr unsigned cudaHostAllocDefault = 0;
constexpr unsigned cudaHostAllocPortable = 1;
constexpr unsigned cudaHostAllocMapped = 2;
constexpr unsigned cudaHostAllocWriteCombined = 4;
constexpr unsigned cudaHostRegisterDefault = 0;
constexpr unsigned cudaHostRegisterPortable = 1;
constexpr unsigned cudaHostRegisterMapped = 2;
constexpr unsigned cudaHostRegisterIoMemory = 4;
constexpr unsigned cudaHostRegisterReadOnly = 8;
constexpr unsigned cudaMemAttachGlobal = 1;
constexpr unsigned cudaMemAttachHost = 2;
constexpr unsigned cudaMemAttachSingle = 4;

// --- devices ----------------------------------------------------------------------------------

enum cudaDeviceAttr {
    cudaDevAttrMaxThreadsPerBlock = 1,
    cudaDevAttrMaxBlockDimX = 2,
    cudaDevAttrMaxBlockDimY = 3,
    cudaDevAttrMaxBlockDimZ = 4,
    cudaDevAttrMaxGridDimX = 5,
    cudaDevAttrMaxGridDimY = 6,
    cudaDevAttrMaxGridDimZ = 7,
    cudaDevAttrMaxSharedMemoryPerBlock = 8,
    cudaDevAttrTotalConstantMemory = 9,
    cudaDevAttrWarpSize = 10,
    cudaDevAttrMaxPitch = 11,
    cudaDevAttrMaxRegistersPerBlock = 12,
    cudaDevAttrClockRate = 13,
    cudaDevAttrTextureAlignment = 14,
    cudaDevAttrGpuOverlap = 15,
    cudaDevAttrMultiProcessorCount = 16,
    cudaDevAttrKernelExecTimeout = 17,
    cudaDevAttrIntegrated = 18,
    cudaDevAttrCanMapHostMemory = 19,
    cudaDevAttrComputeMode = 20,
    cudaDevAttrMaxTexture1DWidth = 21,
    cudaDevAttrMaxTexture2DWidth = 22,
    cudaDevAttrMaxTexture2DHeight = 23,
    cudaDevAttrMaxTexture3DWidth = 24,
    cudaDevAttrMaxTexture3DHeight = 25,
    cudaDevAttrMaxTexture3DDepth = 26,
    cudaDevAttrSurfaceAlignment = 30,
    cudaDevAttrConcurrentKernels = 31,
    cudaDevAttrEccEnabled = 32,
    cudaDevAttrPciBusId = 33,
    cudaDevAttrPciDeviceId = 34,
    cudaDevAttrTccDriver = 35,
    cudaDevAttrMemoryClockRate = 36,
    cudaDevAttrGlobalMemoryBusWidth = 37,
    cudaDevAttrL2CacheSize = 38,
    cudaDevAttrMaxThreadsPerMultiProcessor = 39,
    cudaDevAttrAsyncEngineCount = 40,
    cudaDevAttrUnifiedAddressing = 41,
    cudaDevAttrPciDomainId = 50,
    cudaDevAttrTexturePitchAlignment = 51,
    cudaDevAttrComputeCapabilityMajor = 75,
    cudaDevAttrComputeCapabilityMinor = 76,
    cudaDevAttrStreamPrioritiesSupported = 78,
    cudaDevAttrGlobalL1CacheSupported = 79,
    cudaDevAttrLocalL1CacheSupported = 80,
    cudaDevAttrMaxSharedMemoryPerMultiprocessor = 81,
    cudaDevAttrMaxRegistersPerMultiprocessor = 82,
    cudaDevAttrManagedMemory = 83,
    cudaDevAttrIsMultiGpuBoard = 84,
    cudaDevAttrMultiGpuBoardGroupID = 85,
    cudaDevAttrHostNativeAtomicSupported = 86,
    cudaDevAttrSingleToDoublePrecisionPerfRatio = 87,
    cudaDevAttrPageableMemoryAccess = 88,
    cudaDevAttrConcurrentManagedAccess = 89,
    cudaDevAttrComputePreemptionSupported = 90,
    cudaDevAttrCanUseHostPointerForRegisteredMem = 91,
    cudaDevAttrCooperativeLaunch = 95,
    cudaDevAttrMaxSharedMemoryPerBlockOptin = 97,
    cudaDevAttrHostRegisterSupported = 99,
    cudaDevAttrPageableMemoryAccessUsesHostPageTables = 100,
    cudaDevAttrDirectManagedMemAccessFromHost = 101,
    cudaDevAttrMaxBlocksPerMultiprocessor = 106,
    cudaDevAttrMaxPersistingL2CacheSize = 108,
    cudaDevAttrMaxAccessPolicyWindowSize = 109,
    cudaDevAttrReservedSharedMemoryPerBlock = 111,
    cudaDevAttrMemoryPoolsSupported = 115,
    cudaDevAttrClusterLaunch = 120,
};

struct CUuuid_st {
    char bytes[16];
};
using cudaUUID_t = CUuuid_st;

struct cudaDeviceProp {
    char name[256];
    cudaUUID_t uuid;
    char luid[8];
    unsigned luidDeviceNodeMask;
    std::size_t totalGlobalMem;
    std::size_t sharedMemPerBlock;
    int regsPerBlock;
    int warpSize;
    std::size_t memPitch;
    int maxThreadsPerBlock;
    int maxThreadsDim[3];
    int maxGridSize[3];
    std::size_t totalConstMem;
    int major, minor;
    std::size_t textureAlignment;
    std::size_t texturePitchAlignment;
    std::size_t surfaceAlignment;
    int multiProcessorCount;
    int integrated;
    int canMapHostMemory;
    int maxTexture1D;
    int maxTexture1DLinear;
    int maxTexture1DLayered[2];
    int maxTexture2D[2];
    int maxTexture2DLinear[3];
    int maxTexture2DLayered[3];
    int maxTexture3D[3];
    int maxTexture3DAlt[3];
    int maxTexture1DMipmap;
    int maxTexture2DMipmap[2];
    int maxTexture2DGather[2];
    int maxTextureCubemap;
    int maxTextureCubemapLayered[2];
    int maxSurface1D;
    int maxSurface1DLayered[2];
    int maxSurface2D[2];
    int maxSurface2DLayered[3];
    int maxSurface3D[3];
    int maxSurfaceCubemap;
    int maxSurfaceCubemapLayered[2];
    int concurrentKernels;
    int ECCEnabled;
    int pciBusID, pciDeviceID, pciDomainID;
    int tccDriver;
    int asyncEngineCount;
    int unifiedAddressing;
    int memoryBusWidth;
    int l2CacheSize;
    int persistingL2CacheMaxSize;
    int maxThreadsPerMultiProcessor;
    int streamPrioritiesSupported;
    int globalL1CacheSupported, localL1CacheSupported;
    std::size_t sharedMemPerMultiprocessor;
    int regsPerMultiprocessor;
    int managedMemory;
    int isMultiGpuBoard, multiGpuBoardGroupID;
    int hostNativeAtomicSupported;
    int pageableMemoryAccess;
    int concurrentManagedAccess;
    int computePreemptionSupported;
    int canUseHostPointerForRegisteredMem;
    int cooperativeLaunch;
    std::size_t sharedMemPerBlockOptin;
    int pageableMemoryAccessUsesHostPageTables;
    int directManagedMemAccessFromHost;
    int maxBlocksPerMultiProcessor;
    int accessPolicyMaxWindowSize;
    std::size_t reservedSharedMemPerBlock;
    int hostRegisterSupported;
    int memoryPoolsSupported;
    int clusterLaunch;
    int hostRegisterReadOnlySupported;
    int sparseCudaArraySupported, deferredMappingCudaArraySupported;
    int timelineSemaphoreInteropSupported;
    int gpuDirectRDMASupported;
    unsigned gpuDirectRDMAFlushWritesOptions;
    int gpuDirectRDMAWritesOrdering;
    unsigned memoryPoolSupportedHandleTypes;
    int ipcEventSupported;
    int unifiedFunctionPointers;
    int mpsEnabled;
    int deviceNumaConfig, deviceNumaId;
    // CUDA 13 has these no more; the sources of many books read them.
    int clockRate, memoryClockRate;  // in kHz
    int deviceOverlap;
    int kernelExecTimeoutEnabled;
    int computeMode;
    int singleToDoublePrecisionPerfRatio;
    int cooperativeMultiDeviceLaunch;
};

enum cudaComputeMode {
    cudaComputeModeDefault = 0,
    cudaComputeModeExclusive = 1,
    cudaComputeModeProhibited = 2,
    cudaComputeModeExclusiveProcess = 3,
};

enum cudaLimit {
    cudaLimitStackSize = 0,
    cudaLimitPrintfFifoSize = 1,
    cudaLimitMallocHeapSize = 2,
    cudaLimitDevRuntimeSyncDepth = 3,
    cudaLimitDevRuntimePendingLaunchCount = 4,
    cudaLimitMaxL2FetchGranularity = 5,
    cudaLimitPersistingL2CacheSize = 6,
};

enum cudaFuncCache {
    cudaFuncCachePreferNone = 0,
    cudaFuncCachePreferShared = 1,
    cudaFuncCachePreferL1 = 2,
    cudaFuncCachePreferEqual = 3,
};
enum cudaSharedMemConfig {
    cudaSharedMemBankSizeDefault = 0,
    cudaSharedMemBankSizeFourByte = 1,
    cudaSharedMemBankSizeEightByte = 2,
};

constexpr unsigned cudaDeviceScheduleAuto = 0;
constexpr unsigned cudaDeviceScheduleSpin = 1;
constexpr unsigned cudaDeviceScheduleYield = 2;
constexpr unsigned cudaDeviceScheduleBlockingSync = 4;
constexpr unsigned cudaDeviceBlockingSync = 4;  // its older name
constexpr unsigned cudaDeviceMapHost = 8;
constexpr unsigned cudaDeviceLmemResizeToMax = 16;

// --- kernels ----------------------------------------------------------------------------------

// Of a pair of devices.
enum cudaDeviceP2PAttr {
    cudaDevP2PAttrPerformanceRank = 1,
    cudaDevP2PAttrAccessSupported = 2,
    cudaDevP2PAttrNativeAtomicSupported = 3,
    cudaDevP2PAttrCudaArrayAccessSupported = 4,
};

enum cudaFuncAttribute {
    cudaFuncAttributeMaxDynamicSharedMemorySize = 8,
    cudaFuncAttributePreferredSharedMemoryCarveout = 9,
};

enum cudaSharedCarveout {
    cudaSharedmemCarveoutDefault = -1,
    cudaSharedmemCarveoutMaxL1 = 0,
    cudaSharedmemCarveoutMaxShared = 100,
};

constexpr unsigned cudaOccupancyDefault = 0;
constexpr unsigned cudaOccupancyDisableCachingOverride = 1;

// What is not known of a kernel here (its registers, its local memory) is 0.
struct cudaFuncAttributes {
    std::size_t sharedSizeBytes;
    std::size_t constSizeBytes;
    std::size_t localSizeBytes;
    int maxThreadsPerBlock;
    int numRegs;
    int ptxVersion;
    int binaryVersion;
    int cacheModeCA;
    int maxDynamicSharedSizeBytes;
    int preferredShmemCarveout;
};

// --- streams and events -----------------------------------------------------------------------

struct CUstream_st;
struct CUevent_st;
using cudaStream_t = CUstream_st*;
using cudaEvent_t = CUevent_st*;
using cudaHostFn_t = void (*)(void* data);
using cudaStreamCallback_t = void (*)(cudaStream_t stream, cudaError_t status, void* data);

// The default stream by name, and that of the calling thread of the host.
inline const auto cudaStreamLegacy = reinterpret_cast<cudaStream_t>(1);
inline const auto cudaStreamPerThread = reinterpret_cast<cudaStream_t>(2);

#define cudaStreamDefault 0x00  // a flag, and, since it is a literal 0, the default stream, too
constexpr unsigned cudaStreamNonBlocking = 1;
constexpr unsigned cudaEventDefault = 0;
constexpr unsigned cudaEventBlockingSync = 1;
constexpr unsigned cudaEventDisableTiming = 2;
constexpr unsigned cudaEventInterprocess = 4;
constexpr unsigned cudaEventRecordDefault = 0;
constexpr unsigned cudaEventWaitDefault = 0;

// What a program wants to stay in the L2 cache. Kept for the program to read, and without effect:
// the cache of the CPU is its own master.
enum cudaAccessProperty {
    cudaAccessPropertyNormal = 0,
    cudaAccessPropertyStreaming = 1,
    cudaAccessPropertyPersisting = 2,
};
struct cudaAccessPolicyWindow {
    void* base_ptr;
    std::size_t num_bytes;
    float hitRatio;
    cudaAccessProperty hitProp, missProp;
};
enum cudaSynchronizationPolicy {
    cudaSyncPolicyAuto = 1,
    cudaSyncPolicySpin = 2,
    cudaSyncPolicyYield = 3,
    cudaSyncPolicyBlockingSync = 4,
};

// What a launch or a stream may be told.
enum cudaLaunchAttributeID {
    cudaLaunchAttributeIgnore = 0,
    cudaLaunchAttributeAccessPolicyWindow = 1,
    cudaLaunchAttributeCooperative = 2,
    cudaLaunchAttributeSynchronizationPolicy = 3,
    cudaLaunchAttributeClusterDimension = 4,
    cudaLaunchAttributeProgrammaticStreamSerialization = 6,
    cudaLaunchAttributePriority = 8,
};
union cudaLaunchAttributeValue {
    char pad[64];
    cudaAccessPolicyWindow accessPolicyWindow;
    int cooperative;
    cudaSynchronizationPolicy syncPolicy;
    struct {
        unsigned x, y, z;
    } clusterDim;
    int programmaticStreamSerializationAllowed;
    int priority;
};
struct cudaLaunchAttribute {
    cudaLaunchAttributeID id;
    cudaLaunchAttributeValue val;
};
struct cudaLaunchConfig_t {
    dim3 gridDim, blockDim;
    std::size_t dynamicSmemBytes;
    cudaStream_t stream;
    cudaLaunchAttribute* attrs;
    unsigned numAttrs;
};
using cudaStreamAttrID = cudaLaunchAttributeID;
using cudaStreamAttrValue = cudaLaunchAttributeValue;
constexpr cudaStreamAttrID cudaStreamAttributeAccessPolicyWindow =
    cudaLaunchAttributeAccessPolicyWindow;
constexpr cudaStreamAttrID cudaStreamAttributeSynchronizationPolicy =
    cudaLaunchAttributeSynchronizationPolicy;
constexpr cudaStreamAttrID cudaStreamAttributePriority = cudaLaunchAttributePriority;
