// The library's prefix sum, for comparison. CUDA builds only.
#pragma once

#ifndef CPU_DEVICE
#include <cstddef>
#include <cub/device/device_scan.cuh>

#include "common/error.cuh"

// Bytes of temporary storage that launch_cub needs.
template <typename T>
std::size_t cub_storage_bytes(const T* d_x, std::size_t n, T* d_y) {
    std::size_t bytes = 0;
    CHECK(cub::DeviceScan::InclusiveSum(nullptr, bytes, d_x, d_y, n));
    return bytes;
}

template <typename T>
void launch_cub(const T* d_x, std::size_t n, void* d_storage, std::size_t bytes, T* d_y) {
    CHECK(cub::DeviceScan::InclusiveSum(d_storage, bytes, d_x, d_y, n));
}
#endif
