#include "race/frames.hpp"

namespace cpu_device::race {
namespace {

// Until `take` has enough of them.
template <typename Take>
void for_each_frame(const void* frame, const void* bottom, const Take& take) {
    while (frame < bottom) {
        const void* const* const saved = static_cast<const void* const*>(frame);
        if (!take(saved[1]) || saved[0] <= frame) {
            break;
        }
        frame = saved[0];
    }
}

}  // namespace

Frames frames_from(const void* frame, const void* bottom) {
    Frames frames;
    constexpr unsigned most = sizeof frames.code / sizeof frames.code[0];
    for_each_frame(frame, bottom, [&](const void* code) {
        frames.code[frames.depth++] = code;
        return frames.depth < most;
    });
    return frames;
}

void all_frames_from(const void* frame, const void* bottom, std::vector<const void*>& code) {
    code.clear();
    for_each_frame(frame, bottom, [&](const void* one) {
        code.push_back(one);
        return true;
    });
}

}  // namespace cpu_device::race
