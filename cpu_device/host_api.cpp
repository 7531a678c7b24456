// The host side of the CUDA runtime.
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>

#include "cpu_device/host_api.h"
#include "faults.hpp"
#include "scheduler.hpp"
#include "stream_order.hpp"

struct CUstream_st {};
struct CUevent_st {
    bool recorded = false;
    bool timed = true;
    std::chrono::steady_clock::time_point time;
};

namespace cpu_device {
namespace {

thread_local cudaError_t last_error = cudaSuccess;

// What a call of the API returns, and cudaGetLastError() later: its own error, or the one that a
// test asks for.
cudaError_t result(cudaError_t error, const char* call = __builtin_FUNCTION()) {
    if (must_fail(Fault::call, call)) {
        error = static_cast<cudaError_t>(wished_error());
    }
    if (error != cudaSuccess) {
        last_error = error;
    }
    return error;
}

std::size_t physical_memory() {
    return static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) *
           static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

// What the program got from cudaMalloc and its kin, by where it begins. Never destroyed, since
// static objects of the program may free their memory late.
struct Allocation {
    std::size_t bytes;
    bool host_writes_too;  // pinned or managed memory
};
std::mutex allocations_mutex;
std::map<const char*, Allocation>& allocations = *new std::map<const char*, Allocation>;
std::size_t allocated = 0;

cudaError_t allocate(void** pointer, std::size_t bytes, bool host_writes_too = false) {
    if (pointer == nullptr) {
        return cudaErrorInvalidValue;
    }
    *pointer = nullptr;
    if (bytes == 0) {
        return cudaSuccess;
    }
    const std::lock_guard<std::mutex> lock(allocations_mutex);
    if (bytes > physical_memory() - std::min(allocated, physical_memory()) ||
        must_fail(Fault::allocation, "device memory")) {
        return cudaErrorMemoryAllocation;
    }
    void* const memory = take_device_memory(bytes);
    if (memory == nullptr) {
        return cudaErrorMemoryAllocation;
    }
    std::memset(memory, fresh_memory, bytes);  // nothing works by lucky zeros
    if (host_writes_too) {
        host_wrote(memory, nullptr, bytes);
    }
    allocations[static_cast<const char*>(memory)] = {bytes, host_writes_too};
    allocated += bytes;
    *pointer = memory;
    return cudaSuccess;
}

cudaError_t release(void* pointer) {
    if (pointer == nullptr) {
        return cudaSuccess;
    }
    const std::lock_guard<std::mutex> lock(allocations_mutex);
    const auto found = allocations.find(static_cast<const char*>(pointer));
    if (found == allocations.end()) {
        return cudaErrorInvalidValue;
    }
    allocated -= found->second.bytes;
    allocations.erase(found);
    give_back_device_memory(pointer);
    return cudaSuccess;
}

// From here to the end of the allocation that holds this byte; 0 bytes if none does.
Allocation allocation_from(const void* pointer) {
    const std::lock_guard<std::mutex> lock(allocations_mutex);
    const char* const begin = static_cast<const char*>(pointer);
    auto after = allocations.upper_bound(begin);
    if (after == allocations.begin()) {
        return {0, false};
    }
    const auto& [start, whole] = *--after;
    const auto before = static_cast<std::size_t>(begin - start);
    return before < whole.bytes ? Allocation{whole.bytes - before, whole.host_writes_too}
                                : Allocation{0, false};
}

// False if the range begins in an allocation and ends outside of it.
bool fits(const void* pointer, std::size_t bytes) {
    const std::size_t there = allocation_from(pointer).bytes;
    return there == 0 || bytes <= there;
}

std::atomic<std::size_t> dynamic_shared_limit{shared_bytes_per_block};

// --- copies ---------------------------------------------------------------------------------

// Whose memory one end of a copy is: the device's; memory that the host shares with it (pinned or
// managed); or any other memory of the host. A __device__ variable cannot be told from one of the
// host here: `said` to be of the device, it is believed.
enum class Side { device, shared, pageable };

Side side_of(const void* pointer, bool said) {
    const Allocation there = allocation_from(pointer);
    if (there.bytes > 0) {
        return there.host_writes_too ? Side::shared : Side::device;
    }
    return said ? Side::device : Side::pageable;
}

enum class Waiting { never, as_documented };

cudaError_t copy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                 cudaStream_t stream, const char* function, Waiting waiting) {
    if (kind < cudaMemcpyHostToHost || kind > cudaMemcpyDefault) {
        return cudaErrorInvalidMemcpyDirection;
    }
    if (bytes == 0) {
        return cudaSuccess;
    }
    if (to == nullptr || from == nullptr || !fits(to, bytes) || !fits(from, bytes)) {
        return cudaErrorInvalidValue;
    }
    const Side target =
        side_of(to, kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice);
    const Side source =
        side_of(from, kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice);
    // From pageable memory the host waits for what came before, and goes on when that memory has
    // been read: the bytes may be on their way still. It waits for no copy on the device.
    const bool upload = source == Side::pageable && target == Side::device;
    const bool on_device = source == Side::device && target == Side::device;
    if (waiting == Waiting::as_documented && upload) {
        host_follows(stream);
    }
    std::memmove(to, from, bytes);
    host_wrote(to, from, bytes);
    work_in_stream(stream, function, target == Side::pageable ? nullptr : to,
                   source == Side::pageable ? nullptr : from, bytes);
    if (waiting == Waiting::as_documented && !upload && !on_device) {
        host_follows(stream);
    }
    return cudaSuccess;
}

// In the default stream.
cudaError_t copy_and_wait(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                          const char* function) {
    return copy(to, from, bytes, kind, nullptr, function, Waiting::as_documented);
}

cudaError_t set(void* pointer, int byte, std::size_t bytes, cudaStream_t stream,
                const char* function) {
    if (bytes == 0) {
        return cudaSuccess;
    }
    if (pointer == nullptr || !fits(pointer, bytes)) {
        return cudaErrorInvalidValue;
    }
    std::memset(pointer, byte, bytes);
    host_wrote(pointer, nullptr, bytes);
    work_in_stream(stream, function, pointer, nullptr, bytes);
    return cudaSuccess;
}

// Why a GPU would not run the launch.
cudaError_t refusal_of(const LaunchConfig& config) {
    const dim3& grid = config.grid;
    const dim3& block = config.block;
    const bool block_fits = block.x >= 1 && block.y >= 1 && block.z >= 1 && block.x <= 1024 &&
                            block.y <= 1024 && block.z <= 64 &&
                            block.x * block.y * block.z <= max_threads_per_block;
    const bool grid_fits = grid.x >= 1 && grid.y >= 1 && grid.z >= 1 && grid.x <= 0x7fffffff &&
                           grid.y <= 65535 && grid.z <= 65535;
    if (!block_fits || !grid_fits) {
        return cudaErrorInvalidConfiguration;
    }
    return config.dynamic_shared > dynamic_shared_limit ? cudaErrorInvalidValue : cudaSuccess;
}

}  // namespace

