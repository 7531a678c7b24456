// Work of different streams, and whether anything orders it.
#pragma once

#include <cstddef>
#include <vector>

#include "race/work.hpp"

namespace cpu_device::race {

// No more uses than these are kept of work that is done, but for the last.
constexpr std::size_t most_uses = 1 << 20;
// Has the program made a stream? Else no work meets any other, and what came last is enough.
bool has_streams();
// A launch has ended, and made these uses of global memory.
void launch_in_stream(const LaunchConfig& config, std::vector<Use> uses);

}  // namespace cpu_device::race
