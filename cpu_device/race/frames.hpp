// The calls that lead from a kernel to the runtime.
#pragma once

#include <vector>

namespace cpu_device::race {

struct Frames {
    unsigned depth = 0;
    const void* code[12] = {};  // return addresses, the innermost first
};
// From the frame of a function of the runtime on, up to that below the kernel's: kernels are
// compiled with frame pointers.
Frames frames_from(const void* frame, const void* bottom);
// The same, however many they are: only all of them tell whether two threads have come the same
// way.
void all_frames_from(const void* frame, const void* bottom, std::vector<const void*>& code);

}  // namespace cpu_device::race
