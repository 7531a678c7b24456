// What the program says about managed memory, to be told again.
#pragma once

#include <cstddef>

#include "cpu_device/host_types.h"

namespace cpu_device {

// `device`: the one that cudaMemRangeAttributeAccessedBy is about, else 0.
void remember_hint(const void* pointer, std::size_t bytes, cudaMemRangeAttribute attribute,
                   int device, int value);
// The memory is gone: what is said about any of it.
void forget_hints(const void* pointer, std::size_t bytes);

}  // namespace cpu_device
