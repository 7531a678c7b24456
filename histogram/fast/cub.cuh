// The library's histogram, for comparison. CUDA builds only.
#pragma once

#ifndef CPU_DEVICE
#include <cstddef>
#include <cstdint>
#include <cub/device/device_histogram.cuh>

#include "common/error.cuh"

// bins + 1 levels 0, 1, ..., bins make bins of one value each; a byte outside is not counted. CUB
// sets the totals, it does not add to them. d_storage null: sets `bytes` to the bytes of temporary
// storage that are needed, and counts nothing. n > 0.
template <typename Count>
void cub_histogram(const unsigned char* d_bytes, std::size_t n, int bins, void* d_storage,
                   std::size_t& bytes, Count* d_bins) {
    CHECK(cub::DeviceHistogram::HistogramEven(d_storage, bytes, d_bytes, d_bins, bins + 1, 0, bins,
                                              static_cast<std::int64_t>(n)));
}
#endif
