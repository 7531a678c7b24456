// memcpy_async(group, to, from, bytes) and wait(group). The threads of the group make the copy,
// each its share; only wait() lets the others see it. Each call is a batch of its own.
#pragma once

#include <cooperative_groups.h>

#include <cstddef>

#include "cpu_device/copies.h"

namespace cooperative_groups {

template <typename Group, typename T>
void memcpy_async(const Group& group, T* to, const T* from, std::size_t bytes,
                  cpu_device::Place place = {}) {
    const std::size_t rank = group.thread_rank(), size = group.size();
    const auto copy = [=] {
        auto* const to_bytes = reinterpret_cast<unsigned char*>(to);
        const auto* const from_bytes = reinterpret_cast<const unsigned char*>(from);
        const std::size_t whole = bytes / sizeof(T);
        for (std::size_t i = rank; i < whole; i += size) {
            to[i] = from[i];
        }
        for (std::size_t i = whole * sizeof(T) + rank; i < bytes; i += size) {
            to_bytes[i] = from_bytes[i];
        }
    };
    cpu_device::begin_copy(nullptr, copy, place);
    cpu_device::commit_copies(nullptr, place);
}

// With a layout for each end: a number of elements, not of bytes, and so is a
// cuda::aligned_size_t here. As many are copied as both have.
template <typename Group, typename T, typename ToLayout, typename FromLayout>
void memcpy_async(const Group& group, T* to, const ToLayout& to_layout, const T* from,
                  const FromLayout& from_layout, cpu_device::Place place = {}) {
    const std::size_t to_count = to_layout, from_count = from_layout;
    const std::size_t count = to_count < from_count ? to_count : from_count;
    memcpy_async(group, to, from, count * sizeof(T), place);
}

template <typename Group>
void wait(const Group& group, cpu_device::Place place = {}) {
    cpu_device::finish_copies(nullptr);
    group.sync(place);
}
// The last `copies` may be under way still.
template <unsigned copies, typename Group>
void wait_prior(const Group& group, cpu_device::Place place = {}) {
    cpu_device::finish_batches(nullptr, copies);
    group.sync(place);
}

}  // namespace cooperative_groups
