// The calls that lead from a kernel to the runtime.
#pragma once

namespace cpu_device::race {

struct Frames {
    unsigned depth = 0;
    const void* code[12] = {};  // return addresses, the innermost first
};
// Of the running thread, from the frame of a function of the runtime on: kernels are compiled with
// frame pointers.
Frames frames_from(const void* frame);

}  // namespace cpu_device::race
