// In place of Thrust's own header of this name: what a device_vector holds is memory that the
// device knows, so that kernels and cudaMemcpy can use it.
#pragma once

#include <thrust/detail/config.h>
#include <thrust/mr/memory_resource.h>

#include <algorithm>
#include <cstddef>
#include <new>

THRUST_NAMESPACE_BEGIN
namespace mr {

class new_delete_resource final : public memory_resource<> {
  public:
    void* do_allocate(std::size_t bytes, std::size_t) override {
        void* pointer = nullptr;
        if (cudaMallocManaged(&pointer, std::max<std::size_t>(bytes, 1)) != cudaSuccess) {
            throw std::bad_alloc();
        }
        return pointer;
    }
    void do_deallocate(void* pointer, std::size_t, std::size_t) override {
        static_cast<void>(cudaFree(pointer));
    }
};

}  // namespace mr
THRUST_NAMESPACE_END
