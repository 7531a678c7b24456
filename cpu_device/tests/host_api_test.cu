// The host side of the CUDA runtime: errors, memory that is shared, launches by address, occupancy.
// The same on a GPU and on the CPU device.
#include <cuda_profiler_api.h>
#include <cuda_runtime.h>
#include <gtest/gtest.h>
#include <nvtx3/nvToolsExt.h>

#include <cstring>
#include <vector>

#include "device_test.cuh"

namespace {

class HostApi : public DeviceTest {};

TEST(HostApiNames, OfErrorsAreCudas) {
    const struct {
        cudaError_t error;
        const char* name;
        const char* text;
    } errors[] = {
#define NAMED(error, text) {error, #error, text}
        NAMED(cudaSuccess, "no error"),
        NAMED(cudaErrorInvalidValue, "invalid argument"),
        NAMED(cudaErrorMemoryAllocation, "out of memory"),
        NAMED(cudaErrorInitializationError, "initialization error"),
        NAMED(cudaErrorInvalidConfiguration, "invalid configuration argument"),
        NAMED(cudaErrorInvalidPitchValue, "invalid pitch argument"),
        NAMED(cudaErrorInvalidSymbol, "invalid device symbol"),
        NAMED(cudaErrorInvalidHostPointer, "invalid host pointer"),
        NAMED(cudaErrorInvalidDevicePointer, "invalid device pointer"),
        NAMED(cudaErrorInvalidTexture, "invalid texture reference"),
        NAMED(cudaErrorInvalidChannelDescriptor, "invalid channel descriptor"),
        NAMED(cudaErrorInvalidMemcpyDirection, "invalid copy direction for memcpy"),
        NAMED(cudaErrorInvalidFilterSetting, "linear filtering not supported for non-float type"),
        NAMED(cudaErrorInsufficientDriver,
              "CUDA driver version is insufficient for CUDA runtime version"),
        NAMED(cudaErrorDevicesUnavailable, "CUDA-capable device(s) is/are busy or unavailable"),
        NAMED(cudaErrorMissingConfiguration, "__global__ function call is not configured"),
        NAMED(cudaErrorInvalidDeviceFunction, "invalid device function"),
        NAMED(cudaErrorNoDevice, "no CUDA-capable device is detected"),
        NAMED(cudaErrorInvalidDevice, "invalid device ordinal"),
        NAMED(cudaErrorUnsupportedLimit, "limit is not supported on this architecture"),
        NAMED(cudaErrorPeerAccessUnsupported,
              "peer access is not supported between these two devices"),
        NAMED(cudaErrorInvalidResourceHandle, "invalid resource handle"),
        NAMED(cudaErrorNotReady, "device not ready"),
        NAMED(cudaErrorIllegalAddress, "an illegal memory access was encountered"),
        NAMED(cudaErrorLaunchOutOfResources, "too many resources requested for launch"),
        NAMED(cudaErrorLaunchTimeout, "the launch timed out and was terminated"),
        NAMED(cudaErrorPeerAccessAlreadyEnabled, "peer access is already enabled"),
        NAMED(cudaErrorPeerAccessNotEnabled, "peer access has not been enabled"),
        NAMED(cudaErrorAssert, "device-side assert triggered"),
        NAMED(cudaErrorHostMemoryAlreadyRegistered,
              "part or all of the requested memory range is already mapped"),
        NAMED(cudaErrorHostMemoryNotRegistered,
              "pointer does not correspond to a registered memory region"),
        NAMED(cudaErrorIllegalInstruction, "an illegal instruction was encountered"),
        NAMED(cudaErrorMisalignedAddress, "misaligned address"),
        NAMED(cudaErrorInvalidPc, "invalid program counter"),
        NAMED(cudaErrorLaunchFailure, "unspecified launch failure"),
        NAMED(cudaErrorCooperativeLaunchTooLarge, "too many blocks in cooperative launch"),
        NAMED(cudaErrorNotPermitted, "operation not permitted"),
        NAMED(cudaErrorNotSupported, "operation not supported"),
        NAMED(cudaErrorUnknown, "unknown error"),
#undef NAMED
    };
    for (const auto& known : errors) {
        EXPECT_STREQ(cudaGetErrorName(known.error), known.name);
        EXPECT_STREQ(cudaGetErrorString(known.error), known.text);
    }
    EXPECT_STREQ(cudaGetErrorString(static_cast<cudaError_t>(12345)), "unrecognized error code");
}

// A source may use these without an #include of its own.
TEST(HostApiNames, WhatNvccDefinesIsDefined) {
#ifndef __CUDACC__
    FAIL() << "__CUDACC__";
#endif
#if !defined(__DRIVER_TYPES_H__) || !defined(__CUDA_RUNTIME_H__) || !defined(__CUDA_RUNTIME_API_H__)
    FAIL() << "the guards of CUDA's headers";
#endif
    EXPECT_GE(__CUDACC_VER_MAJOR__ * 1000 + __CUDACC_VER_MINOR__ * 10, 11000);
    EXPECT_GE(CUDART_VERSION, 11000);
    EXPECT_EQ(INT_MAX, 0x7fffffff);
    EXPECT_NE(time(nullptr), 0);
    nvtxRangePushA("a range");
    nvtxRangePop();
}

TEST_F(HostApi, ACopyInTheWrongDirectionIsRefused) {
    int reaches_everything = 0;
    ASSERT_EQ(cudaDeviceGetAttribute(&reaches_everything, cudaDevAttrPageableMemoryAccess, 0),
              cudaSuccess);
    if (reaches_everything != 0) {
        GTEST_SKIP() << "this device can use all memory of the host";
    }
    std::vector<int> host(4, 1);
    int* device = nullptr;
    ASSERT_EQ(cudaMalloc(&device, 4 * sizeof(int)), cudaSuccess);
    EXPECT_EQ(cudaMemcpy(device, host.data(), 16, cudaMemcpyHostToDevice), cudaSuccess);
    EXPECT_EQ(cudaMemcpy(device, host.data(), 16, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
    EXPECT_EQ(cudaMemcpy(host.data(), device, 16, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    EXPECT_EQ(cudaMemcpy(host.data(), device, 16, cudaMemcpyDeviceToDevice), cudaErrorInvalidValue);
    EXPECT_EQ(cudaMemset(host.data(), 0, 16), cudaErrorInvalidValue);
    EXPECT_EQ(host[0], 1);
    EXPECT_EQ(cudaMemcpy(host.data(), device, 16, cudaMemcpyDefault), cudaSuccess);
    EXPECT_EQ(cudaFree(device), cudaSuccess);
}

__global__ void add_to_all(int* values, int n, int value) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n) {
        values[i] += value;
    }
}

TEST_F(HostApi, PinnedMemoryIsTheDevicesToo) {
    int* host = nullptr;
    int* device = nullptr;
    ASSERT_EQ(cudaHostAlloc(&host, 100 * sizeof(int), cudaHostAllocMapped), cudaSuccess);
    ASSERT_EQ(cudaHostGetDevicePointer(&device, host, 0), cudaSuccess);
    std::memset(host, 0, 100 * sizeof(int));
    add_to_all<<<1, 128>>>(device, 100, 7);
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    EXPECT_EQ(host[0], 7);
    EXPECT_EQ(host[99], 7);
    ASSERT_EQ(cudaFreeHost(host), cudaSuccess);
}

TEST_F(HostApi, RegisteredMemoryIsTheDevicesToo) {
    std::vector<int> host(5000, 1);
    int* device = nullptr;
    EXPECT_EQ(cudaHostUnregister(host.data()), cudaErrorHostMemoryNotRegistered);
    ASSERT_EQ(cudaHostRegister(host.data(), host.size() * sizeof(int), cudaHostRegisterMapped),
              cudaSuccess);
    EXPECT_EQ(cudaHostRegister(host.data(), host.size() * sizeof(int), cudaHostRegisterDefault),
              cudaErrorHostMemoryAlreadyRegistered);
    ASSERT_EQ(cudaHostGetDevicePointer(&device, host.data(), 0), cudaSuccess);
    add_to_all<<<40, 128>>>(device, 5000, 2);
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    EXPECT_EQ(host[0], 3);
    EXPECT_EQ(host[4999], 3);
    EXPECT_EQ(cudaHostUnregister(host.data()), cudaSuccess);
}

TEST_F(HostApi, PointersTellWhoseTheyAre) {
    int* pointer = nullptr;
    cudaPointerAttributes attributes{};
    ASSERT_EQ(cudaMalloc(&pointer, 64), cudaSuccess);
    ASSERT_EQ(cudaPointerGetAttributes(&attributes, pointer + 3), cudaSuccess);
    EXPECT_EQ(attributes.type, cudaMemoryTypeDevice);
    EXPECT_EQ(attributes.device, 0);
    EXPECT_EQ(attributes.devicePointer, pointer + 3);
    ASSERT_EQ(cudaFree(pointer), cudaSuccess);
    ASSERT_EQ(cudaMallocManaged(&pointer, 64), cudaSuccess);
    ASSERT_EQ(cudaPointerGetAttributes(&attributes, pointer), cudaSuccess);
    EXPECT_EQ(attributes.type, cudaMemoryTypeManaged);
    EXPECT_EQ(attributes.hostPointer, pointer);
    ASSERT_EQ(cudaFree(pointer), cudaSuccess);
    ASSERT_EQ(cudaMallocHost(&pointer, 64), cudaSuccess);
    ASSERT_EQ(cudaPointerGetAttributes(&attributes, pointer), cudaSuccess);
    EXPECT_EQ(attributes.type, cudaMemoryTypeHost);
    EXPECT_EQ(attributes.hostPointer, pointer);
    ASSERT_EQ(cudaFreeHost(pointer), cudaSuccess);
    int on_stack = 0;
    ASSERT_EQ(cudaPointerGetAttributes(&attributes, &on_stack), cudaSuccess);
    EXPECT_EQ(attributes.type, cudaMemoryTypeUnregistered);
}

TEST_F(HostApi, ManagedMemoryTakesHints) {
    int* values = nullptr;
    int on_stack = 0;
    ASSERT_EQ(cudaMallocManaged(&values, 1000 * sizeof(int)), cudaSuccess);
    std::memset(values, 0, 1000 * sizeof(int));
    int concurrent = 0;
    ASSERT_EQ(cudaDeviceGetAttribute(&concurrent, cudaDevAttrConcurrentManagedAccess, 0),
              cudaSuccess);
    const cudaMemLocation device{cudaMemLocationTypeDevice, 0};
    const cudaMemLocation host{cudaMemLocationTypeHost, 0};
    EXPECT_EQ(cudaMemAdvise(values, 4000, cudaMemAdviseSetReadMostly, device), cudaSuccess);
    EXPECT_EQ(cudaMemAdvise(values, 4000, cudaMemAdviseUnsetReadMostly, device), cudaSuccess);
    EXPECT_EQ(cudaMemPrefetchAsync(values, 4000, device, 0), cudaSuccess);
    add_to_all<<<8, 128>>>(values, 1000, 5);
    EXPECT_EQ(cudaMemPrefetchAsync(values, 4000, host, 0), cudaSuccess);
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    EXPECT_EQ(values[999], 5);
    EXPECT_EQ(cudaMemPrefetchAsync(&on_stack, 4, device, 0), cudaErrorInvalidValue);
    EXPECT_EQ(cudaStreamAttachMemAsync(nullptr, values, 0, cudaMemAttachGlobal), cudaSuccess);
    EXPECT_EQ(cudaFree(values), cudaSuccess);
}

#ifdef CPU_DEVICE  // as CUDA 12 has them, with a device's number
TEST_F(HostApi, ManagedMemoryTakesTheHintsOfCuda12) {
    int* values = nullptr;
    ASSERT_EQ(cudaMallocManaged(&values, 16), cudaSuccess);
    EXPECT_EQ(cudaMemPrefetchAsync(values, 16, 0), cudaSuccess);
    EXPECT_EQ(cudaMemPrefetchAsync(values, 16, cudaCpuDeviceId, nullptr), cudaSuccess);
    EXPECT_EQ(cudaMemPrefetchAsync(values, 16, 1), cudaErrorInvalidDevice);
    EXPECT_EQ(cudaMemPrefetchAsync(values, 17, 0), cudaErrorInvalidValue);
    EXPECT_EQ(cudaMemAdvise(values, 16, cudaMemAdviseSetPreferredLocation, 0), cudaSuccess);
    EXPECT_EQ(cudaFree(values), cudaSuccess);
}
#endif

TEST_F(HostApi, SettingsAreReadAgain) {
    std::size_t value = 0;
    ASSERT_EQ(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 32 << 20), cudaSuccess);
    ASSERT_EQ(cudaDeviceGetLimit(&value, cudaLimitMallocHeapSize), cudaSuccess);
    EXPECT_GE(value, std::size_t{32} << 20);
    EXPECT_EQ(cudaDeviceGetLimit(&value, cudaLimitStackSize), cudaSuccess);
    EXPECT_EQ(cudaDeviceGetLimit(&value, cudaLimitPrintfFifoSize), cudaSuccess);
    EXPECT_NE(cudaDeviceGetLimit(&value, static_cast<cudaLimit>(1000)), cudaSuccess);
    cudaFuncCache config{};
    ASSERT_EQ(cudaDeviceSetCacheConfig(cudaFuncCachePreferL1), cudaSuccess);
    EXPECT_EQ(cudaDeviceGetCacheConfig(&config), cudaSuccess);
    EXPECT_EQ(config, cudaFuncCachePreferL1);
    ASSERT_EQ(cudaDeviceSetCacheConfig(cudaFuncCachePreferNone), cudaSuccess);
    EXPECT_EQ(cudaFuncSetCacheConfig(add_to_all, cudaFuncCachePreferShared), cudaSuccess);
    unsigned flags = 0;
    EXPECT_EQ(cudaGetDeviceFlags(&flags), cudaSuccess);
    EXPECT_EQ(cudaProfilerStart(), cudaSuccess);
    EXPECT_EQ(cudaProfilerStop(), cudaSuccess);
}

TEST_F(HostApi, NoDeviceIsItsOwnPeer) {
    int can = 1;
    EXPECT_EQ(cudaDeviceCanAccessPeer(&can, 0, 0), cudaSuccess);
    EXPECT_EQ(can, 0);
    EXPECT_EQ(cudaDeviceCanAccessPeer(&can, 0, 1000), cudaErrorInvalidDevice);
    EXPECT_EQ(cudaDeviceEnablePeerAccess(0, 0), cudaErrorPeerAccessUnsupported);
    EXPECT_EQ(cudaDeviceEnablePeerAccess(1000, 0), cudaErrorInvalidDevice);
    int* a = nullptr;
    int* b = nullptr;
    ASSERT_EQ(cudaMallocManaged(&a, 64), cudaSuccess);
    ASSERT_EQ(cudaMallocManaged(&b, 64), cudaSuccess);
    a[15] = 3;
    EXPECT_EQ(cudaMemcpyPeer(b, 0, a, 0, 64), cudaSuccess);
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    EXPECT_EQ(b[15], 3);
    a[15] = 4;
    EXPECT_EQ(cudaMemcpyPeerAsync(b, 0, a, 0, 64, nullptr), cudaSuccess);
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    EXPECT_EQ(b[15], 4);
    EXPECT_EQ(cudaFree(a), cudaSuccess);
    EXPECT_EQ(cudaFree(b), cudaSuccess);
}

void CUDART_CB append(void* data) {
    static_cast<std::vector<int>*>(data)->push_back(1);
}
void CUDART_CB append_status(cudaStream_t, cudaError_t status, void* data) {
    static_cast<std::vector<int>*>(data)->push_back(status == cudaSuccess ? 2 : -1);
}

TEST_F(HostApi, StreamsCallTheHost) {
    int least = -1;
    int greatest = 1;
    ASSERT_EQ(cudaDeviceGetStreamPriorityRange(&least, &greatest), cudaSuccess);
    EXPECT_LE(greatest, least);
    cudaStream_t stream{};
    ASSERT_EQ(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, greatest), cudaSuccess);
    int priority = 100;
    unsigned flags = 100;
    EXPECT_EQ(cudaStreamGetPriority(stream, &priority), cudaSuccess);
    EXPECT_EQ(priority, greatest);
    EXPECT_EQ(cudaStreamGetFlags(stream, &flags), cudaSuccess);
    EXPECT_EQ(flags, cudaStreamNonBlocking);
    std::vector<int> calls;
    EXPECT_EQ(cudaLaunchHostFunc(stream, append, &calls), cudaSuccess);
    EXPECT_EQ(cudaStreamAddCallback(stream, append_status, &calls, 0), cudaSuccess);
    EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
    EXPECT_EQ(calls, (std::vector<int>{1, 2}));
    EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
}

TEST_F(HostApi, TheDefaultStreamsHaveNames) {
    int* values = nullptr;
    ASSERT_EQ(cudaMallocManaged(&values, 100 * sizeof(int)), cudaSuccess);
    ASSERT_EQ(cudaMemset(values, 0, 100 * sizeof(int)), cudaSuccess);
    // The two wait for each other, and the first is the stream that needs no name.
    add_to_all<<<2, 64, 0, cudaStreamPerThread>>>(values, 100, 1);
    add_to_all<<<2, 64, 0, cudaStreamLegacy>>>(values, 100, 2);
    add_to_all<<<2, 64>>>(values, 100, 3);
    add_to_all<<<2, 64, 0, cudaStreamPerThread>>>(values, 100, 4);
    ASSERT_EQ(cudaGetLastError(), cudaSuccess);
    ASSERT_EQ(cudaStreamSynchronize(cudaStreamPerThread), cudaSuccess);
    EXPECT_EQ(values[99], 10);
    EXPECT_EQ(cudaStreamQuery(cudaStreamLegacy), cudaSuccess);
    unsigned flags = 1;
    EXPECT_EQ(cudaStreamGetFlags(cudaStreamPerThread, &flags), cudaSuccess);
    EXPECT_EQ(flags, cudaStreamDefault);
    EXPECT_EQ(cudaFree(values), cudaSuccess);
}

struct Pair {
    int first;
    float second;
};
template <typename T, int times>
__global__ void scale(T* values, Pair pair, int n) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n) {
        values[i] = static_cast<T>(times * pair.first) + static_cast<T>(pair.second);
    }
}