bool acceptable(const LaunchConfig& config) {
    if (in_kernel()) {
        fail("%s:%d: kernel %s is launched from a kernel, which the CPU device cannot do",
             config.place.file, config.place.line, config.kernel);
    }
    return result(refusal_of(config), "a launch") == cudaSuccess;
}

cudaError_t copy_symbol(void* to, const void* from, std::size_t bytes, std::size_t offset,
                        std::size_t symbol_bytes, cudaMemcpyKind kind, const char* function) {
    const bool within = offset <= symbol_bytes && bytes <= symbol_bytes - offset;
    return result(within ? copy_and_wait(to, from, bytes, kind, function) : cudaErrorInvalidValue,
                  function);
}

cudaError_t set_dynamic_shared_limit(cudaFuncAttribute attribute, int value) {
    constexpr const char* call = "cudaFuncSetAttribute";
    if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize) {
        return result(cudaSuccess, call);
    }
    if (value < 0 || static_cast<std::size_t>(value) > shared_bytes_per_block_optin) {
        return result(cudaErrorInvalidValue, call);
    }
    dynamic_shared_limit = std::max(dynamic_shared_limit.load(), static_cast<std::size_t>(value));
    return result(cudaSuccess, call);
}

cudaError_t occupancy(int* blocks, int block_size, std::size_t dynamic_shared) {
    constexpr const char* call = "cudaOccupancyMaxActiveBlocksPerMultiprocessor";
    if (block_size < 1) {
        return result(cudaErrorInvalidValue, call);
    }
    const bool fits_at_all = block_size <= 1024 && dynamic_shared <= shared_bytes_per_block_optin;
    *blocks = fits_at_all ? static_cast<int>(resident_blocks(block_size, dynamic_shared)) : 0;
    return result(cudaSuccess, call);
}

}  // namespace cpu_device

using cpu_device::result;

