// The host side of the CUDA runtime. Device memory is plain memory here, and work in streams is
// done at once; the errors are those that CUDA gives.
#pragma once

#include <cstddef>

#include "cpu_device/host_types.h"
#include "cpu_device/runtime.h"

// Errors.
cudaError_t cudaGetLastError();
cudaError_t cudaPeekAtLastError();
const char* cudaGetErrorName(cudaError_t error);
const char* cudaGetErrorString(cudaError_t error);

// Devices: number 0, or as many as the environment says (CPU_DEVICES).
cudaError_t cudaGetDeviceCount(int* count);
cudaError_t cudaGetDevice(int* device);
cudaError_t cudaSetDevice(int device);
cudaError_t cudaDeviceSynchronize();
cudaError_t cudaDeviceReset();
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device);
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device);
cudaError_t cudaChooseDevice(int* device, const cudaDeviceProp* wanted);
cudaError_t cudaInitDevice(int device, unsigned device_flags, unsigned flags);
cudaError_t cudaDeviceGetPCIBusId(char* id, int length, int device);
cudaError_t cudaDeviceGetByPCIBusId(int* device, const char* id);
cudaError_t cudaSetDeviceFlags(unsigned flags);
cudaError_t cudaGetDeviceFlags(unsigned* flags);
cudaError_t cudaDeviceSetLimit(cudaLimit limit, std::size_t value);
cudaError_t cudaDeviceGetLimit(std::size_t* value, cudaLimit limit);
cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache config);
cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* config);
cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig config);
cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig* config);
cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer);
cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags);
cudaError_t cudaDeviceDisablePeerAccess(int peer);
cudaError_t cudaCtxResetPersistingL2Cache();
cudaError_t cudaDeviceGetP2PAttribute(int* value, cudaDeviceP2PAttr attribute, int device,
                                      int peer);
cudaError_t cudaDriverGetVersion(int* version);
cudaError_t cudaRuntimeGetVersion(int* version);

// Memory.
cudaError_t cudaMalloc(void** pointer, std::size_t bytes);
cudaError_t cudaFree(void* pointer);
cudaError_t cudaMallocHost(void** pointer, std::size_t bytes);
cudaError_t cudaHostAlloc(void** pointer, std::size_t bytes, unsigned flags);
cudaError_t cudaFreeHost(void* pointer);
cudaError_t cudaMallocManaged(void** pointer, std::size_t bytes,
                              unsigned flags = cudaMemAttachGlobal);
cudaError_t cudaMallocAsync(void** pointer, std::size_t bytes, cudaStream_t stream);
cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream);
cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total);
cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind);
cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream = nullptr);
cudaError_t cudaMemset(void* pointer, int byte, std::size_t bytes);
cudaError_t cudaMemsetAsync(void* pointer, int byte, std::size_t bytes,
                            cudaStream_t stream = nullptr);

// Memory that the host shares with the device. CUDA 12 has an int where CUDA 13 has a location.
cudaError_t cudaHostRegister(void* pointer, std::size_t bytes, unsigned flags);
cudaError_t cudaHostUnregister(void* pointer);
cudaError_t cudaHostGetDevicePointer(void** device_pointer, void* host_pointer, unsigned flags);
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer);
cudaError_t cudaMemPrefetchAsync(const void* pointer, std::size_t bytes, int device,
                                 cudaStream_t stream = nullptr);
cudaError_t cudaMemPrefetchAsync(const void* pointer, std::size_t bytes, cudaMemLocation location,
                                 unsigned flags, cudaStream_t stream = nullptr);
cudaError_t cudaMemAdvise(const void* pointer, std::size_t bytes, cudaMemoryAdvise advice,
                          int device);
cudaError_t cudaMemAdvise(const void* pointer, std::size_t bytes, cudaMemoryAdvise advice,
                          cudaMemLocation location);
cudaError_t cudaMemRangeGetAttribute(void* data, std::size_t data_bytes,
                                     cudaMemRangeAttribute attribute, const void* pointer,
                                     std::size_t bytes);