TEST_F(HostApi, AKernelIsLaunchedByItsAddress) {
    int* values = nullptr;
    ASSERT_EQ(cudaMallocManaged(&values, 100 * sizeof(int)), cudaSuccess);
    Pair pair{5, 2.0f};
    int n = 100;
    void* arguments[] = {&values, &pair, &n};
    ASSERT_EQ(cudaLaunchKernel((void*)scale<int, 3>, dim3(2), dim3(64), arguments, 0, nullptr),
              cudaSuccess);
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    EXPECT_EQ(values[99], 17);
    pair.first = 6;
    ASSERT_EQ(cudaLaunchKernel(reinterpret_cast<const void*>(&scale<int, 2>), dim3(2), dim3(64),
                               arguments),
              cudaSuccess);
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    EXPECT_EQ(values[99], 14);
    EXPECT_EQ(cudaFree(values), cudaSuccess);
}

TEST_F(HostApi, AnImpossibleGridOrBlockIsAnInvalidArgument) {
    struct {
        dim3 grid, block;
    } const impossible[] = {{1, 1025}, {1, dim3(32, 33)},   {1, dim3(1, 1, 65)},   {1, 0},
                            {0, 1},    {dim3(1, 65536), 1}, {dim3(1, 1, 65536), 1}};
    int* values = nullptr;
    Pair pair{5, 2.0f};
    int n = 0;
    void* arguments[] = {&values, &pair, &n};
    for (const auto& [grid, block] : impossible) {
        scale<int, 2><<<grid, block>>>(values, pair, n);
        EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
        EXPECT_EQ(cudaLaunchKernel(scale<int, 2>, grid, block, arguments), cudaErrorInvalidValue);
        EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
        EXPECT_EQ(cudaLaunchCooperativeKernel(scale<int, 2>, grid, block, arguments),
                  cudaErrorInvalidValue);
        EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
    }
}

