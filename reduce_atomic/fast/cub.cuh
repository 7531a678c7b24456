// The library's sum, for comparison. CUDA builds only.
#pragma once

#ifndef CPU_DEVICE
#include <cstddef>
#include <cub/device/device_reduce.cuh>

#include "common/error.cuh"

// Bytes of temporary storage that launch_cub needs.
template <typename T>
std::size_t cub_storage_bytes(const T* d_x, std::size_t n, T* d_sum) {
    std::size_t bytes = 0;
    CHECK(cub::DeviceReduce::Sum(nullptr, bytes, d_x, d_sum, n));
    return bytes;
}

template <typename T>
void launch_cub(const T* d_x, std::size_t n, void* d_storage, std::size_t bytes, T* d_sum) {
    CHECK(cub::DeviceReduce::Sum(d_storage, bytes, d_x, d_sum, n));
}
#endif
