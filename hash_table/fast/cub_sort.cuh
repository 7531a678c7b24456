// The library has no hash table. Its radix sort builds a multimap as well, for binary search. CUDA
// builds only.
#pragma once

#ifndef CPU_DEVICE
#include <cstddef>
#include <cub/device/device_radix_sort.cuh>

#include "common/error.cuh"

// Bytes of temporary storage that launch_cub_sort needs.
inline std::size_t cub_sort_bytes(std::size_t n) {
    std::size_t bytes = 0;
    const unsigned* d_in = nullptr;
    unsigned* d_out = nullptr;
    CHECK(cub::DeviceRadixSort::SortPairs(nullptr, bytes, d_in, d_out, d_in, d_out, n));
    return bytes;
}

// d_sorted_keys, d_sorted_values: n each, in the order of the keys afterwards.
inline void launch_cub_sort(const unsigned* d_keys, const unsigned* d_values, std::size_t n,
                            void* d_storage, std::size_t bytes, unsigned* d_sorted_keys,
                            unsigned* d_sorted_values) {
    CHECK(cub::DeviceRadixSort::SortPairs(d_storage, bytes, d_keys, d_sorted_keys, d_values,
                                          d_sorted_values, n));
}
#endif