// --- errors ---------------------------------------------------------------------------------

cudaError_t cudaGetLastError() {
    const cudaError_t error = cpu_device::last_error;
    cpu_device::last_error = cudaSuccess;
    return error;
}

cudaError_t cudaPeekAtLastError() {
    return cpu_device::last_error;
}

namespace {

struct ErrorWords {
    cudaError_t error;
    const char* name;
    const char* text;
};
#define CPU_DEVICE_ERROR(error, text) \
    { error, #error, text }
constexpr ErrorWords error_words[] = {
    CPU_DEVICE_ERROR(cudaSuccess, "no error"),
    CPU_DEVICE_ERROR(cudaErrorInvalidValue, "invalid argument"),
    CPU_DEVICE_ERROR(cudaErrorMemoryAllocation, "out of memory"),
    CPU_DEVICE_ERROR(cudaErrorInitializationError, "initialization error"),
    CPU_DEVICE_ERROR(cudaErrorInvalidConfiguration, "invalid configuration argument"),
    CPU_DEVICE_ERROR(cudaErrorInvalidSymbol, "invalid device symbol"),
    CPU_DEVICE_ERROR(cudaErrorInvalidMemcpyDirection, "invalid copy direction for memcpy"),
    CPU_DEVICE_ERROR(cudaErrorInsufficientDriver,
                     "CUDA driver version is insufficient for CUDA runtime version"),
    CPU_DEVICE_ERROR(cudaErrorInvalidDeviceFunction, "invalid device function"),
    CPU_DEVICE_ERROR(cudaErrorNoDevice, "no CUDA-capable device is detected"),
    CPU_DEVICE_ERROR(cudaErrorInvalidDevice, "invalid device ordinal"),
    CPU_DEVICE_ERROR(cudaErrorInvalidResourceHandle, "invalid resource handle"),
    CPU_DEVICE_ERROR(cudaErrorNoKernelImageForDevice,
                     "no kernel image is available for execution on the device"),
    CPU_DEVICE_ERROR(cudaErrorUnsupportedPtxVersion,
                     "the provided PTX was compiled with an unsupported toolchain."),
    CPU_DEVICE_ERROR(cudaErrorNotReady, "device not ready"),
    CPU_DEVICE_ERROR(cudaErrorIllegalAddress, "an illegal memory access was encountered"),
    CPU_DEVICE_ERROR(cudaErrorLaunchFailure, "unspecified launch failure"),
    CPU_DEVICE_ERROR(cudaErrorNotSupported, "operation not supported"),
    CPU_DEVICE_ERROR(cudaErrorUnknown, "unknown error"),
};
#undef CPU_DEVICE_ERROR

ErrorWords words_of(cudaError_t error) {
    for (const ErrorWords& words : error_words) {
        if (words.error == error) {
            return words;
        }
    }
    return {error, "unrecognized error code", "unrecognized error code"};
}

}  // namespace

const char* cudaGetErrorName(cudaError_t error) {
    return words_of(error).name;
}

const char* cudaGetErrorString(cudaError_t error) {
    return words_of(error).text;
}

// --- devices --------------------------------------------------------------------------------

cudaError_t cudaGetDeviceCount(int* count) {
    *count = 1;
    return result(cudaSuccess);
}

cudaError_t cudaGetDevice(int* device) {
    *device = 0;
    return result(cudaSuccess);
}

cudaError_t cudaSetDevice(int device) {
    return result(device == 0 ? cudaSuccess : cudaErrorInvalidDevice);
}

cudaError_t cudaDeviceSynchronize() {
    cpu_device::host_follows_all();
    return result(cudaSuccess);
}

cudaError_t cudaDeviceReset() {
    cpu_device::host_follows_all();
    return result(cudaSuccess);
}

namespace cpu_device {
namespace {

cudaDeviceProp properties() {
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
    p.totalConstMem = 65536;
    p.regsPerBlock = 65536;
    p.warpSize = 32;
    p.maxThreadsPerBlock = max_threads_per_block;
    p.maxThreadsDim[0] = 1024;
    p.maxThreadsDim[1] = 1024;
    p.maxThreadsDim[2] = 64;
    p.maxGridSize[0] = 0x7fffffff;
    p.maxGridSize[1] = 65535;
    p.maxGridSize[2] = 65535;
    p.major = 9;  // what its atomics and warp functions are those of
    p.minor = 0;
    p.multiProcessorCount = threads;
    p.maxThreadsPerMultiProcessor = max_threads_per_multiprocessor;
    p.maxBlocksPerMultiProcessor = max_blocks_per_multiprocessor;
    const long l2 = sysconf(_SC_LEVEL2_CACHE_SIZE);
    p.l2CacheSize = l2 > 0 ? static_cast<int>(l2) : 1 << 20;
    p.memoryBusWidth = 64;
    p.concurrentKernels = 0;
    p.managedMemory = 1;
    p.unifiedAddressing = 1;
    p.canMapHostMemory = 1;
    p.integrated = 1;
    return p;
}

}  // namespace
}  // namespace cpu_device

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
    if (device != 0) {
        return result(cudaErrorInvalidDevice);
    }
    *properties = cpu_device::properties();
    return result(cudaSuccess);
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
    if (device != 0) {
        return result(cudaErrorInvalidDevice);
    }
    const cudaDeviceProp p = cpu_device::properties();
    switch (attribute) {
        case cudaDevAttrMaxThreadsPerBlock:
            *value = p.maxThreadsPerBlock;
            break;
        case cudaDevAttrMaxBlockDimX:
            *value = p.maxThreadsDim[0];
            break;
        case cudaDevAttrMaxBlockDimY:
            *value = p.maxThreadsDim[1];
            break;
        case cudaDevAttrMaxBlockDimZ:
            *value = p.maxThreadsDim[2];
            break;
        case cudaDevAttrMaxGridDimX:
            *value = p.maxGridSize[0];
            break;
        case cudaDevAttrMaxGridDimY:
            *value = p.maxGridSize[1];
            break;
        case cudaDevAttrMaxGridDimZ:
            *value = p.maxGridSize[2];
            break;
        case cudaDevAttrMaxSharedMemoryPerBlock:
            *value = static_cast<int>(p.sharedMemPerBlock);
            break;
        case cudaDevAttrTotalConstantMemory:
            *value = static_cast<int>(p.totalConstMem);
            break;
        case cudaDevAttrWarpSize:
            *value = p.warpSize;
            break;
        case cudaDevAttrMaxRegistersPerBlock:
            *value = p.regsPerBlock;
            break;
        case cudaDevAttrClockRate:
            *value = 1000000;
            break;  // clock64() counts nanoseconds; in kHz
        case cudaDevAttrMultiProcessorCount:
            *value = p.multiProcessorCount;
            break;
        case cudaDevAttrMemoryClockRate:
            *value = 0;
            break;
        case cudaDevAttrGlobalMemoryBusWidth:
            *value = p.memoryBusWidth;
            break;
        case cudaDevAttrL2CacheSize:
            *value = p.l2CacheSize;
            break;
        case cudaDevAttrMaxThreadsPerMultiProcessor:
            *value = p.maxThreadsPerMultiProcessor;
            break;
        case cudaDevAttrComputeCapabilityMajor:
            *value = p.major;
            break;
        case cudaDevAttrComputeCapabilityMinor:
            *value = p.minor;
            break;
        case cudaDevAttrMaxSharedMemoryPerMultiprocessor:
            *value = static_cast<int>(p.sharedMemPerMultiprocessor);
            break;
        case cudaDevAttrManagedMemory:
            *value = p.managedMemory;
            break;
        case cudaDevAttrConcurrentManagedAccess:
            *value = 0;
            break;
        case cudaDevAttrCooperativeLaunch:
            *value = 0;
            break;
        case cudaDevAttrMaxSharedMemoryPerBlockOptin:
            *value = static_cast<int>(p.sharedMemPerBlockOptin);
            break;
        case cudaDevAttrMaxBlocksPerMultiprocessor:
            *value = p.maxBlocksPerMultiProcessor;
            break;
        default:
            return result(cudaErrorInvalidValue);
    }
    return result(cudaSuccess);
}

