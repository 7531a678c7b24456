// The memory of the host API: allocations, copies, and what the host shares with the device.
#include <dlfcn.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <mutex>

#include "devices.hpp"
#include "faults.hpp"
#include "host_api.hpp"
#include "memory_hints.hpp"
#include "memory_pools.hpp"
#include "scheduler.hpp"
#include "stream_order.hpp"

namespace cpu_device {
namespace {

// What the program has, by where it begins. Never destroyed, since static objects of the program
// may free their memory late.
std::mutex allocations_mutex;
std::map<const char*, Allocation>& allocations = *new std::map<const char*, Allocation>;
std::size_t allocated[max_devices] = {};

// False if the range begins in an allocation and ends outside of it.
bool fits(const void* pointer, std::size_t bytes) {
    const std::size_t there = allocation_from(pointer).bytes;
    return there == 0 || bytes <= there;
}

bool is_pinned(const void* pointer) {
    const Allocation there = allocation_from(pointer);
    return there.bytes > 0 &&
           (there.kind == Allocation::pinned || there.kind == Allocation::registered);
}

// --- copies ---------------------------------------------------------------------------------

// Whose memory one end of a copy is: the device's; memory that the host shares with it (pinned or
// managed); or any other memory of the host. A __device__ variable cannot be told from one of the
// host here: `said` to be of the device, it is believed.
enum class Side { device, shared, pageable };

Side side_of(const void* pointer, bool said) {
    const Allocation there = allocation_from(pointer);
    if (there.bytes > 0) {
        return there.host_writes_too() ? Side::shared : Side::device;
    }
    return said ? Side::device : Side::pageable;
}

bool is_of_host(const void* pointer, Side side) {
    return side == Side::pageable || is_pinned(pointer);
}

bool to_device(cudaMemcpyKind kind) {
    return kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
}
bool from_device(cudaMemcpyKind kind) {
    return kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
}

// Can the pointer be one of the device? Of no allocation, it can only be a variable of the program.
bool may_be_of_device(const void* pointer) {
    Dl_info unused{};
    return allocation_from(pointer).bytes > 0 || dladdr(pointer, &unused) != 0;
}
bool may_be_of_host(const void* pointer) {
    const Allocation there = allocation_from(pointer);
    return there.bytes == 0 || there.host_writes_too();
}

// The memory that a launch of another device may not use is kept in pages of its own.
constexpr std::size_t page = 4096;
void set_access(const void* memory, std::size_t bytes, int protection) {
    // If the system refuses, for want of mappings, the memory stays as it is.
    static_cast<void>(
        mprotect(const_cast<void*>(memory), (bytes + page - 1) / page * page, protection));
}

bool is_reachable(const void* begin, const Allocation& whole, int device) {
    return whole.host_writes_too() ||
           (is_of_pool(begin) ? whole.owner == device || pool_reaches(begin, device)
                              : has_access(device, whole.owner));
}

// Do both lie in memory of devices, and these are two?
bool is_between_devices(const void* to, const void* from) {
    const Allocation target = allocation_from(to);
    const Allocation source = allocation_from(from);
    return target.bytes > 0 && source.bytes > 0 && !target.host_writes_too() &&
           !source.host_writes_too() && target.owner != source.owner;
}

// Why a GPU would not make the copy.
cudaError_t refusal_of(const void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
    if (kind < cudaMemcpyHostToHost || kind > cudaMemcpyDefault) {
        return cudaErrorInvalidMemcpyDirection;
    }
    if (bytes == 0) {
        return cudaSuccess;
    }
    const bool there = to != nullptr && from != nullptr && fits(to, bytes) && fits(from, bytes) &&
                       !is_given_back(to) && !is_given_back(from);
    const auto right = [](const void* pointer, bool device) {
        return device ? may_be_of_device(pointer) : may_be_of_host(pointer);
    };
    const bool right_direction =
        kind == cudaMemcpyDefault || (right(to, to_device(kind)) && right(from, from_device(kind)));
    return there && right_direction ? cudaSuccess : cudaErrorInvalidValue;
}

// In the default stream.
cudaError_t copy_and_wait(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                          const char* function) {
    return copy(to, from, {bytes, 1, 0, 0}, kind, nullptr, function, Waiting::as_documented);
}

}  // namespace

std::size_t physical_memory() {
    return static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) *
           static_cast<std::size_t>(sysconf(_SC_PAGESIZE)) /
           static_cast<std::size_t>(device_count());
}

