// The steps of a launch, as a trace tells them.
#pragma once

#include <vector>

#include "race/story.hpp"
#include "race/trace.hpp"

namespace cpu_device::race {

struct LaunchTrace {
    std::vector<TraceStep> steps;  // edges and reports name steps by their ids
    std::vector<TraceReport> reports;
};

// `launch`: the index of the launch that ends, in lists; `launched`: the id of the step that began
// it. Threads and words are added to the lists.
LaunchTrace tell_launch(const Tracing& traced, const Story& story, TraceLists& lists,
                        std::size_t launch, std::uint64_t launched);

}  // namespace cpu_device::race
