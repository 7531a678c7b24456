// The host side of the CUDA runtime: errors, devices, launches, streams and events.
#include "host_api.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string>

#include "cpu_device/old_names.h"
#include "devices.hpp"
#include "faults.hpp"
#include "scheduler.hpp"
#include "stream_order.hpp"

struct CUstream_st {
    unsigned flags;
    int priority;
    int device;
    cudaAccessPolicyWindow window = {};
    cudaSynchronizationPolicy policy = cudaSyncPolicyAuto;
};
constexpr int greatest_priority = -5;  // smaller numbers go first
struct CUevent_st {
    int device;
    bool recorded = false;
    bool timed = true;
    std::chrono::steady_clock::time_point time{};
};

namespace cpu_device {

// The streams that are there without being made: each device has its own.
static bool is_default(cudaStream_t stream) {
    return stream == nullptr || stream == cudaStreamLegacy || stream == cudaStreamPerThread;
}

int device_of(cudaStream_t stream) {
    return device_count() == 1 || cpu_device::is_default(stream) ? current_device()
                                                                 : stream->device;
}

namespace {

thread_local cudaError_t last_error = cudaSuccess;
thread_local cudaError_t last_launch = cudaSuccess;

// A kernel has failed. Every call that is made with its device as the current one says so, from the
// first one that would have waited for it.
struct Failure {
    std::atomic<cudaError_t> error_of_kernel{cudaSuccess};
    std::atomic<bool> is_known{false};
};
Failure failures[max_devices];
Failure& failure_here() {
    return failures[current_device()];
}

// A launch that was refused, and the program has not asked since whether one was.
std::mutex refused_mutex;
std::string& refused_launch = *new std::string;

void say_that_errors_were_not_read() {
    const std::lock_guard<std::mutex> lock(refused_mutex);
    if (!refused_launch.empty()) {
        std::fprintf(stderr,
                     "CPU device: %s. The program did not ask: call cudaGetLastError() "
                     "after each launch.\n",
                     refused_launch.c_str());
    }
}

void keep_refused(const LaunchConfig& config, cudaError_t error) {
    static const int registered = std::atexit(say_that_errors_were_not_read);
    static_cast<void>(registered);
    const std::lock_guard<std::mutex> lock(refused_mutex);
    refused_launch = std::string(config.place.file) + ":" + std::to_string(config.place.line) +
                     ": the launch of " + config.kernel +
                     " was refused, and nothing ran: " + cudaGetErrorString(error);
}

void program_asks() {
    const std::lock_guard<std::mutex> lock(refused_mutex);
    refused_launch.clear();
}

std::atomic<std::size_t> dynamic_shared_limit{shared_bytes_per_block};

bool is_possible(const dim3& grid, const dim3& block) {
    const bool block_fits = block.x >= 1 && block.y >= 1 && block.z >= 1 && block.x <= 1024 &&
                            block.y <= 1024 && block.z <= 64 &&
                            block.x * block.y * block.z <= max_threads_per_block;
    const bool grid_fits = grid.x >= 1 && grid.y >= 1 && grid.z >= 1 && grid.x <= 0x7fffffff &&
                           grid.y <= 65535 && grid.z <= 65535;
    return block_fits && grid_fits;
}

// Why a GPU would not run the launch. CUDA 12 says cudaErrorInvalidConfiguration where a grid or a
// block is impossible; CUDA 13 says what it says of any other argument.
cudaError_t refusal_of(const LaunchConfig& config) {
    if (device_of(config.stream) != current_device()) {
        return cudaErrorInvalidResourceHandle;
    }
    const bool memory_fits = config.dynamic_shared <= dynamic_shared_limit;
    return is_possible(config.grid, config.block) && memory_fits ? cudaSuccess
                                                                 : cudaErrorInvalidValue;
}

}  // namespace

cudaError_t result(cudaError_t error, const char* call) {
    if (must_fail(Fault::call, call)) {
        error = static_cast<cudaError_t>(wished_error());
    }
    if (const cudaError_t lasting = failure_here().error_of_kernel; lasting != cudaSuccess) {
        error = lasting;
        failure_here().is_known = true;
    }
    if (error != cudaSuccess) {
        last_error = error;
    }
    return error;
}

void keep_error_of_kernel(int error) {
    cudaError_t none = cudaSuccess;
    failures[device_of_launch()].error_of_kernel.compare_exchange_strong(
        none, static_cast<cudaError_t>(error));
}

bool acceptable(const LaunchConfig& config) {
    if (in_kernel()) {
        fail("%s:%d: kernel %s is launched from a kernel, which the CPU device cannot do",
             config.place.file, config.place.line, config.kernel);
    }
    last_launch = result(refusal_of(config), "a launch");
    if (last_launch != cudaSuccess) {
        keep_refused(config, last_launch);
    }
    return last_launch == cudaSuccess;
}

static std::atomic<bool> bounds_exceeded{false};

bool exceeds_launch_bounds(std::size_t most) {
    const bool exceeds = std::size_t{blockDim.x} * blockDim.y * blockDim.z > most;
    if (exceeds) {
        bounds_exceeded = true;
    }
    return exceeds;
}

void look_at_launch_bounds(const LaunchConfig& config) {
    if (bounds_exceeded.exchange(false)) {
        last_launch = result(cudaErrorInvalidValue, "a launch");
        keep_refused(config, last_launch);
    }
}

cudaError_t error_of_launch() {
    program_asks();
    return last_launch;
}

void used_old_name(const char* name, const char* today, Place place) {
    static std::once_flag said;
    std::call_once(said, [&] {
        std::fprintf(stderr,
                     "CPU device: %s:%d: CUDA 13 has no %s; %s takes its place. This is said once, "
                     "for the first of such names.\n",
                     place.file, place.line, name, today);
    });
}

namespace {
std::mutex cooperative_launches;
}  // namespace

static bool launches_cooperatively = false;

bool in_cooperative_launch() {
    return launches_cooperatively;
}

CooperativeLaunch::CooperativeLaunch(dim3 grid, dim3 block, std::size_t dynamic_shared) {
    const std::size_t threads = std::size_t{block.x} * block.y * block.z;
    const std::size_t blocks = std::size_t{grid.x} * grid.y * grid.z;
    const bool fit = !is_possible(grid, block) ||  // the launch refuses it
                     blocks <= resident_blocks(threads, dynamic_shared) *
                                   static_cast<std::size_t>(multiprocessor_count());
    refusal_ = fit ? cudaSuccess
                   : result(cudaErrorCooperativeLaunchTooLarge, "cudaLaunchCooperativeKernel");
    cooperative_launches.lock();
    launches_cooperatively = true;
}

CooperativeLaunch::~CooperativeLaunch() {
    launches_cooperatively = false;
    cooperative_launches.unlock();
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

cudaError_t dynamic_shared_left(std::size_t* bytes, int blocks, int block_size) {
    constexpr const char* call = "cudaOccupancyAvailableDynamicSMemPerBlock";
    if (blocks < 1 || block_size < 1 || block_size > static_cast<int>(max_threads_per_block) ||
        resident_blocks(block_size, 0) < static_cast<std::size_t>(blocks)) {
        return result(cudaErrorInvalidValue, call);
    }
    *bytes = std::min(shared_bytes_per_block_optin, shared_bytes_per_multiprocessor / blocks);
    return result(cudaSuccess, call);
}

#ifdef CPU_DEVICE_RACE
// Kernels of one stream run one after another: no run shows that a griddepcontrol.wait is missing.
cudaError_t refuse_programmatic(Place place) {
    std::fprintf(stderr,
                 "CPU device: %s:%d: race mode cannot check a launch with "
                 "cudaLaunchAttributeProgrammaticStreamSerialization: it would not see that a "
                 "griddepcontrol.wait is missing.\n",
                 place.file, place.line);
    return result(cudaErrorNotSupported, "cudaLaunchKernelEx");
}
#endif

cudaError_t look_at_attributes(const cudaLaunchConfig_t& config, bool& cooperative,
                               [[maybe_unused]] Place place) {
    cooperative = false;
    for (unsigned i = 0; i < config.numAttrs; ++i) {
        const cudaLaunchAttributeValue& value = config.attrs[i].val;
        const auto& cluster = value.clusterDim;
        switch (config.attrs[i].id) {
            case cudaLaunchAttributeCooperative:
                cooperative = value.cooperative != 0;
                break;
            case cudaLaunchAttributeClusterDimension:
                if (cluster.x * cluster.y * cluster.z > 1) {  // clusters are not there
                    return result(cudaErrorNotSupported, "cudaLaunchKernelEx");
                }
                break;
#ifdef CPU_DEVICE_RACE
            case cudaLaunchAttributeProgrammaticStreamSerialization:
                if (value.programmaticStreamSerializationAllowed != 0) {
                    return refuse_programmatic(place);
                }
                break;
#endif
            default:  // hints, which an order of the work of streams may follow or not
                break;
        }
    }
    return cudaSuccess;
}

cudaError_t attributes_of_kernel(cudaFuncAttributes* attributes) {
    *attributes = {};
    attributes->maxThreadsPerBlock = max_threads_per_block;
    attributes->ptxVersion = 90;
    attributes->binaryVersion = 90;
    attributes->maxDynamicSharedSizeBytes = static_cast<int>(dynamic_shared_limit.load());
    return result(cudaSuccess, "cudaFuncGetAttributes");
}

}  // namespace cpu_device

using cpu_device::result;

// --- errors ---------------------------------------------------------------------------------

cudaError_t cudaGetLastError() {
    cpu_device::program_asks();
    const cudaError_t error = cpu_device::last_error;
    cpu_device::last_error = cpu_device::failure_here().is_known ? error : cudaSuccess;
    return error;
}

cudaError_t cudaPeekAtLastError() {
    cpu_device::program_asks();
    return cpu_device::last_error;
}

const char* cudaGetErrorName(cudaError_t error) {
    switch (error) {
#define CPU_DEVICE_NAME(name, number, text) \
    case name:                              \
        return #name;
        CPU_DEVICE_ERRORS(CPU_DEVICE_NAME)
#undef CPU_DEVICE_NAME
    }
    return "unrecognized error code";
}

const char* cudaGetErrorString(cudaError_t error) {
    switch (error) {
#define CPU_DEVICE_TEXT(name, number, text) \
    case name:                              \
        return text;
        CPU_DEVICE_ERRORS(CPU_DEVICE_TEXT)
#undef CPU_DEVICE_TEXT
    }
    return "unrecognized error code";
}

// --- devices --------------------------------------------------------------------------------

cudaError_t cudaDeviceSynchronize() {
    cpu_device::host_follows_device(cpu_device::current_device());
    return result(cudaSuccess);
}

cudaError_t cudaDeviceReset() {
    cpu_device::host_follows_device(cpu_device::current_device());
    cpu_device::failure_here().error_of_kernel = cudaSuccess;
    cpu_device::failure_here().is_known = false;
    cpu_device::forget_peers();
    cpu_device::last_error = cudaSuccess;
    return result(cudaSuccess);
}

cudaError_t cudaSetDeviceFlags(unsigned) {
    return result(cudaSuccess);
}

cudaError_t cudaGetDeviceFlags(unsigned* flags) {
    *flags = cudaDeviceMapHost;
    return result(cudaSuccess);
}

// What a program sets it reads again; nothing here depends on it.
namespace {
std::atomic<std::size_t> limits[] = {1024, 1 << 20, 8 << 20, 2, 2048, 64, 0};
std::atomic<cudaFuncCache> cache_config{cudaFuncCachePreferNone};
bool is_limit(cudaLimit limit) {
    return limit >= 0 && static_cast<std::size_t>(limit) < std::size(limits);
}
}  // namespace

cudaError_t cudaDeviceSetLimit(cudaLimit limit, std::size_t value) {
    if (!is_limit(limit)) {
        return result(cudaErrorUnsupportedLimit);
    }
    limits[limit] = value;
    return result(cudaSuccess);
}

cudaError_t cudaDeviceGetLimit(std::size_t* value, cudaLimit limit) {
    if (!is_limit(limit)) {
        return result(cudaErrorUnsupportedLimit);
    }
    *value = limits[limit];
    return result(cudaSuccess);
}

cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache config) {
    cache_config = config;
    return result(cudaSuccess);
}

cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* config) {
    *config = cache_config;
    return result(cudaSuccess);
}

cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig) {
    return result(cudaSuccess);
}

cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig* config) {
    *config = cudaSharedMemBankSizeFourByte;
    return result(cudaSuccess);
}

cudaError_t cudaCtxResetPersistingL2Cache() {
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

// --- streams and events: all work is done when a call returns -------------------------------

cudaError_t cudaStreamCreate(cudaStream_t* stream) {
    return cudaStreamCreateWithFlags(stream, cudaStreamDefault);
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags) {
    return cudaStreamCreateWithPriority(stream, flags, 0);
}

// Work is done in the order of the calls, so a priority changes nothing.
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags, int priority) {
    *stream = new CUstream_st{flags, std::clamp(priority, greatest_priority, 0),
                              cpu_device::current_device()};
    cpu_device::stream_begins(*stream, (flags & cudaStreamNonBlocking) == 0);
    return result(cudaSuccess);
}

cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
    *least = 0;
    *greatest = greatest_priority;
    return result(cudaSuccess);
}

cudaError_t cudaStreamGetPriority(cudaStream_t stream, int* priority) {
    *priority = cpu_device::is_default(stream) ? 0 : stream->priority;
    return result(cudaSuccess);
}

cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned* flags) {
    *flags = cpu_device::is_default(stream) ? cudaStreamDefault : stream->flags;
    return result(cudaSuccess);
}