cudaError_t allocate(void** pointer, std::size_t bytes, Allocation::Kind kind) {
    return allocate_on(current_device(), pointer, bytes, kind);
}

cudaError_t allocate_on(int device, void** pointer, std::size_t bytes, Allocation::Kind kind) {
    if (pointer == nullptr) {
        return cudaErrorInvalidValue;
    }
    *pointer = nullptr;
    if (bytes == 0) {
        return cudaSuccess;
    }
    const std::lock_guard<std::mutex> lock(allocations_mutex);
    if (bytes > physical_memory() - std::min(allocated[device], physical_memory()) ||
        must_fail(Fault::allocation, "device memory")) {
        return cudaErrorMemoryAllocation;
    }
    void* const memory = take_device_memory(bytes);
    if (memory == nullptr) {
        return cudaErrorMemoryAllocation;
    }
    std::memset(memory, fresh_memory, bytes);  // nothing works by lucky zeros
    const Allocation allocation{bytes, kind, device};
    if (allocation.host_writes_too()) {
        host_wrote(memory, nullptr, bytes);
    }
    allocations[static_cast<const char*>(memory)] = allocation;
    allocated[device] += bytes;
    *pointer = memory;
    return cudaSuccess;
}

cudaError_t release(void* pointer) {
    if (pointer == nullptr) {
        return cudaSuccess;
    }
    const std::lock_guard<std::mutex> lock(allocations_mutex);
    const auto found = allocations.find(static_cast<const char*>(pointer));
    if (found == allocations.end() || found->second.kind == Allocation::registered) {
        return cudaErrorInvalidValue;
    }
    allocated[found->second.owner] -= found->second.bytes;
    if (found->second.kind == Allocation::managed) {
        forget_hints(pointer, found->second.bytes);
    }
    if (device_count() > 1 && !found->second.host_writes_too()) {
        set_access(pointer, found->second.bytes, PROT_READ | PROT_WRITE);  // it may be hidden
    }
    allocations.erase(found);
    returned_to_pool(pointer);
    give_back_device_memory(pointer);
    return cudaSuccess;
}

Allocation allocation_from(const void* pointer) {
    const std::lock_guard<std::mutex> lock(allocations_mutex);
    const char* const begin = static_cast<const char*>(pointer);
    auto after = allocations.upper_bound(begin);
    if (after == allocations.begin()) {
        return {0, Allocation::device};
    }
    const auto& [start, whole] = *--after;
    const auto before = static_cast<std::size_t>(begin - start);
    return {before < whole.bytes ? whole.bytes - before : 0, whole.kind, whole.owner};
}

bool is_reachable(const void* pointer, int device) {
    const std::lock_guard<std::mutex> lock(allocations_mutex);
    const char* const begin = static_cast<const char*>(pointer);
    const auto after = allocations.upper_bound(begin);
    if (after == allocations.begin()) {
        return true;
    }
    const auto& [start, whole] = *std::prev(after);
    return begin >= start + whole.bytes || is_reachable(start, whole, device);
}

namespace {

// Both belong to allocations_mutex.
int hidden_from = -1;  // the device whose launch runs and may not see all memory; -1: there is none
int host_accesses = 0;  // that are being made

void set_access_of_unreachable(int device, int protection) {
    for (const auto& [begin, whole] : allocations) {
        if (!is_reachable(begin, whole, device)) {
            set_access(begin, whole.bytes, protection);
        }
    }
}

// While it lives, the host sees all memory, also where another of its threads runs a launch.
class HostAccess {
  public:
    HostAccess() { count(+1); }
    ~HostAccess() { count(-1); }
    HostAccess(const HostAccess&) = delete;
    HostAccess& operator=(const HostAccess&) = delete;