cudaError_t cudaMemRangeGetAttributes(void** data, std::size_t* data_bytes,
                                      cudaMemRangeAttribute* attributes, std::size_t count,
                                      const void* pointer, std::size_t bytes);
cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void* pointer, std::size_t bytes = 0,
                                     unsigned flags = cudaMemAttachSingle);
cudaError_t cudaMemcpyPeer(void* to, int to_device, const void* from, int from_device,
                           std::size_t bytes);
cudaError_t cudaMemcpyPeerAsync(void* to, int to_device, const void* from, int from_device,
                                std::size_t bytes, cudaStream_t stream = nullptr);

// Streams and events.
cudaError_t cudaStreamCreate(cudaStream_t* stream);
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags);
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags, int priority);
cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest);
cudaError_t cudaStreamGetPriority(cudaStream_t stream, int* priority);
cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned* flags);
cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long* id);
cudaError_t cudaStreamGetDevice(cudaStream_t stream, int* device);
cudaError_t cudaStreamSetAttribute(cudaStream_t stream, cudaStreamAttrID attribute,
                                   const cudaStreamAttrValue* value);
cudaError_t cudaStreamGetAttribute(cudaStream_t stream, cudaStreamAttrID attribute,
                                   cudaStreamAttrValue* value);
cudaError_t cudaStreamCopyAttributes(cudaStream_t to, cudaStream_t from);
cudaError_t cudaStreamDestroy(cudaStream_t stream);
cudaError_t cudaStreamSynchronize(cudaStream_t stream);
cudaError_t cudaStreamQuery(cudaStream_t stream);
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags = 0);
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data);
cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t function, void* data,
                                  unsigned flags);
cudaError_t cudaEventCreate(cudaEvent_t* event);
cudaError_t cudaEventCreate(cudaEvent_t* event, unsigned flags);
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags);
cudaError_t cudaEventDestroy(cudaEvent_t event);
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream = nullptr);
cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream = nullptr,
                                     unsigned flags = 0);
cudaError_t cudaEventSynchronize(cudaEvent_t event);
cudaError_t cudaEventQuery(cudaEvent_t event);
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end);

// As nvcc's --default-stream per-thread defines it.
#if defined(CUDA_API_PER_THREAD_DEFAULT_STREAM) && defined(CPU_DEVICE_RACE)
namespace cpu_device {
void default_stream_is_per_thread();
[[maybe_unused]] static const bool per_thread_default_stream =
    (default_stream_is_per_thread(), true);
}  // namespace cpu_device
#endif

namespace cpu_device {
namespace types {
struct SymbolPart {
    std::size_t symbol_bytes, offset;
    bool written;
};
}  // namespace types
cudaError_t copy_symbol(void* to, const void* from, std::size_t bytes, const SymbolPart& part,
                        cudaMemcpyKind kind, const char* function, cudaStream_t stream, bool waits);
cudaError_t set_dynamic_shared_limit(cudaFuncAttribute attribute, int value);
cudaError_t occupancy(int* blocks, int block_size, std::size_t dynamic_shared);
// Of this thread's last launch.
cudaError_t error_of_launch();
namespace types {
// While it lives, no other cooperative launch begins.
class CooperativeLaunch {
  public:
    CooperativeLaunch(dim3 grid, dim3 block, std::size_t dynamic_shared);
    ~CooperativeLaunch();
    CooperativeLaunch(const CooperativeLaunch&) = delete;
    CooperativeLaunch& operator=(const CooperativeLaunch&) = delete;
    // Too many blocks to be resident together?
    cudaError_t refusal() const { return refusal_; }

