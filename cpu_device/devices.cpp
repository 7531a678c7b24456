// Several devices in one process: which one a host thread uses, and who has access to whose memory.
#include "devices.hpp"

#include <sched.h>

#include <atomic>
#include <mutex>

#include "host_api.hpp"
#include "system.hpp"

namespace cpu_device {
namespace {

thread_local int current = 0;
std::atomic<int> running_on{0};
std::atomic<bool> memory_is_hidden{false};

// has_peer[device][owner]: by cudaDeviceEnablePeerAccess. Peer access has one direction.
std::mutex peers_mutex;
bool has_peer[max_devices][max_devices] = {};

// AddressSanitizer keeps notes of its own of all memory, and its handler of signals.
#if defined(__SANITIZE_ADDRESS__) || defined(CPU_DEVICE_RACE)
constexpr bool hides_memory = false;
#else
constexpr bool hides_memory = true;
#endif

}  // namespace

int device_count() {
    static const int count =
        static_cast<int>(whole_number_from_environment("CPU_DEVICES", 1, 1, max_devices));
    return count;
}

bool is_device(int number) {
    return number >= 0 && number < device_count();
}

int current_device() {
    return current;
}

bool has_access(int device, int owner) {
    if (device == owner) {
        return true;
    }
    const std::lock_guard<std::mutex> lock(peers_mutex);
    return has_peer[device][owner];
}

void forget_peers() {
    const std::lock_guard<std::mutex> lock(peers_mutex);
    for (bool& enabled : has_peer[current]) {
        enabled = false;
    }
}

int device_of_launch() {
    return running_on;
}

LaunchOnDevice::LaunchOnDevice() {
    running_on = current;
    if (hides_memory && device_count() > 1) {
        memory_is_hidden = true;
        hide_memory_from(current, true);
    }
}

LaunchOnDevice::~LaunchOnDevice() {
    if (memory_is_hidden) {
        hide_memory_from(current, false);
        memory_is_hidden = false;
    }
}

// The launch may have ended since the access, so that one is made twice before it counts as wrong.
bool wait_for_hidden_memory(const void* address) {
    thread_local const void* tried = nullptr;
    if (device_count() == 1 || (!memory_is_hidden && tried == address)) {
        return false;
    }
    while (memory_is_hidden) {
        sched_yield();
    }
    tried = address;
    return true;
}

}  // namespace cpu_device

using namespace cpu_device;

cudaError_t cudaGetDeviceCount(int* count) {
    *count = device_count();
    return result(cudaSuccess);
}

cudaError_t cudaGetDevice(int* device) {
    *device = current;
    return result(cudaSuccess);
}

cudaError_t cudaSetDevice(int device) {
    if (!is_device(device)) {
        return result(cudaErrorInvalidDevice);
    }
    current = device;
    return result(cudaSuccess);
}

cudaError_t cudaInitDevice(int device, unsigned, unsigned) {
    return result(is_device(device) ? cudaSuccess : cudaErrorInvalidDevice);
}

// --- peers: any two devices, but none is a peer of itself -----------------------------------

cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer) {
    *can = is_device(device) && is_device(peer) && device != peer;
    return result(is_device(device) && is_device(peer) ? cudaSuccess : cudaErrorInvalidDevice);
}

cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags) {
    if (!is_device(peer) || flags != 0) {
        return result(is_device(peer) ? cudaErrorInvalidValue : cudaErrorInvalidDevice);
    }
    if (peer == current) {
        return result(cudaErrorPeerAccessUnsupported);
    }
    const std::lock_guard<std::mutex> lock(peers_mutex);
    bool& enabled = has_peer[current][peer];
    if (enabled) {
        return result(cudaErrorPeerAccessAlreadyEnabled);
    }
    enabled = true;
    return result(cudaSuccess);
}

cudaError_t cudaDeviceDisablePeerAccess(int peer) {
    if (!is_device(peer)) {
        return result(cudaErrorInvalidDevice);
    }
    const std::lock_guard<std::mutex> lock(peers_mutex);
    bool& enabled = has_peer[current][peer];
    if (!enabled) {
        return result(cudaErrorPeerAccessNotEnabled);
    }
    enabled = false;
    return result(cudaSuccess);
}

cudaError_t cudaDeviceGetP2PAttribute(int* value, cudaDeviceP2PAttr attribute, int device,
                                      int peer) {
    if (!is_device(device) || !is_device(peer) || device == peer) {
        return result(cudaErrorInvalidDevice);
    }
    switch (attribute) {
        case cudaDevP2PAttrPerformanceRank:  // 0: the best
            *value = 0;
            return result(cudaSuccess);
        case cudaDevP2PAttrAccessSupported:
        case cudaDevP2PAttrNativeAtomicSupported:
        case cudaDevP2PAttrCudaArrayAccessSupported:
            *value = 1;
            return result(cudaSuccess);
    }
    return result(cudaErrorInvalidValue);
}