  private:
    static void count(int change) {
        if (device_count() == 1) {
            return;
        }
        const std::lock_guard<std::mutex> lock(allocations_mutex);
        const bool were_some = host_accesses > 0;
        host_accesses += change;
        if (hidden_from >= 0 && were_some != (host_accesses > 0)) {
            set_access_of_unreachable(hidden_from, were_some ? PROT_NONE : PROT_READ | PROT_WRITE);
        }
    }
};

}  // namespace

void hide_memory_from(int device, bool hidden) {
    const std::lock_guard<std::mutex> lock(allocations_mutex);
    hidden_from = hidden ? device : -1;
    if (host_accesses == 0) {
        set_access_of_unreachable(device, hidden ? PROT_NONE : PROT_READ | PROT_WRITE);
    }
}

bool is_registered(const void* pointer) {
    const Allocation there = allocation_from(pointer);
    return there.bytes > 0 && there.kind == Allocation::registered;
}

bool is_device_memory(const void* pointer, std::size_t bytes) {
    return pointer != nullptr && may_be_of_device(pointer) && fits(pointer, bytes) &&
           !is_given_back(pointer);
}

cudaError_t copy(void* to, const void* from, const Rows& size, cudaMemcpyKind kind,
                 cudaStream_t stream, const char* function, Waiting waiting) {
    const auto row_to = [&](std::size_t row) {
        return static_cast<char*>(to) + row * size.to_pitch;
    };
    const auto row_from = [&](std::size_t row) {
        return static_cast<const char*>(from) + row * size.from_pitch;
    };
    for (std::size_t row = 0; row < size.rows; ++row) {
        const cudaError_t error = refusal_of(row_to(row), row_from(row), size.bytes, kind);
        if (error != cudaSuccess) {
            return error;
        }
    }
    if (size.bytes == 0) {
        return cudaSuccess;
    }
    const Side target = side_of(to, to_device(kind));
    const Side source = side_of(from, from_device(kind));
    // From pageable memory the host waits for what came before, and goes on when that memory has
    // been read: the bytes may be on their way still. It waits for no copy on the device.
    const bool upload = source == Side::pageable && target == Side::device;
    const bool on_device = source == Side::device && target == Side::device;
    if (waiting == Waiting::as_documented && upload) {
        host_follows(stream);
    }
    // In the default stream, a copy from one device to another comes after all that both were
    // given, and before all that they get.
    const bool between = device_count() > 1 && stream == nullptr && is_between_devices(to, from);
    const auto meet = [&] {
        if (between) {
            devices_meet(allocation_from(to).owner, allocation_from(from).owner);
        }
    };
    meet();
    for (std::size_t row = 0; row < size.rows; ++row) {
        {
            const HostAccess access;
            std::memmove(row_to(row), row_from(row), size.bytes);
        }
        host_wrote(row_to(row), row_from(row), size.bytes);
        work_in_stream(stream, function, target == Side::pageable ? nullptr : row_to(row),
                       source == Side::pageable ? nullptr : row_from(row), size.bytes);
    }
    meet();
    const bool on_host = is_of_host(to, target) && is_of_host(from, source);  // Async or not
    if (on_host || (waiting == Waiting::as_documented && !upload && !on_device)) {
        host_follows(stream);
    }
    return cudaSuccess;
}

cudaError_t set(void* pointer, int byte, std::size_t bytes, cudaStream_t stream,
                const char* function) {
    if (bytes == 0) {
        return cudaSuccess;
    }
    if (pointer == nullptr || !fits(pointer, bytes) || !may_be_of_device(pointer)) {
        return cudaErrorInvalidValue;
    }
    {
        const HostAccess access;
        std::memset(pointer, byte, bytes);
    }
    host_wrote(pointer, nullptr, bytes);
    work_in_stream(stream, function, pointer, nullptr, bytes);
    return cudaSuccess;
}