  private:
    cudaError_t refusal_;
};
}  // namespace types
cudaError_t attributes_of_kernel(cudaFuncAttributes* attributes);
cudaError_t dynamic_shared_left(std::size_t* bytes, int blocks, int block_size);
// Is the launch a cooperative one, and is it one that the CPU device can do?
cudaError_t look_at_attributes(const cudaLaunchConfig_t& config, bool& cooperative, Place place);

template <typename T>
char* address_of_symbol(const T& symbol) {
    return const_cast<char*>(reinterpret_cast<const volatile char*>(&symbol));
}
}  // namespace cpu_device

// Typed forms, as CUDA's C++ headers have them.
namespace cpu_device {
#ifdef CPU_DEVICE_RACE
// What this new memory is for. Race mode says so in its reports.
void elements_are(const volatile void* memory, std::size_t bytes, char kind);
#else
inline void elements_are(const volatile void*, std::size_t, char) {}
#endif
}  // namespace cpu_device

namespace cpu_device {
// A C cast: T may be const, as for memory that only a copy fills.
template <typename T>
void** untyped(T** pointer) {
    return (void**)pointer;
}
}  // namespace cpu_device

template <typename T>
cudaError_t cudaMalloc(T** pointer, std::size_t bytes) {
    const cudaError_t error = cudaMalloc(cpu_device::untyped(pointer), bytes);
    if (error == cudaSuccess) {
        cpu_device::elements_are(*pointer, sizeof(T), cpu_device::kind_of_element<T>);
    }
    return error;
}
template <typename T>
cudaError_t cudaMallocHost(T** pointer, std::size_t bytes) {
    return cudaMallocHost(cpu_device::untyped(pointer), bytes);
}
template <typename T>
cudaError_t cudaHostAlloc(T** pointer, std::size_t bytes, unsigned flags) {
    return cudaHostAlloc(cpu_device::untyped(pointer), bytes, flags);
}
template <typename T>
cudaError_t cudaMallocManaged(T** pointer, std::size_t bytes,
                              unsigned flags = cudaMemAttachGlobal) {
    return cudaMallocManaged(cpu_device::untyped(pointer), bytes, flags);
}
template <typename T>
cudaError_t cudaMallocAsync(T** pointer, std::size_t bytes, cudaStream_t stream) {
    return cudaMallocAsync(cpu_device::untyped(pointer), bytes, stream);
}

template <typename T>
cudaError_t cudaHostGetDevicePointer(T** device_pointer, void* host_pointer, unsigned flags) {
    return cudaHostGetDevicePointer(cpu_device::untyped(device_pointer), host_pointer, flags);
}

// Variables of the device, by their name.
template <typename T>
cudaError_t cudaMemcpyToSymbol(T& symbol, const void* from, std::size_t bytes,
                               std::size_t offset = 0,
                               cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
    return cpu_device::copy_symbol(cpu_device::address_of_symbol(symbol) + offset, from, bytes,
                                   {sizeof symbol, offset, true}, kind, __func__, nullptr, true);
}
template <typename T>
cudaError_t cudaMemcpyToSymbolAsync(T& symbol, const void* from, std::size_t bytes,
                                    std::size_t offset, cudaMemcpyKind kind,
                                    cudaStream_t stream = nullptr) {
    return cpu_device::copy_symbol(cpu_device::address_of_symbol(symbol) + offset, from, bytes,
                                   {sizeof symbol, offset, true}, kind, __func__, stream, false);
}
template <typename T>
cudaError_t cudaMemcpyFromSymbol(void* to, const T& symbol, std::size_t bytes,
                                 std::size_t offset = 0,
                                 cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
    return cpu_device::copy_symbol(to, cpu_device::address_of_symbol(symbol) + offset, bytes,
                                   {sizeof symbol, offset, false}, kind, __func__, nullptr, true);
}
template <typename T>
cudaError_t cudaMemcpyFromSymbolAsync(void* to, const T& symbol, std::size_t bytes,
                                      std::size_t offset, cudaMemcpyKind kind,
                                      cudaStream_t stream = nullptr) {
    return cpu_device::copy_symbol(to, cpu_device::address_of_symbol(symbol) + offset, bytes,
                                   {sizeof symbol, offset, false}, kind, __func__, stream, false);
}
template <typename T>
cudaError_t cudaGetSymbolAddress(void** pointer, const T& symbol) {
    *pointer = cpu_device::address_of_symbol(symbol);
    return cudaSuccess;
}
template <typename T>
cudaError_t cudaGetSymbolSize(std::size_t* bytes, const T& symbol) {
    *bytes = sizeof symbol;
    return cudaSuccess;
}