cudaError_t cudaDriverGetVersion(int* version) {
    *version = CUDART_VERSION;
    return result(cudaSuccess);
}

cudaError_t cudaRuntimeGetVersion(int* version) {
    *version = CUDART_VERSION;
    return result(cudaSuccess);
}

// --- memory ---------------------------------------------------------------------------------

cudaError_t cudaMalloc(void** pointer, std::size_t bytes) {
    return result(cpu_device::allocate(pointer, bytes));
}

cudaError_t cudaMallocHost(void** pointer, std::size_t bytes) {
    return result(cpu_device::allocate(pointer, bytes, true));
}

cudaError_t cudaHostAlloc(void** pointer, std::size_t bytes, unsigned) {
    return result(cpu_device::allocate(pointer, bytes, true));
}

cudaError_t cudaMallocManaged(void** pointer, std::size_t bytes, unsigned) {
    return result(cpu_device::allocate(pointer, bytes, true));
}

cudaError_t cudaMallocAsync(void** pointer, std::size_t bytes, cudaStream_t stream) {
    const cudaError_t error = cpu_device::allocate(pointer, bytes);
    if (error == cudaSuccess) {
        cpu_device::work_in_stream(stream, __func__, *pointer, nullptr, bytes, "allocates");
    }
    return result(error);
}