cudaError_t copy_symbol(void* to, const void* from, std::size_t bytes, const SymbolPart& part,
                        cudaMemcpyKind kind, const char* function, cudaStream_t stream,
                        bool waits) {
    const bool within =
        part.offset <= part.symbol_bytes && bytes <= part.symbol_bytes - part.offset;
    const bool right =
        kind == cudaMemcpyDefault || (part.written ? to_device(kind) : from_device(kind));
    if (!right || !within) {
        return result(right ? cudaErrorInvalidValue : cudaErrorInvalidMemcpyDirection, function);
    }
    return result(copy(to, from, {bytes, 1, 0, 0}, kind, stream, function,
                       waits ? Waiting::as_documented : Waiting::never),
                  function);
}

}  // namespace cpu_device

using cpu_device::result;

// --- memory ---------------------------------------------------------------------------------

cudaError_t cudaMalloc(void** pointer, std::size_t bytes) {
    return result(cpu_device::allocate(pointer, bytes));
}

cudaError_t cudaMallocHost(void** pointer, std::size_t bytes) {
    return result(cpu_device::allocate(pointer, bytes, cpu_device::Allocation::pinned));
}

cudaError_t cudaHostAlloc(void** pointer, std::size_t bytes, unsigned) {
    return result(cpu_device::allocate(pointer, bytes, cpu_device::Allocation::pinned));
}

cudaError_t cudaMallocManaged(void** pointer, std::size_t bytes, unsigned) {
    return result(cpu_device::allocate(pointer, bytes, cpu_device::Allocation::managed));
}

cudaError_t cudaMallocAsync(void** pointer, std::size_t bytes, cudaStream_t stream) {
    const cudaError_t error =
        cpu_device::allocate_from_pool(pointer, bytes, nullptr, cpu_device::device_of(stream));
    if (error == cudaSuccess) {
        cpu_device::work_in_stream(stream, __func__, *pointer, nullptr, bytes, "allocates");
    }
    return result(error);
}

cudaError_t cudaFree(void* pointer) {
    // CUDA says that to free memory of no pool may wait for all work; every driver does.
    const cpu_device::Allocation there = cpu_device::allocation_from(pointer);
    if (there.bytes > 0 && !cpu_device::is_of_pool(pointer)) {
        if (there.host_writes_too()) {
            cpu_device::host_follows_all();
        } else {
            cpu_device::host_follows_device(there.owner);
        }
    }
    const cudaError_t error = cpu_device::release(pointer);
    if (error != cudaSuccess) {
        cpu_device::note_failed_free(pointer);
    }
    return result(error);
}

cudaError_t cudaFreeHost(void* pointer) {
    return cudaFree(pointer);
}

cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream) {
    const std::size_t bytes = cpu_device::allocation_from(pointer).bytes;
    const cudaError_t error = cpu_device::release(pointer);
    if (error == cudaSuccess) {
        cpu_device::work_in_stream(stream, __func__, pointer, nullptr, bytes, "frees");
    } else {
        cpu_device::note_failed_free(pointer);
    }
    return result(error);
}

cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total) {
    const std::lock_guard<std::mutex> lock(cpu_device::allocations_mutex);
    *total = cpu_device::physical_memory();
    *free = *total - std::min(cpu_device::allocated[cpu_device::current_device()], *total);
    return result(cudaSuccess);
}

cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
    return result(cpu_device::copy_and_wait(to, from, bytes, kind, __func__));
}

cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream) {
    return result(cpu_device::copy(to, from, {bytes, 1, 0, 0}, kind, stream, __func__,
                                   cpu_device::Waiting::never));
}

