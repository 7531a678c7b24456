#include "race/frames.hpp"

#include "race/run.hpp"

namespace cpu_device::race {

Frames frames_from(const void* frame) {
    Frames frames;
    const void* const bottom = run.now.block->bottom[run.now.thread];
    constexpr unsigned most = sizeof frames.code / sizeof frames.code[0];
    while (frames.depth < most && frame < bottom) {
        const void* const* const saved = static_cast<const void* const*>(frame);
        frames.code[frames.depth++] = saved[1];
        if (saved[0] <= frame) {
            break;
        }
        frame = saved[0];
    }
    return frames;
}

}  // namespace cpu_device::race