struct BytesOf {
    __host__ __device__ std::size_t operator()(int threads) const {
        return static_cast<std::size_t>(threads) * 100;
    }
};

TEST_F(HostApi, OccupancyFitsTheDevice) {
    cudaFuncAttributes attributes{};
    ASSERT_EQ(cudaFuncGetAttributes(&attributes, add_to_all), cudaSuccess);
    EXPECT_EQ(attributes.maxThreadsPerBlock, 1024);
    int blocks = 0;
    ASSERT_EQ(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, add_to_all, 256, 0,
                                                                     cudaOccupancyDefault),
              cudaSuccess);
    EXPECT_EQ(blocks, 8);
    int grid = 0;
    int block = 0;
    int multiprocessors = 0;
    ASSERT_EQ(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0),
              cudaSuccess);
    ASSERT_EQ(cudaOccupancyMaxPotentialBlockSize(&grid, &block, add_to_all), cudaSuccess);
    EXPECT_GE(grid, multiprocessors);
    EXPECT_GE(grid * block, multiprocessors * 1024);
    // 100 bytes a thread: 1024 of them would need more than a block has by itself.
    const BytesOf bytes_of;
    ASSERT_EQ(cudaOccupancyMaxPotentialBlockSizeVariableSMem(&grid, &block, add_to_all, bytes_of),
              cudaSuccess);
    EXPECT_GE(block, 32);
    EXPECT_LE(bytes_of(block), std::size_t{227} * 1024);
}