cudaError_t cudaMemset(void* pointer, int byte, std::size_t bytes) {
    const cudaError_t error = cpu_device::set(pointer, byte, bytes, nullptr, __func__);
    // Of pinned memory the host waits for it; of managed memory it does not, as of the device's.
    if (error == cudaSuccess && cpu_device::is_pinned(pointer)) {
        cpu_device::host_follows(cudaStream_t{nullptr});
    }
    return result(error);
}

cudaError_t cudaMemsetAsync(void* pointer, int byte, std::size_t bytes, cudaStream_t stream) {
    return result(cpu_device::set(pointer, byte, bytes, stream, __func__));
}

// --- memory that the host shares with the device ------------------------------------------------

cudaError_t cudaHostRegister(void* pointer, std::size_t bytes, unsigned) {
    using namespace cpu_device;
    if (pointer == nullptr || bytes == 0) {
        return result(cudaErrorInvalidValue);
    }
    const std::lock_guard<std::mutex> lock(allocations_mutex);
    const char* const begin = static_cast<const char*>(pointer);
    const auto after = allocations.lower_bound(begin + bytes);
    const bool overlaps = after != allocations.begin() &&
                          std::prev(after)->first + std::prev(after)->second.bytes > begin;
    if (overlaps) {
        return result(cudaErrorHostMemoryAlreadyRegistered);
    }
    allocations[begin] = {bytes, Allocation::registered, current_device()};
    return result(cudaSuccess);
}

cudaError_t cudaHostUnregister(void* pointer) {
    using namespace cpu_device;
    const std::lock_guard<std::mutex> lock(allocations_mutex);
    const auto found = allocations.find(static_cast<const char*>(pointer));
    if (found == allocations.end() || found->second.kind != Allocation::registered) {
        return result(cudaErrorHostMemoryNotRegistered);
    }
    allocations.erase(found);
    return result(cudaSuccess);
}

cudaError_t cudaHostGetDevicePointer(void** device_pointer, void* host_pointer, unsigned flags) {
    const cpu_device::Allocation there = cpu_device::allocation_from(host_pointer);
    if (flags != 0 || there.bytes == 0 || there.kind == cpu_device::Allocation::device) {
        return result(cudaErrorInvalidValue);
    }
    *device_pointer = host_pointer;
    return result(cudaSuccess);
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer) {
    using cpu_device::Allocation;
    const Allocation there = cpu_device::allocation_from(pointer);
    void* const address = const_cast<void*>(pointer);
    if (there.bytes == 0) {
        *attributes = {cudaMemoryTypeUnregistered, cudaInvalidDeviceId, nullptr, address};
    } else if (there.kind == Allocation::device) {
        const bool reachable = cpu_device::is_reachable(pointer, cpu_device::current_device());
        *attributes = {cudaMemoryTypeDevice, there.owner, reachable ? address : nullptr, nullptr};
    } else {
        const bool managed = there.kind == Allocation::managed;
        *attributes = {managed ? cudaMemoryTypeManaged : cudaMemoryTypeHost, there.owner, address,
                       address};
    }
    return result(cudaSuccess);
}

// Managed memory is where both can reach it: what asks for it to be elsewhere is only checked.
namespace cpu_device {
namespace {
cudaError_t refusal_of_hint(const void* pointer, std::size_t bytes, int device) {
    const Allocation there = allocation_from(pointer);
    if (there.kind != Allocation::managed || bytes == 0 || bytes > there.bytes) {
        return cudaErrorInvalidValue;
    }
    return is_device(device) || device == cudaCpuDeviceId ? cudaSuccess : cudaErrorInvalidDevice;
}
int device_of_location(cudaMemLocation location) {
    return location.type == cudaMemLocationTypeHost ? cudaCpuDeviceId : location.id;
}
}  // namespace
}  // namespace cpu_device

cudaError_t cudaMemPrefetchAsync(const void* pointer, std::size_t bytes, int device, cudaStream_t) {
    const cudaError_t refusal = cpu_device::refusal_of_hint(pointer, bytes, device);
    if (refusal == cudaSuccess) {
        cpu_device::remember_hint(pointer, bytes, cudaMemRangeAttributeLastPrefetchLocation, 0,
                                  device);
    }
    return result(refusal);
}

