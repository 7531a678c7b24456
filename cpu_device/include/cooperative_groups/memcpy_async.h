// memcpy_async(group, to, from, bytes) and wait(group). The threads of the group make the copy at
// once, each its share; only wait() lets the others see it.
#pragma once

#include <cooperative_groups.h>

#include <cstddef>

namespace cooperative_groups {

template <typename Group, typename T>
void memcpy_async(const Group& group, T* to, const T* from, std::size_t bytes) {
    auto* const to_bytes = reinterpret_cast<unsigned char*>(to);
    const auto* const from_bytes = reinterpret_cast<const unsigned char*>(from);
    const std::size_t whole = bytes / sizeof(T);
    for (std::size_t i = group.thread_rank(); i < whole; i += group.size()) {
        to[i] = from[i];
    }
    for (std::size_t i = whole * sizeof(T) + group.thread_rank(); i < bytes; i += group.size()) {
        to_bytes[i] = from_bytes[i];
    }
}

template <typename Group>
void wait(const Group& group, cpu_device::Place place = {}) {
    group.sync(place);
}
// Waits for all copies, where a GPU may leave the last `copies` under way.
template <unsigned copies, typename Group>
void wait_prior(const Group& group, cpu_device::Place place = {}) {
    group.sync(place);
}

}  // namespace cooperative_groups