// The default stream is number 1, as its name cudaStreamLegacy is.
cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long* id) {
    *id = stream == nullptr ? 1 : reinterpret_cast<std::uintptr_t>(stream);
    return result(cudaSuccess);
}

cudaError_t cudaStreamGetDevice(cudaStream_t stream, int* device) {
    *device = cpu_device::is_default(stream) ? cpu_device::current_device() : stream->device;
    return result(cudaSuccess);
}

namespace {
// The attributes of all default streams together.
CUstream_st& attributes_of(cudaStream_t stream) {
    static CUstream_st of_default{cudaStreamDefault, 0, 0};
    return cpu_device::is_default(stream) ? of_default : *stream;
}
}  // namespace

cudaError_t cudaStreamSetAttribute(cudaStream_t stream, cudaStreamAttrID attribute,
                                   const cudaStreamAttrValue* value) {
    CUstream_st& of = attributes_of(stream);
    switch (attribute) {
        case cudaStreamAttributeAccessPolicyWindow:
            of.window = value->accessPolicyWindow;
            return result(cudaSuccess);
        case cudaStreamAttributeSynchronizationPolicy:
            of.policy = value->syncPolicy;
            return result(cudaSuccess);
        case cudaStreamAttributePriority:
            of.priority = std::clamp(value->priority, greatest_priority, 0);
            return result(cudaSuccess);
        default:
            return result(cudaErrorInvalidValue);
    }
}