cudaError_t cudaMemPrefetchAsync(const void* pointer, std::size_t bytes, cudaMemLocation location,
                                 unsigned, cudaStream_t stream) {
    return cudaMemPrefetchAsync(pointer, bytes, cpu_device::device_of_location(location), stream);
}

cudaError_t cudaMemAdvise(const void* pointer, std::size_t bytes, cudaMemoryAdvise advice,
                          int device) {
    const cudaError_t refusal = cpu_device::refusal_of_hint(pointer, bytes, device);
    if (refusal != cudaSuccess) {
        return result(refusal);
    }
    const auto remember = [&](cudaMemRangeAttribute attribute, int of, int value) {
        cpu_device::remember_hint(pointer, bytes, attribute, of, value);
    };
    switch (advice) {
        case cudaMemAdviseSetReadMostly:
        case cudaMemAdviseUnsetReadMostly:
            remember(cudaMemRangeAttributeReadMostly, 0, advice == cudaMemAdviseSetReadMostly);
            break;
        case cudaMemAdviseSetPreferredLocation:
            remember(cudaMemRangeAttributePreferredLocation, 0, device);
            break;
        case cudaMemAdviseUnsetPreferredLocation:
            remember(cudaMemRangeAttributePreferredLocation, 0, cudaInvalidDeviceId);
            break;
        case cudaMemAdviseSetAccessedBy:
        case cudaMemAdviseUnsetAccessedBy:
            remember(cudaMemRangeAttributeAccessedBy, device, advice == cudaMemAdviseSetAccessedBy);
            break;
        default:
            return result(cudaErrorInvalidValue);
    }
    return result(cudaSuccess);
}

cudaError_t cudaMemAdvise(const void* pointer, std::size_t bytes, cudaMemoryAdvise advice,
                          cudaMemLocation location) {
    return cudaMemAdvise(pointer, bytes, advice, cpu_device::device_of_location(location));
}

cudaError_t cudaStreamAttachMemAsync(cudaStream_t, void* pointer, std::size_t, unsigned) {
    const bool managed =
        cpu_device::allocation_from(pointer).kind == cpu_device::Allocation::managed;
    return result(managed ? cudaSuccess : cudaErrorInvalidValue);
}

namespace cpu_device {
namespace {
// Each end of the copy must lie where the call says, unless all devices can reach it.
cudaError_t refusal_of_peers(const void* to, int to_device, const void* from, int from_device) {
    if (!is_device(to_device) || !is_device(from_device)) {
        return cudaErrorInvalidDevice;
    }
    const auto is_of = [](const void* pointer, int device) {
        const Allocation there = allocation_from(pointer);
        return there.bytes == 0 || there.host_writes_too() || there.owner == device;
    };
    return is_of(to, to_device) && is_of(from, from_device) ? cudaSuccess : cudaErrorInvalidValue;
}
}  // namespace
}  // namespace cpu_device

cudaError_t cudaMemcpyPeer(void* to, int to_device, const void* from, int from_device,
                           std::size_t bytes) {
    using namespace cpu_device;
    if (const cudaError_t error = refusal_of_peers(to, to_device, from, from_device)) {
        return result(error);
    }
    return result(copy_and_wait(to, from, bytes, cudaMemcpyDeviceToDevice, __func__));
}

cudaError_t cudaMemcpyPeerAsync(void* to, int to_device, const void* from, int from_device,
                                std::size_t bytes, cudaStream_t stream) {
    if (const cudaError_t error = cpu_device::refusal_of_peers(to, to_device, from, from_device)) {
        return result(error);
    }
    return result(cpu_device::copy(to, from, {bytes, 1, 0, 0}, cudaMemcpyDeviceToDevice, stream,
                                   __func__, cpu_device::Waiting::never));
}