TEST_F(HostApi, PropertiesAreAttributes) {
    cudaDeviceProp p{};
    ASSERT_EQ(cudaGetDeviceProperties(&p, 0), cudaSuccess);
    EXPECT_NE(std::strlen(p.name), 0u);
    const struct {
        cudaDeviceAttr attribute;
        long long value;
    } same[] = {
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
        {cudaDevAttrTextureAlignment, static_cast<long long>(p.textureAlignment)},
        {cudaDevAttrMultiProcessorCount, p.multiProcessorCount},
        {cudaDevAttrIntegrated, p.integrated},
        {cudaDevAttrCanMapHostMemory, p.canMapHostMemory},
        {cudaDevAttrConcurrentKernels, p.concurrentKernels},
        {cudaDevAttrEccEnabled, p.ECCEnabled},
        {cudaDevAttrPciBusId, p.pciBusID},
        {cudaDevAttrPciDeviceId, p.pciDeviceID},
        {cudaDevAttrPciDomainId, p.pciDomainID},
        {cudaDevAttrTccDriver, p.tccDriver},
        {cudaDevAttrGlobalMemoryBusWidth, p.memoryBusWidth},
        {cudaDevAttrL2CacheSize, p.l2CacheSize},
        {cudaDevAttrMaxThreadsPerMultiProcessor, p.maxThreadsPerMultiProcessor},
        {cudaDevAttrAsyncEngineCount, p.asyncEngineCount},
        {cudaDevAttrUnifiedAddressing, p.unifiedAddressing},
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
        {cudaDevAttrReservedSharedMemoryPerBlock,
         static_cast<long long>(p.reservedSharedMemPerBlock)},
        {cudaDevAttrMemoryPoolsSupported, p.memoryPoolsSupported},
        {cudaDevAttrClusterLaunch, p.clusterLaunch},
    };
    for (const auto& one : same) {
        int value = -1;
        ASSERT_EQ(cudaDeviceGetAttribute(&value, one.attribute, 0), cudaSuccess) << one.attribute;
        EXPECT_EQ(value, one.value) << one.attribute;
    }
    for (const cudaDeviceAttr only_attribute :
         {cudaDevAttrClockRate, cudaDevAttrGpuOverlap, cudaDevAttrKernelExecTimeout,
          cudaDevAttrComputeMode, cudaDevAttrMemoryClockRate,
          cudaDevAttrSingleToDoublePrecisionPerfRatio}) {
        int value = -1;
        EXPECT_EQ(cudaDeviceGetAttribute(&value, only_attribute, 0), cudaSuccess);
        EXPECT_GE(value, 0);
    }
    int device = -1;
    EXPECT_EQ(cudaChooseDevice(&device, &p), cudaSuccess);
    EXPECT_GE(device, 0);
}

