// What the program has said about managed memory by cudaMemAdvise and cudaMemPrefetchAsync. It has
// no effect here, and cudaMemRangeGetAttribute tells it again.
#include "memory_hints.hpp"

#include <algorithm>
#include <mutex>
#include <vector>

#include "devices.hpp"
#include "host_api.hpp"

namespace cpu_device {
namespace {

// All or a part of the memory has `value` from now on.
struct Hint {
    const char* begin;
    const char* end;
    cudaMemRangeAttribute attribute;
    int device;  // for cudaMemRangeAttributeAccessedBy
    int value;
};
std::mutex hints_mutex;
std::vector<Hint>& hints = *new std::vector<Hint>;

// What the whole range has, or `otherwise`.
int hint_for(const char* begin, const char* end, cudaMemRangeAttribute attribute, int device,
             int otherwise) {
    int value = otherwise;
    for (const Hint& hint : hints) {
        if (hint.attribute != attribute || hint.device != device || hint.end <= begin ||
            end <= hint.begin) {
            continue;
        }
        if (hint.begin <= begin && end <= hint.end) {
            value = hint.value;
        } else if (hint.value != value) {
            value = otherwise;
        }
    }
    return value;
}

int type_of_location(int device) {
    return device >= 0                 ? cudaMemLocationTypeDevice
           : device == cudaCpuDeviceId ? cudaMemLocationTypeHost
                                       : cudaMemLocationTypeInvalid;
}

}  // namespace

void remember_hint(const void* pointer, std::size_t bytes, cudaMemRangeAttribute attribute,
                   int device, int value) {
    const std::lock_guard<std::mutex> lock(hints_mutex);
    const char* const begin = static_cast<const char*>(pointer);
    const char* const end = begin + bytes;
    const auto is_over = [&](const Hint& hint) {
        return begin <= hint.begin && hint.end <= end && hint.attribute == attribute &&
               hint.device == device;
    };
    hints.erase(std::remove_if(hints.begin(), hints.end(), is_over), hints.end());
    hints.push_back({begin, end, attribute, device, value});
}

void forget_hints(const void* pointer, std::size_t bytes) {
    const std::lock_guard<std::mutex> lock(hints_mutex);
    const char* const begin = static_cast<const char*>(pointer);
    const auto is_there = [&](const Hint& hint) {
        return begin <= hint.begin && hint.begin < begin + bytes;
    };
    hints.erase(std::remove_if(hints.begin(), hints.end(), is_there), hints.end());
}

}  // namespace cpu_device

cudaError_t cudaMemRangeGetAttribute(void* data, std::size_t data_bytes,
                                     cudaMemRangeAttribute attribute, const void* pointer,
                                     std::size_t bytes) {
    using namespace cpu_device;
    const Allocation there = allocation_from(pointer);
    const std::size_t values = data_bytes / sizeof(int);
    const bool list = attribute == cudaMemRangeAttributeAccessedBy;
    if (data == nullptr || data_bytes % sizeof(int) != 0 || values == 0 || (!list && values != 1) ||
        there.kind != Allocation::managed || bytes == 0 || bytes > there.bytes) {
        return result(cudaErrorInvalidValue);
    }
    const std::lock_guard<std::mutex> lock(hints_mutex);
    const char* const begin = static_cast<const char*>(pointer);
    const auto location = [&](cudaMemRangeAttribute of) {
        return hint_for(begin, begin + bytes, of, 0, cudaInvalidDeviceId);
    };
    int* const out = static_cast<int*>(data);
    switch (attribute) {
        case cudaMemRangeAttributeReadMostly:
            *out = hint_for(begin, begin + bytes, attribute, 0, 0);
            break;
        case cudaMemRangeAttributePreferredLocation:
        case cudaMemRangeAttributeLastPrefetchLocation:
            *out = location(attribute);
            break;
        case cudaMemRangeAttributeAccessedBy: {
            std::fill(out, out + values, static_cast<int>(cudaInvalidDeviceId));
            std::size_t count = 0;
            for (int device = cudaCpuDeviceId; device < max_devices && count < values; ++device) {
                if (hint_for(begin, begin + bytes, attribute, device, 0) != 0) {
                    out[count++] = device;
                }
            }
            break;
        }
        case cudaMemRangeAttributePreferredLocationType:
            *out = type_of_location(location(cudaMemRangeAttributePreferredLocation));
            break;
        case cudaMemRangeAttributePreferredLocationId:
            *out = location(cudaMemRangeAttributePreferredLocation);
            break;
        case cudaMemRangeAttributeLastPrefetchLocationType:
            *out = type_of_location(location(cudaMemRangeAttributeLastPrefetchLocation));
            break;
        case cudaMemRangeAttributeLastPrefetchLocationId:
            *out = location(cudaMemRangeAttributeLastPrefetchLocation);
            break;
        default:
            return result(cudaErrorInvalidValue);
    }
    return result(cudaSuccess);
}

cudaError_t cudaMemRangeGetAttributes(void** data, std::size_t* data_bytes,
                                      cudaMemRangeAttribute* attributes, std::size_t count,
                                      const void* pointer, std::size_t bytes) {
    for (std::size_t i = 0; i < count; ++i) {
        const cudaError_t error =
            cudaMemRangeGetAttribute(data[i], data_bytes[i], attributes[i], pointer, bytes);
        if (error != cudaSuccess) {
            return error;
        }
    }
    return cudaSuccess;
}
