// The program's name for a block's dynamic shared memory, by which a trace names its words.
#pragma once

#include <string>

namespace cpu_device::race {

struct DynamicShared {
    std::string name;  // empty: the text does not say it, or leaves it in doubt
    std::string type;  // of an element, as it is declared; empty: not known
};

// As `kernel` declares it in this text, which is without comments and strings: the one array
// `extern __shared__ T name[]` or, where that is of bytes, the one pointer `T* name = ...` to it.
// Where the kernel has neither, the one outside of all kernels: of the file, or of a function.
DynamicShared dynamic_shared_in(const std::string& text, const std::string& kernel);

}  // namespace cpu_device::race
