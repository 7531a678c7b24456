#include "race/frames.hpp"

#include "race/run.hpp"

namespace cpu_device::race {
namespace {

// Until `take` has enough of them.
template <typename Take>
void for_each_frame(const void* frame, const Take& take) {
    const void* const bottom = run.now.block->bottom[run.now.thread];
    while (frame < bottom) {
        const void* const* const saved = static_cast<const void* const*>(frame);
        if (!take(saved[1]) || saved[0] <= frame) {
            break;
        }
        frame = saved[0];
    }
}

}  // namespace

Frames frames_from(const void* frame) {
    Frames frames;
    constexpr unsigned most = sizeof frames.code / sizeof frames.code[0];
    for_each_frame(frame, [&](const void* code) {
        frames.code[frames.depth++] = code;
        return frames.depth < most;
    });
    return frames;
}

void all_frames_from(const void* frame, std::vector<const void*>& code) {
    code.clear();
    for_each_frame(frame, [&](const void* one) {
        code.push_back(one);
        return true;
    });
}

}  // namespace cpu_device::race