__device__ int d_numbers[10];
TEST_F(HostApi, SymbolsHaveSizesAndStreams) {
    std::size_t bytes = 0;
    ASSERT_EQ(cudaGetSymbolSize(&bytes, d_numbers), cudaSuccess);
    EXPECT_EQ(bytes, 10 * sizeof(int));
    int numbers[10] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
    ASSERT_EQ(cudaMemcpyToSymbolAsync(d_numbers, numbers, sizeof numbers, 0, cudaMemcpyHostToDevice,
                                      nullptr),
              cudaSuccess);
    int* address = nullptr;
    ASSERT_EQ(cudaGetSymbolAddress(reinterpret_cast<void**>(&address), d_numbers), cudaSuccess);
    add_to_all<<<1, 32>>>(address, 10, 100);
    int last[2] = {};
    ASSERT_EQ(cudaMemcpyFromSymbolAsync(last, d_numbers, sizeof last, 8 * sizeof(int),
                                        cudaMemcpyDeviceToHost, nullptr),
              cudaSuccess);
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    EXPECT_EQ(last[0], 108);
    EXPECT_EQ(last[1], 109);
    EXPECT_EQ(cudaMemcpyToSymbol(d_numbers, numbers, 4, 0, cudaMemcpyDeviceToHost),
              cudaErrorInvalidMemcpyDirection);
}

}  // namespace
