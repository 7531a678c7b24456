// The story of a race in a few lines: thread, source line, what it did to which word.
#pragma once

#include <vector>

#include "race/sentences.hpp"
#include "race/trace.hpp"

namespace cpu_device::race {

// Of the race among the reports that is wanted; empty where there is none. The steps as a trace has
// them.
Text story_text(const std::vector<TraceStep>& steps, const std::vector<TraceReport>& reports,
                const TraceLists& lists);

}  // namespace cpu_device::race