cudaError_t cudaStreamGetAttribute(cudaStream_t stream, cudaStreamAttrID attribute,
                                   cudaStreamAttrValue* value) {
    const CUstream_st& of = attributes_of(stream);
    switch (attribute) {
        case cudaStreamAttributeAccessPolicyWindow:
            value->accessPolicyWindow = of.window;
            return result(cudaSuccess);
        case cudaStreamAttributeSynchronizationPolicy:
            value->syncPolicy = of.policy;
            return result(cudaSuccess);
        case cudaStreamAttributePriority:
            value->priority = of.priority;
            return result(cudaSuccess);
        default:
            return result(cudaErrorInvalidValue);
    }
}

cudaError_t cudaStreamCopyAttributes(cudaStream_t to, cudaStream_t from) {
    const CUstream_st& given = attributes_of(from);
    CUstream_st& taken = attributes_of(to);
    taken.window = given.window;
    taken.policy = given.policy;
    taken.priority = given.priority;
    return result(cudaSuccess);
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
    if (cpu_device::is_default(stream)) {
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
    return result(cpu_device::host_asks(stream) ? cudaSuccess : cudaErrorNotReady);
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned) {
    if (event == nullptr) {
        return result(cudaErrorInvalidResourceHandle);
    }
    cpu_device::stream_follows(stream, event);
    return result(cudaSuccess);
}

// The host does it at once: all that it waits for is done.
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data) {
    cpu_device::call_in_stream(stream, "the function of cudaLaunchHostFunc",
                               [&] { function(data); });
    return result(cudaSuccess);
}

cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t function, void* data,
                                  unsigned flags) {
    if (flags != 0) {
        return result(cudaErrorInvalidValue);
    }
    cpu_device::call_in_stream(stream, "the function of cudaStreamAddCallback",
                               [&] { function(stream, cudaSuccess, data); });
    return result(cudaSuccess);
}

cudaError_t cudaEventCreate(cudaEvent_t* event) {
    return cudaEventCreateWithFlags(event, cudaEventDefault);
}

cudaError_t cudaEventCreate(cudaEvent_t* event, unsigned flags) {
    return cudaEventCreateWithFlags(event, flags);
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags) {
    *event = new CUevent_st{cpu_device::current_device()};
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
    if (event == nullptr || event->device != cpu_device::device_of(stream)) {
        return result(cudaErrorInvalidResourceHandle);
    }
    cpu_device::event_follows(event, stream);
    event->recorded = true;
    event->time = std::chrono::steady_clock::now();
    return result(cudaSuccess);
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned) {
    return cudaEventRecord(event, stream);
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
    if (event == nullptr) {
        return result(cudaErrorInvalidResourceHandle);
    }
    cpu_device::host_follows(event);
    return result(cudaSuccess);
}

cudaError_t cudaEventQuery(cudaEvent_t event) {
    if (event == nullptr) {
        return result(cudaErrorInvalidResourceHandle);
    }
    return result(cpu_device::host_asks(event) ? cudaSuccess : cudaErrorNotReady);
}

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
    if (start == nullptr || end == nullptr || !start->recorded || !end->recorded || !start->timed ||
        !end->timed || start->device != end->device) {
        return result(cudaErrorInvalidResourceHandle);
    }
    *milliseconds = std::chrono::duration<float, std::milli>(end->time - start->time).count();
    return result(cudaSuccess);
}