// A launch does not know its kernel's address here, so a higher limit holds for all kernels.
template <typename Kernel>
cudaError_t cudaFuncSetAttribute(Kernel*, cudaFuncAttribute attribute, int value) {
    return cpu_device::set_dynamic_shared_limit(attribute, value);
}
template <typename Kernel>
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, Kernel*) {
    return cpu_device::attributes_of_kernel(attributes);
}
template <typename Kernel>
cudaError_t cudaFuncSetCacheConfig(Kernel*, cudaFuncCache) {
    return cudaSuccess;
}
template <typename Kernel>
cudaError_t cudaFuncSetSharedMemConfig(Kernel*, cudaSharedMemConfig) {
    return cudaSuccess;
}

// Occupancy.
template <typename Kernel>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, Kernel*, int block_size,
                                                          std::size_t dynamic_shared) {
    return cpu_device::occupancy(blocks, block_size, dynamic_shared);
}
template <typename Kernel>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, Kernel*,
                                                                   int block_size,
                                                                   std::size_t dynamic_shared,
                                                                   unsigned) {
    return cpu_device::occupancy(blocks, block_size, dynamic_shared);
}
// The largest block for which there is dynamic shared memory: bytes_of(threads per block).
template <typename BytesOf, typename Kernel>
cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int* grid_size, int* block_size, Kernel*,
                                                           BytesOf bytes_of,
                                                           int block_size_limit = 0) {
    *grid_size = 0;
    *block_size = block_size_limit > 0 && block_size_limit < 1024 ? block_size_limit : 1024;
    int multiprocessors = 0;
    const cudaError_t asked =
        cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0);
    if (asked != cudaSuccess) {
        return asked;
    }
    int blocks = 0;
    for (;; *block_size -= 32) {
        const cudaError_t error =
            cpu_device::occupancy(&blocks, *block_size, bytes_of(*block_size));
        *grid_size = blocks * multiprocessors;
        if (error != cudaSuccess || blocks > 0 || *block_size <= 32) {
            return error;
        }
    }
}
template <typename Kernel>
cudaError_t cudaOccupancyMaxPotentialBlockSize(int* grid_size, int* block_size, Kernel* kernel,
                                               std::size_t dynamic_shared = 0,
                                               int block_size_limit = 0) {
    return cudaOccupancyMaxPotentialBlockSizeVariableSMem(
        grid_size, block_size, kernel, [=](int) { return dynamic_shared; }, block_size_limit);
}
template <typename BytesOf, typename Kernel>
cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(int* grid_size, int* block_size,
                                                                    Kernel* kernel,
                                                                    BytesOf bytes_of,
                                                                    int block_size_limit = 0,
                                                                    unsigned = 0) {
    return cudaOccupancyMaxPotentialBlockSizeVariableSMem(grid_size, block_size, kernel, bytes_of,
                                                          block_size_limit);
}
template <typename Kernel>
cudaError_t cudaOccupancyMaxPotentialBlockSizeWithFlags(int* grid_size, int* block_size,
                                                        Kernel* kernel,
                                                        std::size_t dynamic_shared = 0,
                                                        int block_size_limit = 0, unsigned = 0) {
    return cudaOccupancyMaxPotentialBlockSize(grid_size, block_size, kernel, dynamic_shared,
                                              block_size_limit);
}
// The most dynamic shared memory with which as many blocks are resident together.
template <typename Kernel>
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(std::size_t* bytes, Kernel*, int blocks,
                                                      int block_size) {
    return cpu_device::dynamic_shared_left(bytes, blocks, block_size);
}
