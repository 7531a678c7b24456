// Memory pools: what is in use of each.
#include "cpu_device/memory_pools.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <mutex>

#include "host_api.hpp"
#include "memory_pools.hpp"
#include "stream_order.hpp"

struct CUmemPoolHandle_st {
    std::uint64_t used = 0, most_used = 0, release_threshold = 0;
    int reuse[3] = {1, 1, 1};
};

namespace cpu_device {
namespace {

std::mutex mutex;
// Never destroyed, since static objects of the program may free their memory late.
CUmemPoolHandle_st& default_pool = *new CUmemPoolHandle_st;
cudaMemPool_t current_pool = &default_pool;
struct Piece {
    cudaMemPool_t pool;
    std::size_t bytes;
};
std::map<const void*, Piece>& pieces = *new std::map<const void*, Piece>;

}  // namespace

cudaError_t allocate_from_pool(void** pointer, std::size_t bytes, CUmemPoolHandle_st* pool) {
    const cudaError_t error = allocate(pointer, bytes);
    if (error == cudaSuccess && bytes > 0) {
        const std::lock_guard<std::mutex> lock(mutex);
        pool = pool == nullptr ? current_pool : pool;
        pieces[*pointer] = {pool, bytes};
        pool->used += bytes;
        pool->most_used = std::max(pool->most_used, pool->used);
    }
    return error;
}

void returned_to_pool(const void* pointer) {
    const std::lock_guard<std::mutex> lock(mutex);
    const auto found = pieces.find(pointer);
    if (found != pieces.end()) {
        found->second.pool->used -= found->second.bytes;
        pieces.erase(found);
    }
}

bool is_of_pool(const void* pointer) {
    const std::lock_guard<std::mutex> lock(mutex);
    return pieces.count(pointer) > 0;
}

}  // namespace cpu_device

using cpu_device::result;

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device) {
    *pool = &cpu_device::default_pool;
    return result(device == 0 ? cudaSuccess : cudaErrorInvalidDevice);
}
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* pool, int device) {
    *pool = cpu_device::current_pool;
    return result(device == 0 ? cudaSuccess : cudaErrorInvalidDevice);
}
cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool) {
    if (device != 0 || pool == nullptr) {
        return result(device != 0 ? cudaErrorInvalidDevice : cudaErrorInvalidValue);
    }
    cpu_device::current_pool = pool;
    return result(cudaSuccess);
}
cudaError_t cudaMemPoolCreate(cudaMemPool_t* pool, const cudaMemPoolProps* properties) {
    if (pool == nullptr || properties == nullptr ||
        properties->allocType != cudaMemAllocationTypePinned ||
        properties->location.type != cudaMemLocationTypeDevice || properties->location.id != 0) {
        return result(cudaErrorInvalidValue);
    }
    *pool = new CUmemPoolHandle_st;
    return result(cudaSuccess);
}
// What is allocated from it still is freed as ever: the pool's own record stays.
cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool) {
    const std::lock_guard<std::mutex> lock(cpu_device::mutex);
    if (pool == nullptr || pool == &cpu_device::default_pool) {
        return result(cudaErrorInvalidValue);
    }
    if (cpu_device::current_pool == pool) {
        cpu_device::current_pool = &cpu_device::default_pool;
    }
    if (pool->used == 0) {
        delete pool;
    }
    return result(cudaSuccess);
}
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, std::size_t) {
    return result(pool != nullptr ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
    if (pool == nullptr || value == nullptr) {
        return result(cudaErrorInvalidValue);
    }
    const std::lock_guard<std::mutex> lock(cpu_device::mutex);
    switch (attribute) {
        case cudaMemPoolReuseFollowEventDependencies:
        case cudaMemPoolReuseAllowOpportunistic:
        case cudaMemPoolReuseAllowInternalDependencies:
            pool->reuse[attribute - 1] = *static_cast<const int*>(value);
            return result(cudaSuccess);
        case cudaMemPoolAttrReleaseThreshold:
            pool->release_threshold = *static_cast<const std::uint64_t*>(value);
            return result(cudaSuccess);
        case cudaMemPoolAttrReservedMemHigh:
        case cudaMemPoolAttrUsedMemHigh:  // can only be set back
            if (*static_cast<const std::uint64_t*>(value) != 0) {
                return result(cudaErrorInvalidValue);
            }
            pool->most_used = pool->used;
            return result(cudaSuccess);
        default:
            return result(cudaErrorInvalidValue);
    }
}
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
    if (pool == nullptr || value == nullptr) {
        return result(cudaErrorInvalidValue);
    }
    const std::lock_guard<std::mutex> lock(cpu_device::mutex);
    auto* const bytes = static_cast<std::uint64_t*>(value);
    switch (attribute) {
        case cudaMemPoolReuseFollowEventDependencies:
        case cudaMemPoolReuseAllowOpportunistic:
        case cudaMemPoolReuseAllowInternalDependencies:
            *static_cast<int*>(value) = pool->reuse[attribute - 1];
            return result(cudaSuccess);
        case cudaMemPoolAttrReleaseThreshold:
            *bytes = pool->release_threshold;
            return result(cudaSuccess);
        case cudaMemPoolAttrReservedMemCurrent:
        case cudaMemPoolAttrUsedMemCurrent:
            *bytes = pool->used;
            return result(cudaSuccess);
        case cudaMemPoolAttrReservedMemHigh:
        case cudaMemPoolAttrUsedMemHigh:
            *bytes = pool->most_used;
            return result(cudaSuccess);
    }
    return result(cudaErrorInvalidValue);
}
cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const cudaMemAccessDesc* list,
                                 std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
        if (list[i].location.type != cudaMemLocationTypeDevice || list[i].location.id != 0) {
            return result(cudaErrorInvalidDevice);
        }
    }
    return result(pool != nullptr ? cudaSuccess : cudaErrorInvalidValue);
}
cudaError_t cudaMallocFromPoolAsync(void** pointer, std::size_t bytes, cudaMemPool_t pool,
                                    cudaStream_t stream) {
    if (pool == nullptr) {
        return result(cudaErrorInvalidValue);
    }
    const cudaError_t error = cpu_device::allocate_from_pool(pointer, bytes, pool);
    if (error == cudaSuccess) {
        cpu_device::work_in_stream(stream, __func__, *pointer, nullptr, bytes, "allocates");
    }
    return result(error);
}