cudaError_t cudaFree(void* pointer) {
    return result(cpu_device::release(pointer));
}

cudaError_t cudaFreeHost(void* pointer) {
    return cudaFree(pointer);
}

cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream) {
    const std::size_t bytes = cpu_device::allocation_from(pointer).bytes;
    const cudaError_t error = cpu_device::release(pointer);
    if (error == cudaSuccess) {
        cpu_device::work_in_stream(stream, __func__, pointer, nullptr, bytes, "frees");
    }
    return result(error);
}

cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total) {
    const std::lock_guard<std::mutex> lock(cpu_device::allocations_mutex);
    *total = cpu_device::physical_memory();
    *free = *total - std::min(cpu_device::allocated, *total);
    return result(cudaSuccess);
}

cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
    return result(cpu_device::copy_and_wait(to, from, bytes, kind, __func__));
}

cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream) {
    return result(
        cpu_device::copy(to, from, bytes, kind, stream, __func__, cpu_device::Waiting::never));
}

cudaError_t cudaMemset(void* pointer, int byte, std::size_t bytes) {
    const cudaError_t error = cpu_device::set(pointer, byte, bytes, nullptr, __func__);
    if (error == cudaSuccess && cpu_device::allocation_from(pointer).host_writes_too) {
        cpu_device::host_follows(cudaStream_t{nullptr});
    }
    return result(error);
}

cudaError_t cudaMemsetAsync(void* pointer, int byte, std::size_t bytes, cudaStream_t stream) {
    return result(cpu_device::set(pointer, byte, bytes, stream, __func__));
}

// --- streams and events: all work is done when a call returns -------------------------------

cudaError_t cudaStreamCreate(cudaStream_t* stream) {
    return cudaStreamCreateWithFlags(stream, cudaStreamDefault);
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags) {
    *stream = new CUstream_st;
    cpu_device::stream_begins(*stream, (flags & cudaStreamNonBlocking) == 0);
    return result(cudaSuccess);
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
    if (stream == nullptr) {
        return result(cudaErrorInvalidResourceHandle);
    }
    cpu_device::stream_ends(stream);
    delete stream;
    return result(cudaSuccess);
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
    cpu_device::host_follows(stream);
    return result(cudaSuccess);
}

cudaError_t cudaStreamQuery(cudaStream_t stream) {
    return cudaStreamSynchronize(stream);
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned) {
    if (event == nullptr) {
        return result(cudaErrorInvalidResourceHandle);
    }
    cpu_device::stream_follows(stream, event);
    return result(cudaSuccess);
}

cudaError_t cudaEventCreate(cudaEvent_t* event) {
    return cudaEventCreateWithFlags(event, cudaEventDefault);
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags) {
    *event = new CUevent_st;
    (*event)->timed = (flags & cudaEventDisableTiming) == 0;
    return result(cudaSuccess);
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
    if (event == nullptr) {
        return result(cudaErrorInvalidResourceHandle);
    }
    cpu_device::event_ends(event);
    delete event;
    return result(cudaSuccess);
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
    if (event == nullptr) {
        return result(cudaErrorInvalidResourceHandle);
    }
    cpu_device::event_follows(event, stream);
    event->recorded = true;
    event->time = std::chrono::steady_clock::now();
    return result(cudaSuccess);
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
    if (event == nullptr) {
        return result(cudaErrorInvalidResourceHandle);
    }
    cpu_device::host_follows(event);
    return result(cudaSuccess);
}

cudaError_t cudaEventQuery(cudaEvent_t event) {
    return cudaEventSynchronize(event);
}

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
    if (start == nullptr || end == nullptr || !start->recorded || !end->recorded || !start->timed ||
        !end->timed) {
        return result(cudaErrorInvalidResourceHandle);
    }
    *milliseconds = std::chrono::duration<float, std::milli>(end->time - start->time).count();
    return result(cudaSuccess);
}
