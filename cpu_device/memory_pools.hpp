// What memory_api.cpp asks of the memory pools.
#pragma once

#include <cstddef>

#include "cpu_device/memory_pools.h"

namespace cpu_device {

// As allocate(); null: from the pool that cudaDeviceSetMemPool has given the device.
cudaError_t allocate_from_pool(void** pointer, std::size_t bytes, CUmemPoolHandle_st* pool,
                               int device);
// This allocation was given back; it may be of no pool.
void returned_to_pool(const void* pointer);
bool is_of_pool(const void* pointer);
// Has cudaMemPoolSetAccess given another device access to this allocation of a pool?
bool pool_reaches(const void* pointer, int device);

}  // namespace cpu_device
