// Work of different streams, and whether anything orders it.
#pragma once

#include <atomic>
#include <cstddef>
#include <vector>

#include "race/work.hpp"

namespace cpu_device::race {

// No more uses than these are kept of work that is done, but for the last.
constexpr std::size_t most_uses = 1 << 20;
// Before anything is put into a stream: with several devices, clocks have marks.
void settle_system_scope();
// Has the program made a stream? Else no work meets any other, and what came last is enough.
bool has_streams();
// A launch begins: what it is, all that comes before it, and launches of other devices that do not.
struct NextLaunch {
    Work work;
    VectorClock past;  // by the numbers of streams
    std::vector<Work> beside;
};
NextLaunch next_launch(const LaunchConfig& config);
// A launch has ended, and made these uses of global memory.
void launch_in_stream(const LaunchConfig& config, std::vector<Use> uses);
// Code of the host accesses memory that the device uses too: is all work done that does so? In a
// function that a stream calls, the access is a part of that stream's work.
void access_by_host(const volatile void* memory, std::size_t bytes, bool write, Where where);
// Is there anything that an access of the host may race with?
extern std::atomic<bool> host_may_race;

}  // namespace cpu_device::race
