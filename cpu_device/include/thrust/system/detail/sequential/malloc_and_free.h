// In place of Thrust's own header of this name: what a device_vector holds is memory that the
// device knows, so that kernels and cudaMemcpy can use it.
#pragma once

#include <thrust/detail/config.h>
#include <thrust/detail/raw_pointer_cast.h>
#include <thrust/system/detail/sequential/execution_policy.h>

#include <algorithm>
#include <cstddef>

THRUST_NAMESPACE_BEGIN
namespace system {
namespace detail {
namespace sequential {

template <typename Policy>
void* malloc(execution_policy<Policy>&, std::size_t bytes) {
    void* pointer = nullptr;
    static_cast<void>(cudaMallocManaged(&pointer, std::max<std::size_t>(bytes, 1)));
    return pointer;
}

template <typename Policy, typename Pointer>
void free(execution_policy<Policy>&, Pointer pointer) {
    static_cast<void>(cudaFree(thrust::raw_pointer_cast(pointer)));
}

}  // namespace sequential
}  // namespace detail
}  // namespace system
THRUST_NAMESPACE_END
