// The program's name for a block's dynamic shared memory, by which a trace names its words.
#pragma once

#include <string>

#include "race/memory.hpp"

namespace cpu_device::race {

struct DynamicShared {
    std::string name;  // empty: the text does not say it, or leaves it in doubt
    // Of an element, as it is declared; empty: not known, as where casts look at a part of it as of
    // another type.
    std::string type;
};

// As `kernel` declares it in this text, which is without comments and strings: the one array
// `extern __shared__ T name[]` or, where that is of bytes, the one pointer `T* name = ...` to it.
// Where the kernel has neither, the one outside of all kernels: of the file, or of a function.
DynamicShared dynamic_shared_in(const std::string& text, const std::string& kernel);
// As kind_at(), but of dynamic shared memory by this text: that of `file`, which launches `kernel`,
// and of what it includes.
Element::Kind kind_at(std::size_t offset, std::size_t bytes, const char* kernel, const char* file);

}  // namespace cpu_device::race
