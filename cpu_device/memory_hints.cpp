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

// What the whole range has, or `otherwise`. Of the hints for one place the last one holds.
int hint_for(const char* begin, const char* end, cudaMemRangeAttribute attribute, int device,
             int otherwise) {
    const auto is_about = [&](const Hint& hint) {
        return hint.attribute == attribute && hint.device == device && begin < hint.end &&
               hint.begin < end;
    };
    std::vector<const char*> parts{begin};  // where each begins
    for (const Hint& hint : hints) {
        if (is_about(hint)) {
            parts.push_back(std::max(begin, hint.begin));
            parts.push_back(std::min(end, hint.end));
        }
    }
    std::sort(parts.begin(), parts.end());
    parts.erase(std::unique(parts.begin(), parts.end()), parts.end());
    const auto value_at = [&](const char* place) {
        const auto last = std::find_if(hints.rbegin(), hints.rend(), [&](const Hint& hint) {
            return is_about(hint) && hint.begin <= place && place < hint.end;
        });
        return last != hints.rend() ? last->value : otherwise;
    };
    const int value = value_at(begin);
    const bool is_of_all = std::all_of(parts.begin(), parts.end(), [&](const char* part) {
        return part == end || value_at(part) == value;
    });
    return is_of_all ? value : otherwise;
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
        return hint.begin < begin + bytes && begin < hint.end;
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
