// Memory pools: what is in use of each.
#include "cpu_device/memory_pools.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <mutex>

#include "devices.hpp"
#include "host_api.hpp"
#include "memory_pools.hpp"
#include "stream_order.hpp"

struct CUmemPoolHandle_st {
    int device = 0;
    bool reached_from[cpu_device::max_devices] = {};  // by other devices than its own
    std::uint64_t used = 0, most_used = 0, release_threshold = 0;
    int reuse[3] = {1, 1, 1};
};

namespace cpu_device {
namespace {

std::mutex mutex;
// Never destroyed, since static objects of the program may free their memory late.
struct PoolsOfDevice {
    CUmemPoolHandle_st default_pool;
    cudaMemPool_t current = &default_pool;
};
PoolsOfDevice* const pools = [] {
    auto* const all = new PoolsOfDevice[max_devices];
    for (int device = 0; device < max_devices; ++device) {
        all[device].default_pool.device = device;
    }
    return all;
}();
struct PoolPiece {
    cudaMemPool_t pool;
    std::size_t bytes;
};
std::map<const void*, PoolPiece>& pool_pieces = *new std::map<const void*, PoolPiece>;

}  // namespace

cudaError_t allocate_from_pool(void** pointer, std::size_t bytes, CUmemPoolHandle_st* pool,
                               int device) {
    pool = pool == nullptr ? pools[device].current : pool;
    const cudaError_t error = allocate_on(pool->device, pointer, bytes, Allocation::device);
    if (error == cudaSuccess && bytes > 0) {
        const std::lock_guard<std::mutex> lock(mutex);
        pool_pieces[*pointer] = {pool, bytes};
        pool->used += bytes;
        pool->most_used = std::max(pool->most_used, pool->used);
    }
    return error;
}

void returned_to_pool(const void* pointer) {
    const std::lock_guard<std::mutex> lock(mutex);
    const auto found = pool_pieces.find(pointer);
    if (found != pool_pieces.end()) {
        found->second.pool->used -= found->second.bytes;
        pool_pieces.erase(found);
    }
}

bool is_of_pool(const void* pointer) {
    const std::lock_guard<std::mutex> lock(mutex);
    return pool_pieces.count(pointer) > 0;
}

bool pool_reaches(const void* pointer, int device) {
    const std::lock_guard<std::mutex> lock(mutex);
    const auto found = pool_pieces.find(pointer);
    return found != pool_pieces.end() && found->second.pool->reached_from[device];
}

}  // namespace cpu_device

using cpu_device::result;

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device) {
    if (!cpu_device::is_device(device)) {
        return result(cudaErrorInvalidDevice);
    }
    *pool = &cpu_device::pools[device].default_pool;
    return result(cudaSuccess);
}
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* pool, int device) {
    if (!cpu_device::is_device(device)) {
        return result(cudaErrorInvalidDevice);
    }
    *pool = cpu_device::pools[device].current;
    return result(cudaSuccess);
}
cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool) {
    const bool is_device = cpu_device::is_device(device);
    if (!is_device || pool == nullptr || pool->device != device) {
        return result(is_device ? cudaErrorInvalidValue : cudaErrorInvalidDevice);
    }
    cpu_device::pools[device].current = pool;
    return result(cudaSuccess);
}
cudaError_t cudaMemPoolCreate(cudaMemPool_t* pool, const cudaMemPoolProps* properties) {
    if (pool == nullptr || properties == nullptr ||
        properties->allocType != cudaMemAllocationTypePinned ||
        properties->location.type != cudaMemLocationTypeDevice ||
        !cpu_device::is_device(properties->location.id)) {
        return result(cudaErrorInvalidValue);
    }
    *pool = new CUmemPoolHandle_st{properties->location.id};
    return result(cudaSuccess);
}
// What is allocated from it still is freed as ever: the pool's own record stays.
cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool) {
    const std::lock_guard<std::mutex> lock(cpu_device::mutex);
    if (pool == nullptr || pool == &cpu_device::pools[pool->device].default_pool) {
        return result(cudaErrorInvalidValue);
    }
    cpu_device::PoolsOfDevice& pools = cpu_device::pools[pool->device];
    if (pools.current == pool) {
        pools.current = &pools.default_pool;
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
        if (list[i].location.type != cudaMemLocationTypeDevice ||
            !cpu_device::is_device(list[i].location.id)) {
            return result(cudaErrorInvalidDevice);
        }
    }
    if (pool == nullptr) {
        return result(cudaErrorInvalidValue);
    }
    const std::lock_guard<std::mutex> lock(cpu_device::mutex);
    for (std::size_t i = 0; i < count; ++i) {
        pool->reached_from[list[i].location.id] = list[i].flags != cudaMemAccessFlagsProtNone;
    }
    return result(cudaSuccess);
}
cudaError_t cudaMallocFromPoolAsync(void** pointer, std::size_t bytes, cudaMemPool_t pool,
                                    cudaStream_t stream) {
    if (pool == nullptr) {
        return result(cudaErrorInvalidValue);
    }
    const cudaError_t error = cpu_device::allocate_from_pool(pointer, bytes, pool, pool->device);
    if (error == cudaSuccess) {
        cpu_device::work_in_stream(stream, __func__, *pointer, nullptr, bytes, "allocates");
    }
    return result(error);
}
